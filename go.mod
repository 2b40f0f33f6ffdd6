module github.com/modelcheck-go/modelcheck

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/petermattis/goid v0.0.0-20261109124353-7cfa343ad0ab
	github.com/sasha-s/go-deadlock v0.3.9
	go.uber.org/goleak v1.3.0
	golang.org/x/sync v0.25.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/rivo/uniseg v0.4.7
	golang.org/x/term v0.48.0
	golang.org/x/tools v0.51.0
)

require (
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
