package lang

import (
	"reflect"
	"unsafe"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// Case is one case of a select statement.
type Case interface {
	// controlled is the case under control.
	controlled() model.Case
	// real is the case on the real channel, and took what to do when it went.
	real() (reflect.SelectCase, unsafe.Pointer)
	took(v reflect.Value, ok bool)
}

// From is a case that receives. Once it went V is the value and OK whether the
// channel was open.
type From[T any] struct {
	V  T
	OK bool

	c <-chan T
	e *ends[T]
}

// FromCase is the case that receives from c.
func FromCase[T any](c <-chan T) *From[T] {
	return &From[T]{c: c, e: find[T](sched.Current(), pointer(c))}
}

func (f *From[T]) controlled() model.Case { return f.e.out.RecvOKCase(&f.V, &f.OK) }

func (f *From[T]) real() (reflect.SelectCase, unsafe.Pointer) {
	f.e.refuseForeign()
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(f.c)}, pointer(f.c)
}

func (f *From[T]) took(v reflect.Value, ok bool) {
	reflect.ValueOf(&f.V).Elem().Set(v)
	f.OK = ok
}

// Sent is a case that sends.
type Sent[T any] struct {
	Sending[T]
	v T
}

// ToCase is the channel of a case that sends to c, and Val the value.
func ToCase[T any](c chan<- T) Sending[T] { return To(c) }

// Val makes the case that sends v; see Send.
func (s Sending[T]) Val(v T) *Sent[T] { return &Sent[T]{s, v} }

func (s *Sent[T]) controlled() model.Case { return s.e.in.SendCase(s.v) }

func (s *Sent[T]) real() (reflect.SelectCase, unsafe.Pointer) {
	s.e.refuseForeign()
	return reflect.SelectCase{
		Dir: reflect.SelectSend, Chan: reflect.ValueOf(s.c), Send: reflect.ValueOf(&s.v).Elem(),
	}, pointer(s.c)
}

func (s *Sent[T]) took(reflect.Value, bool) {}

// refuseForeign ends the calling goroutine, which is not modelled, when e belongs to
// a controlled run.
func (e *ends[T]) refuseForeign() {
	if e != nil {
		e.out.Len()
		e.in.Len()
	}
}

// Select is the select statement: it returns the index of the case that went, -1 for
// the default.
func Select(hasDefault bool, cases ...Case) int {
	if sched.Current() == nil {
		return realSelect(hasDefault, cases)
	}
	list := make([]model.Case, len(cases))
	for i, c := range cases {
		list[i] = c.controlled()
	}
	if hasDefault {
		return model.TrySelect(list...)
	}
	return model.Select(list...)
}

func realSelect(hasDefault bool, cases []Case) int {
	list := make([]reflect.SelectCase, len(cases), len(cases)+1)
	for i, c := range cases {
		var p unsafe.Pointer
		list[i], p = c.real()
		defer use(p)()
	}
	if hasDefault {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	i, v, ok := reflect.Select(list)
	if i == len(cases) {
		return -1
	}
	cases[i].took(v, ok)
	return i
}
