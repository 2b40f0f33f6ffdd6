package uvm

import "github.com/modelcheck-go/modelcheck/model"

// design is one way in which a task watches its host.
type design struct {
	// await waits until the host is gone, which it reports, or until there is no
	// reason to wait for it any more.
	await        func(*task) bool
	fallsThrough bool        // the task is ended in any case
	end          func(*task) // how, when its processes were told to exit
	vm           vmDesign
	newOnce      func(name string) once
	leavesExecs  bool // nobody but the init process is told when the container is gone
	hasty        bool // close does not wait for the container that it has shut down
	leavesHost   bool // the task's own host stays on
}

// buggy is what the pull request found, and what is still there: for as long as the
// machine lives waitForHostExit waits, with the task in its hand.
var buggy = design{await: forHost, end: (*task).closeHost, vm: plain, newOnce: aOnce}

func forHost(t *task) bool {
	t.host.Wait()
	return true
}

// interim is the pull request: the end of the container ends the wait too.
var interim = design{await: orContainer, fallsThrough: true, end: (*task).closeHost, vm: plain, newOnce: aOnce}

func orContainer(t *task) bool {
	if model.Select(t.container.waitBlock.RecvCase(nil), t.host.waitBlock.RecvCase(nil)) == 0 {
		return false
	}
	t.host.waitForOutput()
	return true
}

// done is what the review proposes. It is the same with fewer words.
var done = design{await: doneOrContainer, fallsThrough: true, end: (*task).closeHost, vm: proposed, newOnce: aOnce}

func doneOrContainer(t *task) bool {
	return model.Select(t.host.Done().RecvCase(nil), t.container.waitBlock.RecvCase(nil)) == 0
}

// Every other design differs from these in one thing.
var (
	// interimReturn and doneReturn let alone what ends by itself.
	interimReturn = design{await: orContainer, end: (*task).closeHost, vm: plain, newOnce: aOnce}
	doneReturn    = design{await: doneOrContainer, end: (*task).closeHost, vm: proposed, newOnce: aOnce}

	// leavesExecs leaves the other processes to the container.
	leavesExecs = design{await: orContainer, end: (*task).closeHost, vm: plain, newOnce: aOnce, leavesExecs: true}

	// hasty takes a container that was told to end for one that has.
	hasty = design{await: orContainer, end: (*task).closeHost, vm: plain, newOnce: aOnce, hasty: true}

	// leavesHost leaves the task's own host to others.
	leavesHost = design{await: orContainer, end: (*task).closeHost, vm: plain, newOnce: aOnce, leavesHost: true}

	// closed waits for the end of the task rather than of its container.
	closed = design{await: doneOrClosed, end: (*task).closeHost, vm: proposed, newOnce: aOnce}

	// hardened ends the task in the same order, whoever does it.
	hardened = design{await: doneOrClosed, end: closeAfterInit, vm: proposed, newOnce: aOnce}
)

func doneOrClosed(t *task) bool {
	return model.Select(t.host.Done().RecvCase(nil), t.closed.RecvCase(nil)) == 0
}

func closeAfterInit(t *task) {
	t.init.Wait()
	t.close()
}

// with is d on another utility VM.
func (d design) with(vm vmDesign) design {
	d.vm = vm
	return d
}

// guardedBy is d with something else in the place of a sync.Once.
func (d design) guardedBy(newOnce func(name string) once) design {
	d.newOnce = newOnce
	return d
}

func aOnce(name string) once { return model.Named(new(model.Once), name) }

// flag is a variable that says whether something was done.
type flag struct{ done model.Shared[bool] }

func aFlag(name string) once {
	f := new(flag)
	model.Named(&f.done, name)
	return f
}

func (f *flag) Do(fn func()) {
	if !f.done.Get() {
		f.done.Set(true)
		fn()
	}
}

// swap is a flag that only one can set. Unlike a sync.Once, it does not make others
// wait until the thing is done.
type swap struct{ done model.Bool }

func aSwap(name string) once {
	s := new(swap)
	model.Named(&s.done, name)
	return s
}

func (s *swap) Do(fn func()) {
	if !s.done.Swap(true) {
		fn()
	}
}
