package model_test

import (
	"errors"
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
)

func ExampleChan() {
	squares := model.NewChan[int](0)
	model.Go(func() {
		defer squares.Close()
		for i := range 4 {
			squares.Send(i * i)
		}
	})
	for v := range squares.All() {
		fmt.Println(v)
	}
	_, ok := squares.RecvOK()
	fmt.Println(ok)
	// Output:
	// 0
	// 1
	// 4
	// 9
	// false
}

func ExampleChan_nil() {
	// As in Go, a case on the nil channel never goes: setting a variable to it turns
	// the case off.
	in, out := model.NewChan[int](1), model.NewChan[int](1)
	in.Send(7)
	var (
		v      int
		target model.SendOnly[int]
		source = in.RecvOnly()
	)
	for range 2 {
		switch model.Select(source.RecvCase(&v), target.SendCase(v)) {
		case 0:
			source, target = model.RecvOnly[int]{}, out.SendOnly()
			fmt.Println("received", v)
		case 1:
			fmt.Println("sent", v)
		}
	}
	// Output:
	// received 7
	// sent 7
}

func ExampleSelect() {
	jobs := model.NewChan[string](1)
	ctx, cancel := model.WithCancel(model.Background())
	jobs.Send("clean up")
	var job string
	for range 2 {
		switch model.Select(jobs.RecvCase(&job), ctx.Done().RecvCase(nil)) {
		case 0:
			fmt.Println("job:", job)
			cancel()
		case 1:
			fmt.Println("done:", ctx.Err())
		}
	}
	// Output:
	// job: clean up
	// done: context canceled
}

func ExampleTrySelect() {
	slots := model.NewChan[struct{}](1)
	for range 2 {
		if model.TrySelect(slots.SendCase(struct{}{})) < 0 {
			fmt.Println("full")
		} else {
			fmt.Println("taken")
		}
	}
	// Output:
	// taken
	// full
}

func ExampleMutex() {
	var (
		mu model.Mutex
		wg model.WaitGroup
		n  int
	)
	for range 10 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			n++
		})
	}
	wg.Wait()
	fmt.Println(n)
	// Output: 10
}

func ExampleRWMutex() {
	var (
		rw     model.RWMutex
		config = "old"
	)
	read := func() string {
		rw.RLock()
		defer rw.RUnlock()
		return config
	}
	rw.Lock()
	config = "new"
	rw.Unlock()
	fmt.Println(read())
	// Output: new
}

func ExampleWaitGroup() {
	var wg model.WaitGroup
	results := make([]int, 3)
	for i := range results {
		wg.Go(func() { results[i] = i * i })
	}
	wg.Wait()
	fmt.Println(results)
	// Output: [0 1 4]
}

func ExampleOnce() {
	var once model.Once
	for range 3 {
		once.Do(func() { fmt.Println("only once") })
	}
	// Output: only once
}

func ExampleWithCancelCause() {
	ctx, cancel := model.WithCancelCause(model.Background())
	child, stop := model.WithCancel(ctx)
	defer stop()
	cancel(errors.New("stream closed"))
	child.Done().Recv()
	fmt.Println(child.Err())
	fmt.Println(model.Cause(child))
	// Output:
	// context canceled
	// stream closed
}

func ExampleNamed() {
	// Named returns what it names, so that it can stand where the object is made.
	reqCh := model.Named(model.NewChan[int](1), "reqCh")
	reqCh.Send(1)
	fmt.Println(reqCh.Len())
	// Output: 1
}

func ExampleChoose() {
	call := func() error {
		if model.Choose(2) == 1 {
			return errors.New("unavailable") // explored, and random natively
		}
		return nil
	}
	for call() != nil {
		model.Gosched()
	}
	fmt.Println("ok")
	// Output: ok
}

func ExampleGoNamed() {
	done := model.NewChan[struct{}](0)
	model.GoNamed("worker", func() { // reports say "worker (main.1)"
		defer done.Close()
		fmt.Println("working")
	})
	done.Recv()
	// Output: working
}

func ExampleSendOnly() {
	produce := func(out model.SendOnly[int]) { // chan<- int
		defer out.Close()
		out.Send(1)
		out.Send(2)
	}
	ch := model.NewChan[int](2)
	produce(ch.SendOnly())
	fmt.Println(ch.Recv(), ch.Recv())
	// Output: 1 2
}

func ExampleRecvOnly() {
	sum := func(in model.RecvOnly[int]) (n int) { // <-chan int
		for v := range in.All() {
			n += v
		}
		return n
	}
	ch := model.NewChan[int](3)
	for i := range 3 {
		ch.Send(i)
	}
	ch.Close()
	fmt.Println(sum(ch.RecvOnly()))
	// Output: 3
}

func ExampleCase() {
	// The nil channel turns a case off.
	in, out := model.NewChan[int](1), model.NewChan[int](1)
	in.Send(7)
	var v int
	var sink model.Chan[int]
	for range 2 {
		switch model.Select(in.RecvCase(&v), sink.SendCase(v)) {
		case 0:
			sink = out // there is something to send
		case 1:
			fmt.Println("sent", out.Recv())
		}
	}
	// Output: sent 7
}
