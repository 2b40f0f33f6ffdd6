package report

import (
	"encoding/json"
	"fmt"
	"io"
)

// JSON writes the document, indented.
func (d *Doc) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}

// ReadDoc reads what JSON writes, or the same without the indentation. Fields that
// it does not know are left out.
func ReadDoc(data []byte) (*Doc, error) {
	d := new(Doc)
	if err := json.Unmarshal(data, d); err != nil {
		return nil, fmt.Errorf("want a report in JSON: %w", err)
	}
	return d, nil
}

// UnmarshalJSON implements [json.Unmarshaler]: it accepts only what can be shown.
func (d *Doc) UnmarshalJSON(data []byte) error {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	if head.Version != Version {
		return fmt.Errorf("want version %d, found version %d: use the modelcheck command of the version that wrote it", Version, head.Version)
	}
	type plain Doc // without this method
	if err := json.Unmarshal(data, (*plain)(d)); err != nil {
		return err
	}
	return d.check()
}

// check reports the first index that is out of its range and the first step that is out
// of order, so that nothing that shows the document has to.
func (d *Doc) check() error {
	var err error
	in := func(what string, i, n, from int) {
		if err == nil && (i < from || i >= n) {
			err = fmt.Errorf("%s is %d: want a number from %d to %d", what, i, from, n-1)
		}
	}
	gs, objects, steps := len(d.Goroutines), len(d.Objects), len(d.Steps)
	for _, f := range d.Findings {
		in("goroutine of a finding", f.Goroutine, gs, -1)
	}
	for _, g := range d.Goroutines {
		for _, w := range g.Waits {
			in("object of a wait", w.Object, objects, -1)
			for _, h := range append(append([]int(nil), w.Holders...), w.Helpers...) {
				in("goroutine of a wait", h, gs, 0)
			}
		}
	}
	number := 0
	for _, s := range d.Steps {
		if err == nil && s.Step < number {
			err = fmt.Errorf("the number of a step is %d: want at least %d, as steps are in order", s.Step, number)
		}
		number = s.Step
		in("goroutine of a step", s.Goroutine, gs, 0)
		in("object of a step", s.Object, objects, -1)
		in("partner of a step", s.Partner, gs, -1)
		in("sender of a step", s.From, steps, -1)
		in("child of a step", s.Child, gs, -1)
	}
	for _, h := range d.Locks {
		in("object of a lock", h.Object, objects, 0)
		in("goroutine of a lock", h.Goroutine, gs, 0)
		in("begin of a lock", h.From, steps, 0)
		in("end of a lock", h.To, steps, -1)
	}
	return err
}
