module hard

go 1.26.0
