module example.com/client

go 1.21

require golang.org/x/sync v0.25.0
