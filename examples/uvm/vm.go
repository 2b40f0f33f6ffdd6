package uvm

import "github.com/modelcheck-go/modelcheck/model"

// utilityVM is a UtilityVM: the program's side of a virtual machine.
type utilityVM struct {
	design  vmDesign
	env     environment
	machine *machine

	waitBlock model.Chan[struct{}] // of hcsSystem: closed when HCS says that the machine is gone
	closing   model.Bool           // Close was called; for I3

	// output is outputProcessingDone: closed when all that the machine wrote is in
	// the log. It is nil if nobody wants it there.
	output    model.Chan[struct{}]
	listening bool // outputListener is not nil: nobody else will close output
	started   bool

	// The review's channels: exitCh is closed when the machine is gone, waitCh when
	// all its output is in the log too.
	exitCh model.Chan[struct{}]
	waitCh model.Shared[model.Chan[struct{}]]
}

// vmDesign is one way to wait for a utility VM.
type vmDesign struct {
	wait       func(*utilityVM)                // Wait
	background func(*utilityVM, model.Context) // what Start leaves running, if anything
	lateWaitCh bool                            // waitCh is made by Start

	// relayEnds is what the goroutine that relays output to the log does last.
	relayEnds func(*utilityVM)
	// closesUnstarted: Close does what Start would have left to others.
	closesUnstarted bool
	// keepsListener: Start leaves the listener open, so that the guest's logger can
	// connect again, and Close closes output.
	keepsListener bool
}

func newUtilityVM(d vmDesign, env environment) *utilityVM {
	vm := &utilityVM{design: d, env: env, machine: newMachine(env), waitBlock: newDone("uvm.waitBlock"), exitCh: newDone("exitCh")}
	model.Named(&vm.closing, "closing")
	if env.output != unwanted {
		vm.output = newDone("outputProcessingDone")
		vm.listening = true
	}
	if model.Named(&vm.waitCh, "uvm.waitCh"); !d.lateWaitCh {
		vm.waitCh.Set(newDone("waitCh"))
	}
	model.Daemon("hcs", func() {
		vm.machine.off.Recv()
		vm.waitBlock.Close()
	})
	return vm
}

// Start boots the machine. From then on its output is relayed until the connection
// ends, which it does when the machine is off.
func (vm *utilityVM) Start(ctx model.Context) {
	vm.started = true
	if vm.design.lateWaitCh {
		vm.waitCh.Set(newDone("waitCh"))
	}
	if vm.env.output != unwanted {
		vm.listening = vm.design.keepsListener
		model.Daemon("connection", func() {
			vm.machine.off.Recv()
			if vm.env.output != hangs {
				model.GoNamed("relay", vm.relayRest)
			}
		})
	}
	if vm.design.background != nil {
		model.Daemon("background", func() { vm.design.background(vm, ctx) })
	}
}

func (vm *utilityVM) relayRest() {
	vm.machine.logged.Store(true)
	vm.design.relayEnds(vm)
}

// Wait waits until the machine is gone and its output is in the log.
func (vm *utilityVM) Wait() { vm.design.wait(vm) }

// Done is closed when Wait would return.
func (vm *utilityVM) Done() model.Chan[struct{}] { return vm.waitCh.Get() }

// Close turns the machine off and waits until it is.
func (vm *utilityVM) Close() {
	vm.closing.Store(true)
	vm.machine.Terminate()
	vm.waitBlock.Recv()
	if vm.listening {
		vm.output.Close()
		vm.listening = false
	}
	if vm.design.closesUnstarted && !vm.started {
		vm.exitCh.Close()
		vm.Done().Close()
	}
	vm.Wait()
}

func (vm *utilityVM) waitForOutput() {
	if vm.env.output != unwanted {
		vm.output.Recv()
	}
}

// plain is how a UtilityVM waits now: whoever waits looks at both channels.
var plain = vmDesign{wait: waitForBoth, relayEnds: closeOutput}

func waitForBoth(vm *utilityVM) {
	vm.waitBlock.Recv()
	vm.waitForOutput()
}

func closeOutput(vm *utilityVM) { vm.output.Close() }

// proposed is what the review proposes: a goroutine of Start looks at both, and
// closes a channel that others can select on.
var proposed = vmDesign{wait: waitForDone, background: closeBoth, relayEnds: closeOutput}

func waitForDone(vm *utilityVM) { vm.Done().Recv() }

// closeBoth ignores the context, as the proposal does with context.WithoutCancel.
func closeBoth(vm *utilityVM, _ model.Context) {
	vm.waitBlock.Recv()
	vm.exitCh.Close()
	vm.waitForOutput()
	vm.Done().Close()
}

// Every other design differs from these two in one thing.
var (
	// lateChannel makes waitCh where the goroutine that closes it starts.
	lateChannel = vmDesign{wait: waitForDone, background: closeBoth, relayEnds: closeOutput, lateWaitCh: true}

	// callersContext lets the goroutine give up when the caller of Start does.
	callersContext = vmDesign{wait: waitForDone, background: closeBothOrGiveUp, relayEnds: closeOutput}

	// closesUnstarted closes the channels of a machine that was never started.
	closesUnstarted = vmDesign{wait: waitForDone, background: closeBoth, relayEnds: closeOutput, closesUnstarted: true}

	// outputLast closes waitCh before it looks at the output.
	outputLast = vmDesign{wait: waitForDone, background: closeBothEarly, relayEnds: closeOutput}

	// reconnecting is what is done for Windows guests since pull request #2524: the
	// relay waits for a value from output before it closes it.
	reconnecting = vmDesign{wait: waitForBoth, relayEnds: receiveOutput, keepsListener: true}
)

func closeBothOrGiveUp(vm *utilityVM, ctx model.Context) {
	model.Select(vm.waitBlock.RecvCase(nil), ctx.Done().RecvCase(nil))
	vm.exitCh.Close()
	vm.waitForOutput()
	vm.Done().Close()
}

func closeBothEarly(vm *utilityVM, _ model.Context) {
	vm.waitBlock.Recv()
	vm.exitCh.Close()
	vm.Done().Close()
	vm.waitForOutput()
}

func receiveOutput(vm *utilityVM) {
	if _, more := vm.output.RecvOK(); more {
		vm.output.Close()
	}
}

// alone returns the body that explores a utility VM without tasks.
func (d vmDesign) alone(env environment) func() {
	return func() {
		vm := newUtilityVM(d, env)
		c := newClients(vm)
		c.require()
		if env.early {
			model.GoNamed("waiter", c.wait)
		}
		if !env.unstarted {
			vm.Start(callerContext(env))
		}
		if !env.early {
			model.GoNamed("waiter", c.wait)
		}
		if d.background != nil {
			model.GoNamed("observer", c.observe)
		}
		if env.closes {
			model.GoNamed("closer", vm.Close)
		}
	}
}
