module bugs

go 1.20
