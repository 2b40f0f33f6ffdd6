package report_test

import "github.com/modelcheck-go/modelcheck/model"

func init() { scenarios["race"] = scenario{race, nil} }

// race has a lock that only one side takes.
func race() {
	mu := model.Named(new(model.Mutex), "mu")
	hits := model.Named(new(model.Shared[int]), "hits")
	model.GoNamed("worker", func() {
		mu.Lock()
		defer mu.Unlock()
		hits.Set(hits.Get() + 1)
	})
	model.Log("hits", hits.Get())
}
