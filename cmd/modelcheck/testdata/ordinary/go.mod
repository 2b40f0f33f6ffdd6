module ordinary

go 1.26.0
