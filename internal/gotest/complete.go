package gotest

// RequireComplete turns every check that passed without having explored everything into
// an incomplete one.
func RequireComplete(results []Result) {
	for i := range results {
		r := &results[i]
		for k := range r.Events {
			e := &r.Events[k]
			if e.Verdict != Pass || e.Complete {
				continue
			}
			e.Verdict = Incomplete
			e.Message = "this proves nothing, and a proof is required (explore.Exhaust gives one): " + e.Message
			r.Problems = append(r.Problems, Problem{Partial: true, Test: e.Test, What: e.Message})
		}
	}
}
