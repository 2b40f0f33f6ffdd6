package server

func Double(n int) int {
	answer := make(chan int)
	go func() { answer <- 2 * n }()
	return <-answer
}
