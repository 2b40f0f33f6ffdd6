module hurried

go 1.26.0
