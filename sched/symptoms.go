package sched

// symptoms hashes what is wrong at the end of a failing run. Unlike findings it is
// there without capture, for little: runs of one program with equal symptoms have
// equal findings, but for places in the source.
func (e *Engine) symptoms() uint64 {
	h := mix(mix(e.told, uint64(e.outcome)), e.raceSymptoms())
	switch e.outcome {
	case StepBound:
		return mix(h, e.running.pathHash)
	case Livelock:
		return mix(h, e.blockedSymptoms())
	case Quiescent:
		return mix(mix(h, e.blockedSymptoms()), e.heldSymptoms())
	}
	return h
}

// blockedSymptoms has a sum over the goroutines, whose order of creation is no
// symptom.
func (e *Engine) blockedSymptoms() (sum uint64) {
	for _, g := range e.gs[:e.n] {
		if !g.live || g.daemon {
			continue
		}
		h := mix(mix(g.pathHash, uint64(g.kind)), g.obj.identity())
		if g.kind == OpYield {
			for _, s := range g.poll.looks {
				h = mix(h, s.object.identity())
			}
		}
		if g.kind == OpSelect || g.kind == OpTrySelect {
			for _, c := range g.cases {
				h = mix(mix(h, uint64(c.op())), c.Chan.identity())
			}
		}
		sum += h
	}
	return sum
}

func (e *Engine) heldSymptoms() (sum uint64) {
	for _, o := range e.objects {
		if o.kind != KindMutex && o.kind != KindRWMutex || o.holder == nil && o.readers == 0 {
			continue
		}
		h := o.identity()
		if o.holder != nil {
			h = mix(h, o.holder.pathHash)
		}
		if o.readers > 0 {
			h = mix(h, e.hash) // which of them, only details tell: they differ in each run
		}
		sum += h
	}
	return sum
}

// identity is the same for an object in all schedules that make it: it does not
// depend on the order in which objects of different goroutines are made.
func (o *Object) identity() uint64 {
	if o == nil {
		return 0
	}
	return mix(o.maker.pathHash, uint64(o.ordinal)+1)
}

// tell adds a finding that ends the run, or that is made at its end, to the symptoms.
// G is nil for one that is about no goroutine.
func (e *Engine) tell(g *G, f Finding) {
	h := mix(e.told, mixText(hashSeed, string(f.Kind)))
	if g != nil {
		h = mix(mix(h, g.pathHash), g.obj.identity())
	}
	if f.Kind == InvariantBroken {
		h = mixText(h, f.Object)
	}
	e.told = mixText(mixText(mixText(h, f.Op), f.Class), f.Message)
}

func mixText(h uint64, s string) uint64 {
	for i := range len(s) {
		h = mix(h, uint64(s[i])+1)
	}
	return mix(h, uint64(len(s)))
}
