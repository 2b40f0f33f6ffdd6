package explore

import (
	"bufio"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Checkpoint saves the position of a complete search in a file from time to time, and
// when it runs out of time or runs, and goes on from there the next time. Nothing is
// explored twice and nothing counted twice, even if the process was killed; the runs
// that Schedules allows are those of all processes together. When the search comes to
// its end, or finds something, the file is removed.
//
// A file goes with one test, one set of options and one binary: a program that was
// changed since has another search. Anything else is refused. If file is a directory,
// or ends in a slash, each test has a file of its own below it. Two processes must not
// use the same file at the same time.
//
// Only strategies that can tell their position have one: the default of Exhaust, and
// brute.
func Checkpoint(file string) Option {
	return Option{func(s *settings) error {
		if file == "" {
			return errors.New(`explore.Checkpoint(""): wanted the name of a file`)
		}
		s.checkpoint, s.checkpointMust = file, true
		return nil
	}}
}

// checkpointEvery is the time between two checkpoints. It is longer when saving takes
// long.
var checkpointEvery = 10 * time.Second

// saveShare is how much longer exploring takes than saving, at least.
const saveShare = 50

const checkpointVersion = 1

// savable is a complete search that can tell its position, between two runs.
type savable interface {
	exhaustive
	save() position
	load(position)
}

// position is where a search is: that of one of the kinds.
type position struct {
	DPOR  *dporPosition
	Brute *brutePosition
}

// checkpoint is what the file holds. First comes its version, then this.
type checkpoint struct {
	Owner        owner
	Next         uint64 // the schedule to go on with
	Position     position
	CrossUnlocks bool // see sched.Engine.CrossUnlocks

	Schedules, Steps int
	Alive, Timed     bool
	Reached          []sched.Reach

	// Of expectations.
	Met       []bool
	Found     []Finding
	First     uint64 // index of the first schedule that met one
	FirstText string // and its text; "" for none
}

// owner is what a checkpoint belongs to.
type owner struct {
	Test, Name, Strategy string
	Steps                int
	Timers               TimerRule
	Expected             []string
	Binary               string // hash
}

// keeper keeps the checkpoint of one campaign.
type keeper struct {
	file  string
	owner owner
	cost  time.Duration // of the last save
}

// newKeeper returns the keeper that the settings ask for, nil for none.
func newKeeper(set *settings, test string) (*keeper, error) {
	if set.checkpoint == "" || set.replay != "" || set.tally != nil {
		return nil, nil
	}
	if _, ok := set.start(Setup{}).(savable); !ok {
		if !set.checkpointMust {
			return nil, nil
		}
		return nil, fmt.Errorf("explore.Checkpoint: strategy %s cannot save its position: wanted dpor or brute, as in explore.Exhaust", set.strategy)
	}
	binary, err := binaryHash()
	if err != nil {
		return nil, fmt.Errorf("explore.Checkpoint: cannot tell what program this is: %w", err)
	}
	k := &keeper{file: checkpointFile(set.checkpoint, test), owner: owner{
		Test: test, Name: set.name, Strategy: set.strategy, Steps: set.steps, Timers: set.timers, Binary: binary,
	}}
	for _, e := range set.expect {
		k.owner.Expected = append(k.owner.Expected, e.text)
	}
	return k, nil
}

// checkpointFile is the file for a test.
func checkpointFile(name, test string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(saveDir, name) + trailing(name)
	}
	if info, err := os.Stat(name); trailing(name) == "" && (err != nil || !info.IsDir()) {
		return name
	}
	if test == "" {
		test = "run"
	}
	return filepath.Join(name, escape(test)+".checkpoint")
}

// trailing returns the separator that a name ends in, if it does.
func trailing(name string) string {
	if n := len(name); n > 0 && os.IsPathSeparator(name[n-1]) {
		return string(filepath.Separator)
	}
	return ""
}

// binaryHash identifies the program, tests and all.
var binaryHash = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})

// exploreInParts explores like explore, from the checkpoint on if there is one, and
// saves the position between two parts.
func (c *campaign) exploreInParts(seed uint64, n int) {
	from, err := c.resume(seed)
	if err == nil {
		err = c.keeper.save(c, from) // better to know now that it does not work
	}
	if err != nil {
		c.err = err
		return
	}
	for from < uint64(n) && !c.over() {
		part := max(checkpointEvery, saveShare*c.keeper.cost)
		from = c.explorePart(newQuota(seed, from, uint64(n)), part)
		if cov, _ := c.coverage(); c.settled() || cov.Complete {
			os.Remove(c.keeper.file)
			return
		}
		if err := c.keeper.save(c, from); err != nil {
			fmt.Fprintf(os.Stderr, "explore: %v\n", err)
		}
	}
}

