package bugs

import (
	"context"
	"errors"
	"time"
)

// fetch leaves its goroutine behind when the time is up.
func fetch(ctx context.Context) (int, error) {
	result := make(chan int)
	go func() {
		result <- 1
	}()
	select {
	case v := <-result:
		return v, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(time.Second):
		return 0, errors.New("timeout")
	}
}
