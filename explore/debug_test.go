package explore

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

func dumpLog(l *sched.Log, st func(sched.Label) sched.Label) string {
	s := ""
	for i, ev := range l.Events {
		lb := st(ev.Label)
		s += fmt.Sprintf(" [%d.%d %v", lb.G, lb.Op, ev.Kind)
		if lb.Case >= 0 {
			s += fmt.Sprintf(" c%d", lb.Case)
		}
		if lb.Partner >= 0 {
			s += fmt.Sprintf(" ~%d.%d c%d", lb.Partner, lb.PartnerOp, lb.PartnerCase)
		}
		if lb.Value >= 0 {
			s += fmt.Sprintf(" =%d", lb.Value)
		}
		for _, a := range l.Accesses(i) {
			s += fmt.Sprintf(" o%d:%d", a.Object, a.Class)
		}
		if ev.Crash {
			s += " CRASH"
		}
		s += "]"
	}
	return s
}

func TestDebug(t *testing.T) {
	seed, err := strconv.Atoi(os.Getenv("DSEED"))
	if err != nil {
		t.Skip("DSEED")
	}
	p := rapid.Custom(drawOracleProgram).Example(seed)
	body, _ := p.program()
	e := sched.New(sched.Config{})
	defer e.Close()
	s := newDPOR()
	seen := map[uint64]bool{}
	fmt.Println(p)
	for i := uint64(0); s.Begin(i); i++ {
		before := s.runs
		r := e.Run(body, s, sched.RunOptions{Log: true})
		d := dumpLog(r.Log, s.stable)
		s.End(r)
		if s.runs > before {
			fmt.Println("DPOR", s.trace, seen[s.trace], s.misfit, d)
			seen[s.trace] = true
		} else {
			fmt.Println("BLOCKED", d)
		}
	}
	b := &named{&brute{}, newNaming()}
	var a analysis
	for i := uint64(0); b.Begin(i); i++ {
		r := e.Run(body, b, sched.RunOptions{Log: true})
		b.meet(r.Log)
		a.order(&b.naming, r.Log)
		if h := a.class(); !seen[h] {
			fmt.Println("MISSED", h, dumpLog(r.Log, b.stable))
			seen[h] = true
		}
		b.End(r)
	}
}