// save writes the position of a campaign whose workers are idle.
func (k *keeper) save(c *campaign, next uint64) error {
	s, ok := c.worker.strategy.(savable)
	if !ok {
		s = c.set.start(Setup{}).(savable) // nothing was run yet
	}
	began := time.Now()
	p := checkpoint{
		Owner: k.owner, Next: next, Position: s.save(), CrossUnlocks: c.worker.engine.CrossUnlocks(),
		Schedules: c.schedules, Steps: c.steps, Alive: c.alive, Timed: c.timed,
	}
	all := map[string]sched.Reach{}
	for name, r := range c.reached {
		all[name] = r
	}
	c.mergeReached(all)
	for _, r := range all {
		p.Reached = append(p.Reached, r)
	}
	if l := c.ledger; l != nil {
		p.Met, p.Found = l.met, l.found
		if l.first != nil {
			p.First, p.FirstText = l.first.index, l.first.schedule
		}
	}
	err := writeCheckpoint(k.file, &p)
	k.cost = time.Since(began)
	if err != nil {
		return fmt.Errorf("cannot save the position of the search: %w", err)
	}
	return nil
}

// writeCheckpoint replaces the file in one step: whoever reads it finds the old one or
// the new one. What a killed process has left half written is written over.
func writeCheckpoint(file string, p *checkpoint) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	f, err := os.Create(file + ".new")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	enc := gob.NewEncoder(w)
	err = errors.Join(enc.Encode(checkpointVersion), enc.Encode(p), w.Flush(), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// resume goes back to where the checkpoint is, and returns the next schedule.
func (c *campaign) resume(seed uint64) (uint64, error) {
	p, err := c.keeper.read()
	if err != nil || p == nil {
		return 0, err
	}
	w := c.worker
	s := c.set.start(Setup{Seed: seed, Steps: c.set.steps}).(savable)
	s.load(p.Position)
	w.strategy, w.seed = s, seed
	if p.CrossUnlocks {
		w.engine.ExpectCrossUnlocks()
	}
	c.counts = counts{p.Schedules, p.Steps, p.Alive, p.Timed}
	c.reached = map[string]sched.Reach{}
	for _, r := range p.Reached {
		c.reached[r.Name] = r
	}
	if c.ledger != nil {
		copy(c.ledger.met, p.Met)
		c.ledger.found = p.Found
		copy(w.ledger.met, p.Met)
		w.ledger.found = slices.Clone(p.Found)
		if p.FirstText != "" {
			c.follow(p.FirstText) // shows the same again, and becomes the ledger's first
			if c.ledger.first != nil {
				c.ledger.first.seed, c.ledger.first.index = seed, p.First
			}
		}
	}
	return p.Next, nil
}

// read returns what the file holds, nil if there is none.
func (k *keeper) read() (*checkpoint, error) {
	f, err := os.Open(k.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the checkpoint: %w", err)
	}
	defer f.Close()
	dec := gob.NewDecoder(bufio.NewReader(f))
	var version int
	var p checkpoint
	if err := dec.Decode(&version); err != nil {
		return nil, k.refuse("it is not a checkpoint, or is damaged (%v)", err)
	}
	if version != checkpointVersion {
		return nil, k.refuse("it has version %d, this version of modelcheck reads %d", version, checkpointVersion)
	}
	if err := dec.Decode(&p); err != nil {
		return nil, k.refuse("it is damaged (%v)", err)
	}
	for _, d := range []struct {
		what        string
		found, want any
	}{
		{"test", p.Owner.Test, k.owner.Test},
		{"variant", p.Owner.Name, k.owner.Name},
		{"strategy", p.Owner.Strategy, k.owner.Strategy},
		{"number of steps", p.Owner.Steps, k.owner.Steps},
		{"rule for timers", p.Owner.Timers, k.owner.Timers},
		{"list of expectations", fmt.Sprintf("%q", p.Owner.Expected), fmt.Sprintf("%q", k.owner.Expected)},
	} {
		if d.found != d.want {
			return nil, k.refuse("wanted the %s %v, found %v", d.what, d.want, d.found)
		}
	}
	if p.Owner.Binary != k.owner.Binary {
		return nil, k.refuse("the program or how it is built has changed since")
	}
	return &p, nil
}

func (k *keeper) refuse(format string, args ...any) error {
	return fmt.Errorf("checkpoint %s is of another search: "+format+"; delete it, or give the name of another file", append([]any{k.file}, args...)...)
}
