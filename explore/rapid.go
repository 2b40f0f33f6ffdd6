package explore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What rapid draws a case from is a list of numbers of 64 bits. A fail file has it,
// and rapid's targets for go test -fuzz take it as bytes: so a workload can be drawn
// again without rapid's flags, which are the user's.

// redraw draws the workload that belongs to the numbers again, in a subtest, and
// calls use with the function that the property returns for it.
func (p *property) redraw(drawn []uint64, use func(body func())) error {
	parent, ok := p.tb.TB.(interface {
		Run(name string, f func(*testing.T)) bool
	})
	if !ok {
		return fmt.Errorf("only a *testing.T can draw a workload again, this is a %T", p.tb.TB)
	}
	var input []byte
	for _, w := range drawn {
		input = binary.LittleEndian.AppendUint64(input, w)
	}
	began, redrawn := false, false
	parent.Run("workload", func(t *testing.T) {
		began = true
		rapid.MakeFuzz(func(rt *rapid.T) {
			body := p.prop(rt)
			if redrawn = body != nil && !rt.Failed(); redrawn {
				use(body)
			}
		})(t, input)
	})
	switch {
	case !began:
		return errors.New("-run leaves out the subtest \"workload\", which would draw it again")
	case !redrawn:
		return errors.New("its workload cannot be drawn any more: the property draws something else now")
	}
	return nil
}

// drawnText writes numbers that rapid draws from as one word.
func drawnText(drawn []uint64) string {
	parts := make([]string, len(drawn))
	for i, w := range drawn {
		parts[i] = strconv.FormatUint(w, 16)
	}
	return strings.Join(parts, ",")
}

func parseDrawn(text string) ([]uint64, error) {
	var drawn []uint64
	for _, part := range strings.Split(text, ",") {
		w, err := strconv.ParseUint(part, 16, 64)
		if err != nil {
			return nil, fmt.Errorf("workload: wanted hexadecimal numbers with commas between them, found %q", excerpt(text))
		}
		drawn = append(drawn, w)
	}
	return drawn, nil
}
