package model_test

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/model"
)

// A verb is what an instruction does.
type verb struct {
	steps int    // how many it takes, about
	needs family // the objects that it is about
	takes int    // how many of the next instructions it takes, to perform them itself
	do    func(a *actor, in instr, body []instr)
}

// verbs are all there are.
var verbs = map[string]verb{}

func init() {
	for _, table := range []map[string]verb{chanVerbs, lockVerbs, syncVerbs, dataVerbs, contextVerbs, timeVerbs} {
		maps.Copy(verbs, table)
	}
}

// A theme is verbs that have to do with each other; what stands twice is drawn more
// often. Scripts of timedThemes run natively in a bubble of package testing/synctest:
// nobody waits there for a lock for long, which the bubble would not notice.
var freeThemes = [][]string{
	words("send recv close len range select try tryone both send recv"),
	words("lock unlock anyunlock trylock section lock unlock"),
	words("rlock runlock tryrlock reading wlock wunlock trywlock writing rlock wlock wunlock runlock"),
	words("rlock anyrunlock wlock anywunlock trywlock tryrlock"),
	words("add done wait wggo wait"),
	words("cwait notify"), // by themselves: few other programs decide who is woken
	words("cwait cwait broadcast"),
	words("cwait notify cwait signal broadcast cwait notify lock unlock"),
	words("once oncevalue oncevalues oncefunc once oncefunc"),
	words("acquire tryacquire release cancel acquire release"),
	words("groupgo grouptry groupwait groupctx cancel groupgo"),
	words("groupgo groupgo groupwait groupdone"),
	words("load store swap cas addvar or and"),
	words("wideadd widecas flip raise isup aim aimed reaim guarded guarded"),
	words("vload vstore vswap vcas mload mstore mswap mfirst mtake mcas mremove mdelete mclear mrange"),
	words("put get put get get"),
	words("put put get get gc"),
	words("cancel cancelled err cause derive after stop after cancel"),
	words("cancel derive withvalue value detach err cause cancelled value"),
	words("cancel detach cancelled err cause"),
	words("yield go named daemon"),
	words("awaited addvar load store guarded"),
}

var timedThemes = [][]string{
	words("send recv close len select try"),
	words("add done wait wggo cwait notify signal broadcast section"),
	words("acquire tryacquire release groupgo groupwait"),
	words("cancel cancelled err cause derive after stop timelimit"),
	words("timelimit deadline detach withvalue derive cancelled err cause"),
	words("addvar mfirst mtake yield go"),
	words("sleep now fired timeout stoptimer reset"),
	words("sleep now tick stopticker resetticker recvfor"),
	words("sleep reset fired now"),
	words("aftertime recvfor stop addvar"),
	words("aftertime aftertime stop sleep now timelimit"),
}

func words(text string) []string { return strings.Fields(text) }

// misused tells the verbs that are misused in scripts, so that the race detector reports
// them: a close beside a send, and the wait group, also that of a group, which is used
// again too early. All others have no race.
func misused(verb string) bool {
	return slices.Contains([]string{"close", "add", "done", "wait", "wggo"}, verb) || verbs[verb].needs&useGroup != 0
}

// chanVerbs: bit 0 of y makes the first case of a select a send, bit 1 the second.
var chanVerbs = map[string]verb{
	"send":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.sender(in).Send(a.fresh()) }},
	"recv":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.receiver(in).RecvOK()) }},
	"close": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.sender(in).Close() }},
	"len":   {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.receiver(in).Len()) }},
	"range": {steps: 2, do: func(a *actor, in instr, _ []instr) {
		for v := range a.receiver(in).All() {
			a.tell(v)
			a.pause()
		}
	}},
	"select": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		c := a.choice(in, 1-in.x)
		a.tell(model.Select(c.cases()...), c.v, c.ok)
	}},
	"try": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		c := a.choice(in, 1-in.x)
		a.tell(model.TrySelect(c.cases()...), c.v, c.ok)
	}},
	"tryone": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		c := a.choice(in, in.x)
		a.tell(model.TrySelect(c.cases()[:1]...), c.v[0], c.ok[0])
	}},
	"both": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		c := a.choice(in, in.x)
		a.tell(model.Select(c.cases()...), c.v, c.ok)
	}},
}

// sender is the channel to send on, by turns the one way view of it.
func (a *actor) sender(in instr) interface {
	Send(int)
	Close()
} {
	if in.y%2 == 0 {
		return a.stage.chans[in.x]
	}
	return a.stage.chans[in.x].SendOnly()
}

// receiver is the channel to receive from, like sender.
func (a *actor) receiver(in instr) interface {
	RecvOK() (int, bool)
	Len() int
	All() iter.Seq[int]
} {
	if in.y%2 == 0 {
		return a.stage.chans[in.x]
	}
	return a.stage.chans[in.x].RecvOnly()
}

// choice is a select of two cases.
type choice struct {
	ch   [2]model.Chan[int]
	view bool // use the one way views of them
	send [2]bool
	v    [2]int
	ok   [2]bool
}

func (a *actor) choice(in instr, other int) *choice {
	c := &choice{ch: [2]model.Chan[int]{a.stage.chans[in.x], a.stage.chans[other]}, view: a.turn%2 == 1}
	for i := range c.send {
		c.send[i] = in.y>>i&1 == 1
		if c.send[i] {
			c.v[i] = a.fresh()
		}
	}
	return c
}

func (c *choice) cases() (cases []model.Case) {
	for i, ch := range c.ch {
		switch {
		case c.send[i] && c.view:
			cases = append(cases, ch.SendOnly().SendCase(c.v[i]))
		case c.send[i]:
			cases = append(cases, ch.SendCase(c.v[i]))
		case c.view:
			cases = append(cases, ch.RecvOnly().RecvOKCase(&c.v[i], &c.ok[i]))
		default:
			cases = append(cases, ch.RecvOKCase(&c.v[i], &c.ok[i]))
		}
	}
	return cases
}
