package model_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

func ExampleContext() {
	// Done is a channel of this package, so it can be a case of a Select.
	serve := func(ctx model.Context, requests model.RecvOnly[int]) error {
		for {
			var r int
			switch model.Select(requests.RecvCase(&r), ctx.Done().RecvCase(nil)) {
			case 0:
				fmt.Println("request", r)
			case 1:
				return ctx.Err()
			}
		}
	}
	ctx, cancel := model.WithCancel(model.Background())
	requests := model.NewChan[int](0)
	model.Go(func() {
		requests.Send(7)
		cancel()
	})
	fmt.Println(serve(ctx, requests.RecvOnly()))
	// Output:
	// request 7
	// context canceled
}

func ExampleBackground() {
	ctx := model.Background()
	_, limited := ctx.Deadline()
	fmt.Println(ctx, ctx.Err(), limited)
	// Output: context.Background <nil> false
}

func ExampleTODO() {
	fmt.Println(model.TODO())
	// Output: context.TODO
}

func ExampleWithCancel() {
	parent, cancel := model.WithCancel(model.Background())
	child, cancelChild := model.WithCancel(parent)
	defer cancelChild()
	cancel()
	child.Done().Recv()
	fmt.Println(child.Err())
	// Output: context canceled
}

func ExampleCause() {
	ctx, cancel := model.WithCancelCause(model.Background())
	child, cancelChild := model.WithCancel(ctx)
	defer cancelChild()
	cancel(errors.New("the disk is full"))
	fmt.Println(child.Err())
	fmt.Println(model.Cause(child))
	// Output:
	// context canceled
	// the disk is full
}

func ExampleWithDeadline() {
	parent, cancel := model.WithTimeout(model.Background(), time.Minute)
	defer cancel()
	limit, _ := parent.Deadline()
	ctx, cancel := model.WithDeadline(parent, limit.Add(time.Hour)) // the earlier one stays
	defer cancel()
	deadline, ok := ctx.Deadline()
	fmt.Println(deadline.Equal(limit), ok)
	// Output: true true
}

func ExampleWithTimeoutCause() {
	errSlow := errors.New("the server is slow")
	ctx, cancel := model.WithTimeoutCause(model.Background(), time.Millisecond, errSlow)
	defer cancel()
	ctx.Done().Recv()
	fmt.Println(ctx.Err(), "-", model.Cause(ctx))
	// Output: context deadline exceeded - the server is slow
}

func ExampleWithTimeout() {
	ctx, cancel := model.WithTimeout(model.Background(), time.Millisecond)
	defer cancel()
	ctx.Done().Recv()
	fmt.Println(ctx.Err())
	// Output: context deadline exceeded
}

func ExampleWithDeadlineCause() {
	errSlow := errors.New("the server is slow")
	ctx, cancel := model.WithDeadlineCause(model.Background(), model.Now(), errSlow)
	defer cancel()
	fmt.Println(ctx.Err(), model.Cause(ctx))
	// Output: context deadline exceeded the server is slow
}

func ExampleWithValue() {
	type key struct{}
	ctx := model.WithValue(model.Background(), key{}, "request 7")
	fmt.Println(ctx.Value(key{}))
	// Output: request 7
}

func ExampleWithoutCancel() {
	ctx, cancel := model.WithCancel(model.Background())
	cleanup := model.WithoutCancel(ctx) // goes on when the request is over
	cancel()
	fmt.Println(ctx.Err(), cleanup.Err())
	// Output: context canceled <nil>
}

func ExampleContextAfterFunc() {
	ctx, cancel := model.WithCancel(model.Background())
	done := model.NewChan[struct{}](0)
	stop := model.ContextAfterFunc(ctx, func() {
		fmt.Println("cleaning up")
		done.Close()
	})
	cancel()
	done.Recv()
	fmt.Println(stop())
	// Output:
	// cleaning up
	// false
}
