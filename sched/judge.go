package sched

// judgement is a named condition of the program under test.
type judgement struct {
	name string
	f    func() error
	site Site
}

type misuseInJudge struct{ err error }

// Assert ends the run with a broken assertion unless ok holds; user code cannot
// recover it.
func (g *G) Assert(ok bool, msg string) {
	if ok {
		return
	}
	if g.e.unwinding {
		g.unwind()
	}
	if g.e.judging {
		panic(brokenInJudge{msg})
	}
	g.e.crash(g, Finding{Kind: AssertionBroken, Op: "assert", Message: msg})
	g.park()
}

// brokenInJudge carries an assertion that broke inside a judging function.
type brokenInJudge struct{ msg string }

// AtEnd registers a condition that is judged when nothing can happen any more.
func (g *G) AtEnd(name string, f func() error) {
	if g.e.special {
		return
	}
	g.e.atEnd = append(g.e.atEnd, g.newJudgement(name, f))
}

// Invariant registers a condition that is judged now and after every step that
// changes one of the objects.
func (g *G) Invariant(name string, objects []*Object, f func() error) {
	if g.e.special {
		return
	}
	for _, o := range objects {
		if o != nil {
			o.watched = true
		}
	}
	g.e.invariants = append(g.e.invariants, g.newJudgement(name, f))
	g.e.soil()
}

func (g *G) newJudgement(name string, f func() error) judgement {
	j := judgement{name: name, f: f}
	if g.e.capture {
		j.site = callSite()
	}
	return j
}

// Sometimes notes that the condition called name was evaluated and, if ok, that
// it held. Engine.Sometimes has what was noted.
func (g *G) Sometimes(ok bool, name string) {
	e := g.e
	for i := range e.sometimes {
		if r := &e.sometimes[i]; r.Name == name {
			r.Reached = r.Reached || ok
			if e.capture && r.Site.Line == 0 {
				r.Site = callSite()
			}
			return
		}
	}
	e.sometimes = append(e.sometimes, Reach{Name: name, Reached: ok})
}

// judgeInvariants reports whether all invariants hold; if not the run is over.
// The goroutine that took the last step is named as the one that broke it.
func (e *Engine) judgeInvariants() bool {
	e.dirty = false
	for _, inv := range e.invariants {
		e.judge(inv, "invariant")
		if e.over {
			return false
		}
	}
	return true
}

// judgeEnd judges the AtEnd conditions of a run that came to rest, on a pooled
// goroutine, which survives a Goexit in one of them.
func (e *Engine) judgeEnd() {
	if e.outcome != Quiescent || len(e.atEnd) == 0 {
		return
	}
	e.over = true
	g := e.spawn(nil, e.judgeAtEnd, "", true)
	e.ready = e.ready[:0]
	e.transfer(&e.root, g)
	e.n--
}

func (e *Engine) judgeAtEnd() {
	for _, j := range e.atEnd {
		e.judge(j, "at end")
	}
}

// judge evaluates one condition while the scheduler stands still.
func (e *Engine) judge(j judgement, op string) {
	returned := false
	e.judging, e.special = true, true
	defer func() {
		e.judging, e.special = false, false
		switch v := recover().(type) {
		case nil:
			if !returned {
				e.broke(j, op, "the function called runtime.Goexit: return an error instead")
			}
		case misuseInJudge:
			e.misused(v.err)
		case brokenInJudge:
			e.broke(j, op, v.msg)
		default:
			e.broke(j, op, "panic: "+panicText(v))
		}
	}()
	err := j.f()
	returned = true
	if err != nil {
		e.broke(j, op, err.Error())
	}
}

// broke notes a condition that does not hold: one judged during the run ends it.
func (e *Engine) broke(j judgement, op, msg string) {
	f := Finding{Kind: InvariantBroken, Op: op, Object: j.name, Site: j.site, Message: msg}
	if !e.over {
		e.crash(e.running, f)
		return
	}
	e.nbroken++
	e.tell(nil, f)
	if e.capture {
		e.broken = append(e.broken, f)
	}
}
