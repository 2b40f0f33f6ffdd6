module github.com/modelcheck-go/modelcheck

go 1.26

require (
	github.com/google/go-cmp v0.7.0
	github.com/petermattis/goid v0.0.0-20261109124353-7cfa343ad0ab
	github.com/sasha-s/go-deadlock v0.3.9
	go.uber.org/goleak v1.3.0
	pgregory.net/rapid v1.3.0
)
