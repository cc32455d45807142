package poller

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// followed notes what the loop says it does.
type followed struct {
	mu   sync.Mutex
	said []string
}

func (f *followed) note(d Activity) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, d.Said)
}

// heard takes what was said since the last time, and fails if something is missing.
func (f *followed) heard(t *testing.T, beginnings ...string) (all []string) {
	t.Helper()
	f.mu.Lock()
	all, f.said = f.said, nil
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

// howMany have this beginning.
func howMany(all []string, beginning string) (n int) {
	for _, s := range all {
		if strings.HasPrefix(s, beginning) {
			n++
		}
	}
	return n
}

func TestFollowingTheLoop(t *testing.T) {
	w, c, feeds := wired(t, "a", "b")
	var f followed
	stop := w.OnActivity(f.note)
	w.turn()
	if all := f.heard(t, "next: /"); len(all) != 1 {
		t.Errorf("who joins hears %q", all)
	}
	// What is waited for is said once, however often the loop looks.
	w.signals.fetchEnded()
	w.turn()
	if all := f.heard(t); len(all) != 0 {
		t.Errorf("and again %q", all)
	}
	w.live(12 * time.Hour)
	all := f.heard(t, "fetching /", "next: /", "planned the coming 48 hours anew: ")
	if n := len(w.outcomes()); howMany(all, "fetching") != n || n < 3 {
		t.Errorf("%d fetches: %q", n, all)
	}
	w.clock.add(10 * time.Hour)
	w.turn()
	f.heard(t, "planned the coming 48 hours anew, as fetches were missed: ", "worth a fetch right now: ", "fetching /")
	w.Opened()
	w.turn()
	f.heard(t, "planned the coming 48 hours anew, as you opened Kairos: ")

	c.cut = true
	w.live(10 * time.Hour)
	all = f.heard(t, "the network is gone (", "offline: the next probe is at ", "probing with ", "fetching /")
	if n := howMany(all, "the network is gone"); n != 1 {
		t.Errorf("gone %d times", n)
	}
	if probes := howMany(all, "probing"); probes != howMany(all, "fetching")-1 || probes < 10 {
		t.Errorf("%d probes: %q", probes, all)
	}
	c.cut = false
	w.live(time.Hour)
	f.heard(t, "the network is back", "next: /")

	w.setBudget("0")
	w.settled()
	f.heard(t, "planned the coming 48 hours anew: 0 fetches of 2 feeds, 0 a day", "nothing is planned")
	w.setBudget(Balanced)
	w.settled()
	f.heard(t, "next: ")

	stop()
	w.byHand(feeds[0].ID)
	w.live(day)
	if all := f.heard(t); len(all) != 0 {
		t.Errorf("after leaving: %q", all)
	}
}

func TestFollowersHearOfTheSystemsWord(t *testing.T) {
	w, _, _ := wired(t, "a", "b")
	var f followed
	w.OnActivity(f.note)
	w.SetPowerState(PowerState{NoNetwork: true})
	w.live(10 * time.Hour)
	all := f.heard(t, "the network is gone (the system says so)", "offline: waiting for the system")
	if n := howMany(all, "the network is gone") + howMany(all, "offline"); n != 2 {
		t.Errorf("%q", all)
	}
	w.SetPowerState(PowerState{})
	w.settled()
	f.heard(t, "probing with ", "fetching /", "the network is back", "next: /")
}

func TestFollowersHearThatSavingHasEnded(t *testing.T) {
	w := saverWorld(t)
	w.SetPowerState(PowerState{Battery: true})
	w.live(5 * time.Hour)
	var f followed
	w.OnActivity(f.note)
	w.SetPowerState(PowerState{})
	w.live(time.Hour)
	if all := f.heard(t, "saving has ended", "next: /"); howMany(all, "the budget is spent") != 0 {
		t.Errorf("%q", all)
	}
}

func TestFollowersHearOfASpentBudget(t *testing.T) {
	w, f := one(t)
	w.live(3 * time.Hour)
	w.clock.add(time.Hour)
	w.settled()
	w.outcomes()
	w.exec("UPDATE poll SET tried = tried - 7200")
	w.exec("REPLACE INTO bucket VALUES (1, 1, 0, ?)", w.clock.Now().UnixMilli())
	w.exec("UPDATE instant SET at = ? WHERE at = (SELECT min(at) FROM instant)", w.clock.Now().Unix())
	var heard followed
	w.OnActivity(heard.note)
	w.turn()
	if all := heard.heard(t, "the budget is spent: what is due waits until "); len(w.outcomes()) != 0 {
		t.Errorf("feed %d was fetched: %q", f.ID, all)
	}
}

func TestFollowersHearOfWhatCannotBeStored(t *testing.T) {
	w, f := one(t)
	var heard followed
	w.OnActivity(heard.note)
	w.exec("CREATE TRIGGER full BEFORE INSERT ON ledger BEGIN SELECT raise(FAIL, 'full'); END")
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) { http.NotFound(out, nil) })
	w.clock.add(time.Hour)
	w.byHand(f.ID)
	heard.heard(t, "fetching /a (by hand)", "what came could not be stored: nothing more is fetched for 10 min")
}
