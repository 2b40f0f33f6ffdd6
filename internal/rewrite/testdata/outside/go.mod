module outside

go 1.26.0
