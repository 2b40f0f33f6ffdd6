package sched

// OpKind says what an operation does. A goroutine announces its next operation
// before the scheduler lets it happen, so every strategy sees what is pending.
type OpKind uint8

// The operations. Those that can wait are enabled only while they could finish;
// all others are always enabled.
const (
	OpNone OpKind = iota
	OpGo
	OpYield
	OpAwait // one look at the condition
	OpChoose
	OpSend
	OpRecv
	OpSelect
	OpTrySelect
	OpClose
	OpLen
	OpLock
	OpTryLock
	OpUnlock
	OpAnnounce // RWMutex.Lock, first half: keep new readers out
	OpAcquire  // RWMutex.Lock, second half: wait for the readers inside
	OpTryWLock
	OpWUnlock
	OpRLock
	OpTryRLock
	OpRUnlock
	OpAdd
	OpWait
	OpOnceEnter
	OpOnceExit
	OpCancel
	OpJoin   // derive a context from one, or leave it
	OpUnhold // the children are cancelled
	OpRead
	OpWrite
	OpTryWrite  // a write if the object is in the state for it, else a read
	OpCondEnter // Cond.Wait: take a place in the queue
	OpCondWait  // Cond.Wait: leave it
	OpSignal
	OpBroadcast
	OpArm
	OpDisarm
	OpFire // a timer's own
	OpNow
	OpSleep
	OpSleeping // an event of its own in Hasty runs only
)

// opNames are the words that reports use; they are part of a finding's key.
var opNames = [...]string{
	OpNone: "", OpGo: "go", OpYield: "yield", OpAwait: "await", OpChoose: "choose",
	OpSend: "send", OpRecv: "receive", OpSelect: "select", OpTrySelect: "try select",
	OpClose: "close", OpLen: "len",
	OpLock: "lock", OpTryLock: "try lock", OpUnlock: "unlock",
	OpAnnounce: "lock (announce)", OpAcquire: "lock", OpTryWLock: "try lock", OpWUnlock: "unlock",
	OpRLock: "rlock", OpTryRLock: "try rlock", OpRUnlock: "runlock",
	OpAdd: "add", OpWait: "wait", OpOnceEnter: "do", OpOnceExit: "done",
	OpCancel: "cancel", OpJoin: "join", OpUnhold: "cancelled", OpRead: "read", OpWrite: "write",
	OpTryWrite:  "compare and swap",
	OpCondEnter: "wait (queue)", OpCondWait: "wait", OpSignal: "signal", OpBroadcast: "broadcast",
	OpArm: "start timer", OpDisarm: "stop timer", OpFire: "fire", OpNow: "now", OpSleep: "sleep", OpSleeping: "sleep",
}

func (k OpKind) String() string { return opNames[k] }

// ObjectKind says what an object is.
type ObjectKind uint8

// The kinds of objects.
const (
	KindChan ObjectKind = iota
	KindContext
	KindMutex
	KindRWMutex
	KindWaitGroup
	KindOnce
	KindVariable
	KindCond
	KindTimer
	KindAtomic
	KindMap
	KindPool
)

var kindNames = [...]string{
	KindChan: "chan", KindContext: "context", KindMutex: "mutex", KindRWMutex: "rwmutex",
	KindWaitGroup: "waitgroup", KindOnce: "once", KindVariable: "variable",
	KindCond: "cond", KindTimer: "timer",
	KindAtomic: "atomic", KindMap: "map", KindPool: "pool",
}

func (k ObjectKind) String() string { return kindNames[k] }
