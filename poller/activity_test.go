package poller

import (
	"database/sql"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// follower notes the activities of the loop, each as a line.
type follower struct {
	mu    sync.Mutex
	lines []string
}

func (f *follower) note(a Activity) {
	line := string(a.Code)
	switch a.Code {
	case Fetching:
		line += fmt.Sprintf(" %s %s", a.Feed, a.Why)
	case Probing, WaitsForInstant:
		line += " " + a.Feed
	case Replanned:
		line += fmt.Sprintf(" %q: %d of %d, %d a day", a.Occasion, a.Fetches, a.Feeds, a.Budget)
	case StoringFailed:
		line += fmt.Sprint(" ", a.Pause)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = append(f.lines, line)
}

// heard returns the lines since the last call, and fails unless lines with these beginnings
// are among them, in this order.
func (f *follower) heard(t *testing.T, beginnings ...string) (all []string) {
	t.Helper()
	f.mu.Lock()
	all, f.lines = f.lines, nil
	f.mu.Unlock()
	at := 0
	for _, s := range all {
		if at < len(beginnings) && strings.HasPrefix(s, beginnings[at]) {
			at++
		}
	}
	if at < len(beginnings) {
		t.Errorf("nothing like %q in its place among:\n%s", beginnings[at], strings.Join(all, "\n"))
	}
	return all
}

// countPrefix counts the lines with a beginning.
func countPrefix(all []string, beginning string) (n int) {
	for _, s := range all {
		if strings.HasPrefix(s, beginning) {
			n++
		}
	}
	return n
}

func TestFollowersHearWhatTheLoopDoes(t *testing.T) {
	w, c, feeds := wired(t, "a", "b")
	var f follower
	stop := w.OnActivity(f.note)
	w.turn()
	if all := f.heard(t, "waits-for-instant /"); len(all) != 1 {
		t.Errorf("a new follower hears %q", all)
	}
	// A follower hears once what the loop waits for, however often it looks.
	w.signals.fetchEnded()
	w.turn()
	if all := f.heard(t); len(all) != 0 {
		t.Errorf("and again %q", all)
	}
	w.live(12 * time.Hour)
	all := f.heard(t, "fetching /", "waits-for-instant /", "replanned \"\": ")
	if n := len(w.outcomes()); countPrefix(all, "fetching") != n || n < 3 {
		t.Errorf("%d fetches: %q", n, all)
	}
	w.clock.add(10 * time.Hour)
	w.turn()
	f.heard(t, "replanned \"catch-up\": ", "worth-now", "fetching /")
	w.Opened()
	w.turn()
	f.heard(t, "replanned \"top-up\": ")

	c.cut = true
	w.live(10 * time.Hour)
	all = f.heard(t, "network-gone", "waits-for-probe", "probing ", "fetching /")
	if n := countPrefix(all, "network-gone"); n != 1 {
		t.Errorf("gone %d times", n)
	}
	// A second feed has to fail like the first before the network is said to be gone: by the plan, or
	// by a probe when the plan asks for none soon. The phases of the feeds decide.
	probes, planned := countPrefix(all, "probing"), 0
	for _, line := range all {
		if strings.HasPrefix(line, "fetching") && !strings.HasSuffix(line, " probe") {
			planned++
		}
	}
	if probes != countPrefix(all, "fetching")-planned || probes < 10 || planned < 1 || planned > 2 {
		t.Errorf("%d probes, %d planned fetches: %q", probes, planned, all)
	}
	c.cut = false
	w.live(time.Hour)
	f.heard(t, "network-back", "waits-for-instant /")

	w.setBudget("0")
	w.settled()
	f.heard(t, "replanned \"\": 0 of 2, 0 a day", "waits-for-plan")
	w.setBudget(Balanced)
	w.settled()
	f.heard(t, "waits-for-instant ")

	stop()
	w.byHand(feeds[0].ID)
	w.live(day)
	if all := f.heard(t); len(all) != 0 {
		t.Errorf("after leaving: %q", all)
	}
}

func TestFollowersHearThatTheSystemReportsNoNetwork(t *testing.T) {
	w, _, _ := wired(t, "a", "b")
	var f follower
	w.OnActivity(f.note)
	w.SetPowerState(PowerState{NoNetwork: true})
	w.live(10 * time.Hour)
	all := f.heard(t, "unplugged", "waits-for-system")
	if n := countPrefix(all, "unplugged") + countPrefix(all, "waits-for-system"); n != 2 {
		t.Errorf("%q", all)
	}
	w.SetPowerState(PowerState{})
	w.settled()
	f.heard(t, "probing /", "fetching /", "network-back", "waits-for-instant /")
}

func TestFollowersHearThatSavingHasEnded(t *testing.T) {
	slowWithRace(t)
	w := saverWorld(t)
	w.SetPowerState(PowerState{Battery: true})
	w.live(5 * time.Hour)
	var f follower
	w.OnActivity(f.note)
	w.SetPowerState(PowerState{})
	w.live(time.Hour)
	if all := f.heard(t, "waits-for-ramp", "waits-for-instant /"); countPrefix(all, "waits-for-budget") != 0 {
		t.Errorf("%q", all)
	}
}

func TestFollowersHearThatTheBudgetIsSpent(t *testing.T) {
	w, f := one(t)
	w.live(3 * time.Hour)
	w.clock.add(time.Hour)
	w.settled()
	w.outcomes()
	w.exec("UPDATE poll SET tried = tried - 7200")
	w.exec("REPLACE INTO bucket VALUES (0, 1, 0, ?)", w.clock.Now().UnixMilli())
	next := w.instants()[0]
	next.At = w.clock.Now()
	w.write(func(tx *sql.Tx) error { return putInstants(t.Context(), tx, f.ID, []Instant{next}) })
	var heard follower
	w.OnActivity(heard.note)
	w.turn()
	if all := heard.heard(t, "waits-for-budget"); len(w.outcomes()) != 0 {
		t.Errorf("feed %d was fetched: %q", f.ID, all)
	}
}

func TestFollowersHearOfStoreFailures(t *testing.T) {
	w, f := one(t)
	var heard follower
	w.OnActivity(heard.note)
	w.exec("CREATE TRIGGER full BEFORE INSERT ON ledger BEGIN SELECT raise(FAIL, 'full'); END")
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) { http.NotFound(out, nil) })
	w.clock.add(time.Hour)
	w.byHand(f.ID)
	heard.heard(t, "fetching /a manual", "storing-failed 10m0s")
}
