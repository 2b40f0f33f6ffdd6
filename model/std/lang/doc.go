// Package lang is what the language's own concurrency becomes in programs that
// "modelcheck test" has rewritten: go statements, and operations on channels. The
// packages beside it take the place of those of the standard library that wait,
// or tell the time. Programs do not import any of them by hand; the rewriter does.
//
// A channel keeps its Go type. The first time that the scheduler hears of a channel,
// when it is made as a rule, it gets a channel of package model, and operations by
// modelled goroutines act on that one. Operations of other goroutines act on the
// real channel.
//
//	make(chan T, n)          lang.Make(make(chan T, n))
//	c <- v                   lang.To(c).Send(v)
//	v := <-c                 v := lang.Recv(c)
//	v, ok := <-c             v, ok := lang.RecvOK(c)
//	len(c), close(c)         lang.Len(c), lang.Close(c)
//	go f()                   lang.Go(f)
//	select {                 switch c0, c1 := lang.FromCase(a), lang.ToCase(b).Val(v); lang.Select(false, c0, c1) {
//	case x := <-a:           case 0: x := c0.V
//	case b <- v:             case 1:
//	}                        default: panic("unreachable") }
//
// The state of a channel that was made before the first run, by the initialisation
// of a package or by TestMain, is at the begin of every run what it was then.
package lang
