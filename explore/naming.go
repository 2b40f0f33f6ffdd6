package explore

import (
	"math/bits"

	"github.com/modelcheck-go/modelcheck/sched"
)

// naming gives goroutines the same small numbers in every run of a search. The
// order in which a run creates them differs between schedules; their spawn paths
// do not.
type naming struct {
	ids    map[uint64]int32 // number by hash of the spawn path
	hashes []uint64         // and back
	local  []int32          // number by creation index within the run
	back   []int32          // and back, -1 if not in the run
}

func newNaming() naming { return naming{ids: map[uint64]int32{}} }

// begin forgets the run before.
func (s *naming) begin() {
	s.local = s.local[:0]
	for i := range s.back {
		s.back[i] = -1
	}
}

// meet gives numbers to the goroutines that are new in this run.
func (s *naming) meet(log *sched.Log) {
	for g := len(s.local); g < len(log.Paths); g++ {
		h := log.Paths[g]
		id, ok := s.ids[h]
		if !ok {
			id = int32(len(s.ids))
			s.ids[h] = id
			s.hashes = append(s.hashes, h)
			s.back = append(s.back, -1)
		}
		s.local = append(s.local, id)
		s.back[id] = int32(g)
	}
}

// stable replaces creation indexes by numbers.
func (s *naming) stable(l sched.Label) sched.Label {
	if l.G >= 0 {
		l.G = s.local[l.G]
	}
	if l.Partner >= 0 {
		l.Partner = s.local[l.Partner]
	}
	return l
}

// find returns the choice with the given label.
func (s *naming) find(p *sched.Point, label sched.Label) (sched.Choice, bool) {
	g := s.back[label.G]
	if g < 0 || !p.Enabled(g) {
		return sched.Choice{}, false
	}
	for a := range int32(p.Alternatives(g)) {
		if c := (sched.Choice{G: g, Alt: a}); s.stable(p.Label(c)) == label {
			return c, true
		}
	}
	return sched.Choice{}, false
}

// labelHash hashes a label without reference to the order of creation.
func (s *naming) labelHash(l sched.Label) uint64 {
	h := uint64(classSeed)
	for _, g := range [2]int32{l.G, l.Partner} {
		if g >= 0 {
			h = fold(h, s.hashes[s.local[g]])
		} else {
			h = fold(h, 1)
		}
	}
	h = fold(h, uint64(uint32(l.Op))<<32|uint64(uint32(l.Case)))
	h = fold(h, uint64(uint32(l.PartnerOp))<<32|uint64(uint32(l.PartnerCase)))
	return fold(h, uint64(uint32(l.Value)))
}

const classSeed = 0x2545F4914F6CDD1D

func fold(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9E3779B97F4A7C15, v^0xD6E8FEB86659FD93)
	return hi ^ lo
}
