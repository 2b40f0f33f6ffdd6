package model_test

import (
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// timeVerbs: y is how long.
var timeVerbs = map[string]verb{
	"sleep": {steps: 1, needs: useTime, do: func(a *actor, in instr, _ []instr) { model.Sleep(ms(5 * in.y)) }},
	"now":   {steps: 1, needs: useTime, do: func(a *actor, in instr, _ []instr) { a.tell(model.Since(a.stage.began)) }},
	"fired": {steps: 1, needs: useTimer, do: func(a *actor, in instr, _ []instr) {
		a.tell(a.stage.timer.C.Recv().Sub(a.stage.began))
	}},
	"tick": {steps: 1, needs: useTicker, do: func(a *actor, in instr, _ []instr) {
		a.tell(a.stage.ticker.C.Recv().Sub(a.stage.began))
	}},
	"timeout": {steps: 1, needs: useTimer, do: func(a *actor, in instr, _ []instr) {
		v := 0
		a.tell(model.Select(a.stage.chans[in.x].RecvCase(&v), a.stage.timer.C.RecvCase(nil)), v)
	}},
	"recvfor": {steps: 2, needs: useTime, do: func(a *actor, in instr, _ []instr) {
		v := 0
		a.tell(model.Select(a.stage.chans[in.x].RecvCase(&v), model.After(ms(6*in.y)).RecvCase(nil)), v)
	}},
	"stoptimer":  {steps: 1, needs: useTimer, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.timer.Stop()) }},
	"reset":      {steps: 1, needs: useTimer, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.timer.Reset(ms(8 * in.y))) }},
	"stopticker": {steps: 1, needs: useTicker, do: func(a *actor, in instr, _ []instr) { a.stage.ticker.Stop() }},
	"resetticker": {steps: 1, needs: useTicker, do: func(a *actor, in instr, _ []instr) {
		a.stage.ticker.Reset(ms(4*in.y + 3))
	}},
	"aftertime": {steps: 2, needs: useTime, takes: 1, do: func(a *actor, in instr, body []instr) {
		t := model.AfterFunc(ms(9*in.y), a.spawn(body))
		a.stop = t.Stop
	}},
	"timelimit": {steps: 4, needs: useTime | useContext, do: func(a *actor, in instr, _ []instr) {
		a.child, a.leave = model.WithTimeoutCause(a.context(in), ms(11*in.y), causes[in.x])
	}},
	"deadline": {steps: 1, needs: useTime | useContext, do: func(a *actor, in instr, _ []instr) {
		if d, ok := a.context(in).Deadline(); ok {
			a.tell(d.Sub(a.stage.began))
		}
	}},
}

// causes are the reasons of deadlines.
var causes = [2]error{nil, errCause}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }
