package explore

import "github.com/modelcheck-go/modelcheck/sched"

// A Choose is no scheduling point: it happens right after the event that brought its
// goroutine there, and nothing else can happen before it has. The sequences in a tree do
// not know that. One may have the Choose later, where an event that came in between
// before can now come after; or not at all, if it does not need it.

// settle makes the tree of n, if it is time for a Choose there, begin with its values:
// what the tree wants otherwise comes behind each value that admits it.
func (s *dpor) settle(n *node) {
	if !s.choosing() {
		return
	}
	var settled []*branch
	for i := range s.enabled {
		e := &s.enabled[i]
		if kids, leaf := behind(n.tree, e.label); leaf || len(kids) > 0 {
			settled = append(settled, &branch{transition: e.kept(), base: n.objects, kids: kids})
		}
	}
	n.tree = settled
}

// choosing reports whether only a Choose can happen now.
func (s *dpor) choosing() bool {
	e := &s.enabled[0]
	return e.label.Value >= 0 && len(e.foot) == 0
}

// behind returns what a tree has for the time after the Choose with the given label, and
// whether that is anything that can happen.
func behind(tree []*branch, choice sched.Label) (kids []*branch, leaf bool) {
	for _, b := range tree {
		switch {
		case b.label == choice && len(b.kids) == 0:
			return nil, true
		case b.label == choice:
			kids = graft(kids, b.kids)
		case sameOperation(b.label, choice):
		case len(b.kids) == 0:
			kids = graft(kids, []*branch{b})
		default:
			if under, leaf := behind(b.kids, choice); leaf || len(under) > 0 {
				own := *b
				own.kids = under
				kids = graft(kids, []*branch{&own})
			}
		}
	}
	return kids, false
}

// graft returns a tree that has what the two have.
func graft(tree, more []*branch) []*branch {
	for _, b := range more {
		at := -1
		for i := range tree {
			if tree[i].label == b.label {
				at = i
			}
		}
		if at < 0 {
			tree = append(tree, b)
			continue
		}
		joint := *tree[at]
		if len(joint.kids) > 0 && len(b.kids) > 0 {
			joint.kids = graft(append([]*branch(nil), joint.kids...), b.kids)
		} else {
			joint.kids = nil
		}
		tree[at] = &joint
	}
	return tree
}
