// Package explore runs a concurrent program under many schedules and reports the
// first that shows something wrong: a goroutine blocked for ever, a lock left
// held, a panic, a broken assertion.
//
// The program is an ordinary function that uses package model in place of
// channels, package sync and go statements:
//
//	func TestServe(t *testing.T) {
//		explore.Check(t, func() {
//			jobs := model.NewChan[int](0)
//			model.Go(func() { jobs.Send(1) })
//			jobs.Recv()
//		})
//	}
//
// [Check] belongs in tests, [Run] does the same without one, [Replay] runs a
// single schedule again.
//
// # Schedules
//
// Under control one goroutine runs at a time. Whenever more than one thing could
// happen next (another goroutine goes on, another case of a select is taken,
// another receiver gets the value, model.Choose returns another number) something
// has to decide. The list of these decisions is a schedule, and it settles
// everything: the same program under the same schedule does the same.
//
// A schedule is written as text, mc1:..., that lists where it leaves the default
// policy: the goroutine that has just run goes on, and when it cannot, the first
// that can. So a short text is a simple schedule, and one stays valid when the
// program changes a little. One that does not fit any more says where it stops
// fitting, see [StaleError].
//
// # Properties
//
// [Property] draws the workload with rapid: how many goroutines, which messages, what
// fails. A failure comes with the smallest workload, and for that the simplest
// schedule. [MakeFuzz] lets go test -fuzz choose both.
//
// # Strategies and seeds
//
// A [Strategy] decides. The samplers draw each decision at random: [Random]
// uniformly, [PCT], [POS], [URW] and [SURW] so that orders become likely that a
// uniform choice hardly ever makes. By default several take turns, once single
// decisions of the first schedule were tried the other way. All randomness comes
// from a seed, and schedule i of a seed can be made without the ones before it: seed
// and i, which every report has, name a schedule as well as its text does, as long as
// neither the program nor the strategy changes.
//
// # Findings
//
// A run ends when nothing can happen any more; that main returns ends nothing.
// Goroutines that have not returned by then are blocked for ever, unless they
// were started with model.Daemon, and locks that are not free are held for ever.
// Both are exact: under that schedule the program hangs; nothing is guessed from
// time. What is wrong is a [Finding]; it names goroutine, operation, object,
// places in the source, and who could have helped. Every
// failing schedule is run a second time, to record details and to make sure that
// the schedule alone decides; if not, that is the finding.
//
// Schedules are explored by one worker per processor, see [Workers]. So several runs
// of the program go on at the same time, each with a scheduler of its own, and the
// program must make everything that it uses anew in each: a variable outside of it
// would be shared, and the race detector is right to complain.
//
// A data race on a model.Shared variable is a finding too: two accesses by different
// goroutines, at least one a write, that nothing orders, in the sense of the Go memory
// model. It does not end the run. Each run reports one race a variable, and no race is
// missed or made up: a run has one on a variable if and only if one is reported. See
// [IgnoreRaces] for programs in which races are meant.
//
// # Simple schedules
//
// A failing schedule is made as simple as possible before it is shown and saved: it
// shows the same findings at the same places with as few preemptions as can be found,
// then with as few departures from the default policy, then in as few steps. Every
// schedule on the way there is run. If all schedules with fewer preemptions could be
// run too, or all trace classes, the report calls it minimal, else it says "at most";
// how many runs all that may take is for [Minimize] to say, and what it took is in
// [Minimal]. Seed and index of a report name the schedule that was found.
//
// [Smallest] looks for the smallest size of a program at which it fails.
//
// # What a pass means
//
// That none of the schedules tried shows anything. It is no proof: there are
// nearly always more schedules than were tried, and how likely the next one is to
// fail is bounded by about 3/n with 95 % confidence after n that did not. That is
// for schedules as the strategy draws them, not as they happen in production. A
// report says when there was nothing left to try.
//
// A program that is known to be wrong can be tested too, so that it is known how
// it is wrong: see [Expect].
//
// # Environment
//
// Environment variables override options, for all checks of a test run:
//
//	MODELCHECK_SEED       seed of all schedules, nothing is drawn
//	MODELCHECK_SCHEDULES  how many schedules to try, -short notwithstanding
//	MODELCHECK_STRATEGY   random, pct1 to pct99, pos, urw, surw, directed, portfolio,
//	                      preempt0 to preempt99, delay0 to delay99
//	MODELCHECK_WORKERS    how many schedules to explore at the same time
//	MODELCHECK_STEPS      how many steps a schedule may take
//	MODELCHECK_TIMERS     when timeouts may fire: anytime, quiescence, hasty or either,
//	                      see [Timers]
//	MODELCHECK_RACES      report or ignore: whether data races are findings, see [IgnoreRaces]
//	MODELCHECK_WATCHDOG   how long one schedule may stand still, such as 10s
//	MODELCHECK_REPLAY     a schedule, or a .schedule file: run it and nothing else
//	MODELCHECK_WORKLOAD   the workload for a replay of a Property, from its report
//	MODELCHECK_MINIMIZE   how many runs may be spent on making a failing schedule simpler,
//	                      0 for none; given with MODELCHECK_REPLAY, also on that one
//	MODELCHECK_PROVE      1: explore large trials of Compare as they say
//	MODELCHECK_EVENTS     a file that gets one line of JSON per Check
//	MODELCHECK_CHECKPOINT a file or directory where Exhaust keeps its position, see Checkpoint
//	MODELCHECK_STATS      1: statistics, see Stats
//	MODELCHECK_NOSAVE     1: do not save failing schedules
//	MODELCHECK_ISOLATE    1: Check makes every run in a process of its own
//	MODELCHECK_WIDTH      how many columns reports have, 100 by default
package explore
