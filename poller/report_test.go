package poller

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/poller/fetch"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/reader/parse"
)

func (w *world) report(feed int64) Report {
	w.t.Helper()
	r, err := w.Report(w.t.Context(), feed)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// What is said of one feed alone is said of it among all, and adds up to what was told.
func TestReport(t *testing.T) {
	w, f := one(t)
	w.web.posting("/b", 7*time.Hour)
	other := w.subscribePaths("/b")[0]
	w.live(5 * day)
	w.byHand(f.ID)
	r := w.report(f.ID)
	told, fresh := 0, 0
	for _, o := range w.outcomes() {
		if o.Feed == f.ID {
			told++
			fresh += o.New
		}
	}
	m := r.Month
	if m.Fetches != told+1 || m.Articles != fresh+15 || m.Fetches != m.Fresh+m.Unchanged || m.Faults+m.NotAsked != 0 || m.Bytes == 0 {
		t.Errorf("told of %d fetches and %d articles, summed %+v", told+1, fresh+15, m)
	}
	if m.ByReason[First] != 1 || m.ByReason[Manual] != 1 || m.ByReason[Planned] < 5 {
		t.Errorf("by reason: %v", m.ByReason)
	}
	if r.Last.Reason != Manual {
		t.Errorf("last: %+v", r.Last)
	}
	if next := When(r.Next.At, r.At) + ": "; !strings.HasPrefix(r.NextFetch, next) || !strings.Contains(r.NextFetch, Words(r.Next.Reason, time.UTC)) || !r.Next.At.After(r.At) {
		t.Errorf("next: %q, planned %+v", r.NextFetch, r.Next)
	}
	if r.Trouble != nil || r.Push != nil || r.Moving != "" || len(r.Asks) > 0 || r.Share.Fetches < 1 || r.Share.Delay <= 0 {
		t.Errorf("%+v", r)
	}
	var sum Sum
	for i, d := range r.Days {
		if i > 0 && !d.Date.Equal(r.Days[i-1].Date.AddDate(0, 0, 1)) {
			t.Errorf("%s comes after %s", d.Date, r.Days[i-1].Date)
		}
		if d.Fetches != len(d.Lines) {
			t.Errorf("%s: %d fetches, %d lines", d.Date, d.Fetches, len(d.Lines))
		}
		for _, o := range d.Lines {
			sum.line(o)
		}
	}
	if len(r.Days) != LedgerDays || !r.Days[LedgerDays-1].Date.Equal(w.clock.Now().Truncate(day)) {
		t.Errorf("%d days, the last is %s", len(r.Days), r.Days[len(r.Days)-1].Date)
	}
	if d := cmp.Diff(m, sum); d != "" {
		t.Errorf("the days do not add up to the month: %s", d)
	}

	all, err := w.Reports(t.Context())
	if err != nil || len(all) != 2 || all[1].Feed.ID != other.ID {
		t.Fatal(all, err)
	}
	r.Days, all[0].Feed.Unread = nil, 0
	if d := cmp.Diff(r, all[0], cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
		t.Errorf("alone and among others: %s", d)
	}
	if _, err := w.Report(t.Context(), 99); !errors.Is(err, reader.ErrUnknown) {
		t.Errorf("of no feed: %v", err)
	}
}

func TestWhyThereIsNoNextFetch(t *testing.T) {
	w, f := one(t)
	says := func(want string) {
		t.Helper()
		if got := w.report(f.ID).NextFetch; !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	w.setBudget("0")
	w.settled()
	w.exec("DELETE FROM instant")
	says("fetching is paused")
	w.setBudget(Balanced)
	w.settled()
	w.exec("DELETE FROM instant")
	says("every 3 h")
	w.exec("DELETE FROM cycle")
	says("budget does not reach")
	f.Paused = true
	w.update(f)
	says("the feed is paused")
	f.Paused = false
	w.update(f)
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusGone) })
	w.clock.add(time.Hour)
	w.byHand(f.ID)
	says("gone for good")
	fresh := w.subscribe(reader.Feed{URL: w.web.address("/new")})
	if r := w.report(fresh.ID); !r.Last.At.IsZero() || !strings.HasPrefix(r.NextFetch, "At once") {
		t.Errorf("%+v, %q", r.Last, r.NextFetch)
	}
}

// Every kind of fault has its message, its advice and something to do, and is stored by a
// name of its own.
func TestTroubleSaysWhatToDo(t *testing.T) {
	tests := []struct {
		status int
		body   string
		fault  string
		first  Action
		advice Advice
	}{
		{401, "", "auth", EnterLogin, AdviceLogin},
		{403, "", "forbidden", OpenPage, AdviceForbidden},
		{404, "", "missing", FindAddress, AdviceMissing},
		{410, "", "gone", FindAddress, AdviceGone},
		{451, "", "client", OpenPage, AdviceRefusal},
		{429, "", "busy", OpenPage, AdviceBusy},
		{500, "", "server", TryNow, AdviceServer},
		{-1, "", "reset", TryNow, AdviceReset},
		{200, "<!doctype html><html><body>Hello", "page", OpenPage, AdvicePage},
		{200, "Hello", "not a feed", FindAddress, AdviceOther},
		{200, "", "broken", TryNow, AdviceBroken},
		{302, "", "redirect loop", OpenPage, AdviceRedirectLoop},
	}
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			w, f := one(t)
			w.web.on("/a", func(out http.ResponseWriter, r *http.Request) {
				switch tt.status {
				case -1:
					panic(http.ErrAbortHandler)
				case 302:
					http.Redirect(out, r, "/a", http.StatusFound)
				default:
					out.WriteHeader(tt.status)
					fmt.Fprint(out, tt.body)
				}
			})
			w.clock.add(time.Hour)
			w.byHand(f.ID)
			r := w.report(f.ID)
			if r.Trouble == nil {
				t.Fatal("nothing is wrong")
			}
			if got := w.stateOf(f.ID).Fault; got != tt.fault {
				t.Errorf("fault %q, want %q", got, tt.fault)
			}
			if a := r.Trouble; a.Advice != tt.advice || a.Actions[0] != tt.first || a.Actions[len(a.Actions)-1] != Unsubscribe || a.Message.IsZero() {
				t.Errorf("%+v", a)
			}
			if diff := cmp.Diff(r.Trouble.Message, r.Last.Message); diff != "" {
				t.Errorf("the ledger: %s", diff)
			}
			if tt.status == 410 != r.Trouble.Attention {
				t.Errorf("attention: %+v", r.Trouble)
			}
			w.web.posting("/a", time.Hour)
			w.clock.add(2 * day)
			if w.byHand(f.ID); w.report(f.ID).Trouble != nil || w.stateOf(f.ID).Fault != "" {
				t.Errorf("well again: %+v", w.report(f.ID).Trouble)
			}
		})
	}
}

// Faults that a server on loopback cannot bring about have advice, too; so has one
// that another version has stored.
func TestEveryFaultHasAdvice(t *testing.T) {
	nobodys := []fetch.Code{fetch.Offline, fetch.Protocol, fetch.Waiting, fetch.Cancelled, fetch.Unwritable} // or nothing is known of it
	for _, c := range fetch.Codes() {
		if slices.Contains(nobodys, c) {
			continue
		}
		if fault := faultOf(&fetch.Error{Code: c}); fault != string(c) || adviceOf[fault] == "" {
			t.Errorf("%s has none", c)
		}
	}
	for _, a := range AdviceCodes() {
		if len(actions[a]) == 0 || slices.Contains(actions[a], Unsubscribe) {
			t.Errorf("%s: %v", a, actions[a])
		}
	}
	for _, a := range adviceOf {
		if !slices.Contains(AdviceCodes(), a) {
			t.Errorf("%s is not listed", a)
		}
	}
	if faultOf(fmt.Errorf("read it: %w", parse.ErrEmpty)) != faultBroken || faultOf(errors.New("no keyring")) != "" {
		t.Error("kinds of faults")
	}
	http, login, file := reader.Feed{URL: "http://a.test/"}, reader.Feed{URL: "http://a.test/", Login: true}, reader.Feed{URL: "file:///a"}
	for _, c := range []struct {
		feed  reader.Feed
		fault string
		want  Advice
	}{
		{http, "", AdviceWait}, {login, "", AdviceKeyring}, {http, "auth", AdviceLogin}, {login, "auth", AdviceNewLogin},
		{file, "", AdviceFile}, {file, faultPage, AdviceFileContent}, {http, "of a later version", AdviceWait},
	} {
		if got := adviceFor(c.feed, c.fault); got != c.want {
			t.Errorf("%s, fault %q: %s, want %s", c.feed.URL, c.fault, got, c.want)
		}
	}
}

// Thirty days of faults call for attention; a feed never leaves the list by itself.
func TestThirtyDaysOfFaults(t *testing.T) {
	slowWithRace(t)
	w, f := one(t)
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) { http.NotFound(out, nil) })
	w.live(30*day - time.Hour)
	if a := w.report(f.ID).Trouble; a == nil || a.Attention {
		t.Fatalf("before thirty days: %+v", a)
	}
	w.restart()
	w.live(2 * day)
	r := w.report(f.ID)
	if a := r.Trouble; a == nil || !a.Attention || a.Gone || a.Faults < 28 || r.At.Sub(a.Since) < AttentionAfter {
		t.Fatalf("after thirty days: %+v", a)
	}
	if y, m, d := r.Trouble.Since.Date(); y != 2026 || m != time.March || d != 2 {
		t.Errorf("since %s", r.Trouble.Since)
	}
	if r.Month.Faults < 24 || r.Month.Faults != r.Month.Fetches-r.Month.Fresh-r.Month.Unchanged {
		t.Errorf("month: %+v", r.Month)
	}
	w.live(300 * day)
	r = w.report(f.ID)
	if a := r.Trouble; !a.Attention || r.Next.At.IsZero() || r.Next.Reason.Code != schedule.Retry || !strings.Contains(r.NextFetch, "trying again after") {
		t.Errorf("after a year: %+v, next %q", a, r.NextFetch)
	}
	// Who pauses it has seen it; who corrects its address has mended it.
	f.Paused = true
	w.update(f)
	if a := w.report(f.ID).Trouble; a == nil || a.Attention {
		t.Errorf("paused: %+v", a)
	}
	f.Paused, f.URL = false, w.web.address("/b")
	w.web.posting("/b", time.Hour)
	w.update(f)
	if a := w.report(f.ID).Trouble; a != nil {
		t.Errorf("at its new address: %+v", a)
	}
	w.settled()
	if a := w.report(f.ID).Trouble; a != nil {
		t.Errorf("fetched at its new address: %+v", a)
	}
}

func TestReportOfWhatIsAsked(t *testing.T) {
	berlin := time.FixedZone("", 2*60*60)
	tests := map[string]struct {
		header  map[string]string
		channel string
		want    []string
		keeps   string
	}{
		"nothing": {nil, "", nil, "At least 15 min lie between two background fetches: no feed is asked more often."},
		"max-age": {map[string]string{"Cache-Control": "max-age=7200"}, "",
			[]string{"An answer is good for 2 h (max-age or Expires)."}, "At least 2 h lie between two background fetches: as asked for."},
		"max-age of days": {map[string]string{"Cache-Control": "max-age=604800"}, "",
			[]string{"An answer is good for 7 days (max-age or Expires); of that 5 h are heeded, since so much is mostly a mistake."},
			"At least 5 h lie between two background fetches: as asked for."},
		"less than our own": {map[string]string{"Cache-Control": "max-age=60"}, "",
			[]string{"An answer is good for 60 s (max-age or Expires)."}, "At least 15 min lie between two background fetches: no feed is asked more often."},
		"ttl": {nil, "<ttl>4320</ttl>",
			[]string{"Between two fetches shall lie 3 days (ttl or sy:updatePeriod); of that 24 h are heeded, since so much is mostly a mistake."},
			"At least 24 h lie between two background fetches: as asked for."},
		"hours and days": {nil, "<skipHours><hour>22</hour><hour>23</hour><hour>0</hour><hour>7</hour></skipHours><skipDays><day>Sunday</day><day>Saturday</day></skipDays>",
			[]string{"It wants no fetch from 00:00 to 03:00 and 09:00 to 10:00 (skipHours).", "It wants no fetch on Sunday and Saturday (skipDays, in UTC)."}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.web.asking("/a", 10*time.Minute, tt.header, tt.channel)
			f := w.subscribePaths("/a")[0]
			w.settled()
			w.clock.set(w.clock.Now().In(berlin))
			r := w.report(f.ID)
			if d := cmp.Diff(tt.want, r.Asks); d != "" || tt.keeps != "" && r.Keeps != tt.keeps {
				t.Errorf("%s%q", d, r.Keeps)
			}
		})
	}
	t.Run("Retry-After", func(t *testing.T) {
		w, f := one(t)
		w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Retry-After", "10800")
			out.WriteHeader(http.StatusServiceUnavailable)
		})
		w.clock.add(time.Hour)
		w.byHand(f.ID)
		w.restart() // whoever only reads has not heard it himself
		want := fetch.Host(f.URL) + " is left alone until 13:00, as it asks (429 or 503); that binds a refresh by hand, too."
		if asks := w.report(f.ID).Asks; len(asks) != 1 || asks[0] != want {
			t.Errorf("%q, want %q", asks, want)
		}
		if o := w.byHand(f.ID)[0]; o.Result != Waiting || w.report(f.ID).Month.NotAsked != 1 {
			t.Errorf("%+v, %+v", o, w.report(f.ID).Month)
		}
		w.clock.add(4 * time.Hour)
		if asks := w.report(f.ID).Asks; len(asks) != 0 {
			t.Errorf("after the wait: %q", asks)
		}
	})
}

func TestSkippedHoursByTheClock(t *testing.T) {
	hours := func(list ...int) schedule.Skips { return schedule.NewSkips(list, nil) }
	for _, tt := range []struct {
		zone time.Duration
		k    schedule.Skips
		want string
	}{
		{0, hours(0), "00:00 to 01:00"},
		{0, hours(23, 0, 1, 12), "12:00 to 13:00 and 23:00 to 02:00"},
		{-5 * time.Hour, hours(0, 1, 5), "00:00 to 01:00 and 19:00 to 21:00"},
		{5*time.Hour + 30*time.Minute, hours(18, 19), "23:30 to 01:30"},
		{-3*time.Hour - 30*time.Minute, hours(3, 4), "23:30 to 01:30"},
		{14 * time.Hour, hours(10, 9, 1), "15:00 to 16:00 and 23:00 to 01:00"},
		{0, hours(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22), "00:00 to 23:00"},
		{time.Hour, hours(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22), "01:00 to 00:00"},
	} {
		now := monday.In(time.FixedZone("", int(tt.zone/time.Second)))
		if got := skipClock(tt.k, now); got != tt.want {
			t.Errorf("at UTC%+v: %q, want %q", tt.zone, got, tt.want)
		}
	}
}

func TestReportOfAMovedFeed(t *testing.T) {
	w, f := moving(t, http.StatusMovedPermanently, "http://b.example/b")
	w.fetches(f, 1, 2)
	got := w.report(f.ID).Moving
	if !strings.HasPrefix(got, "Since ") || !strings.Contains(got, " http://b.example/b for good, 2 times;") {
		t.Errorf("%q", got)
	}
}

// A hub that the feed or its server names is kept with the poll state and told with
// what the plan says push would save.
func TestHubIsTold(t *testing.T) {
	channel := `<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="https://hub.example/feed"/>`
	w := newWorld(t)
	w.web.asking("/text", time.Hour, nil, channel)
	w.web.asking("/header", time.Hour, map[string]string{"Link": `<https://hub.example/header>; rel="hub"`}, channel)
	w.web.posting("/none", time.Hour)
	feeds := w.subscribePaths("/text", "/header", "/none")
	w.settled()
	w.restart()
	for i, want := range []string{"https://hub.example/feed", "https://hub.example/header"} {
		r := w.report(feeds[i].ID)
		if r.Push == nil || r.Push.Hub != want {
			t.Fatalf("%+v, want %s", r.Push, want)
		}
		var cycle *FeedPlan
		for _, f := range w.plan().Feeds {
			if f.Feed.ID == feeds[i].ID {
				cycle = &f
			}
		}
		perDay := float64(len(cycle.Cycle.At)) / float64(cycle.Cycle.Every)
		if r.Push.Share != (Share{perDay, cycle.Cycle.Delay}) || perDay < 1 {
			t.Errorf("saves %+v, the plan has %v", r.Push.Share, cycle.Cycle)
		}
		says := fmt.Sprintf("save %s fetches and %s h of delay a day", amount(perDay), amount(cycle.Cycle.Delay))
		if s := r.Push.Sentence(); !strings.Contains(s, says) || !strings.Contains(s, "behind a home router") {
			t.Errorf("%q", s)
		}
	}
	if r := w.report(feeds[2].ID); r.Push != nil {
		t.Errorf("a feed without one: %+v", r.Push)
	}
	// A 304 may name another one; the hub is that of the address.
	w.web.on("/header", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Link", `<https://new.example/>; rel=hub`)
		out.WriteHeader(http.StatusNotModified)
	})
	w.web.on("/header2", w.web.page["/none"])
	w.exec("UPDATE poll SET etag = '\"x\"' WHERE feed = ?", feeds[1].ID)
	w.clock.add(time.Hour)
	w.byHand(feeds[1].ID)
	if r := w.report(feeds[1].ID); r.Push == nil || r.Push.Hub != "https://new.example/" {
		t.Errorf("after a 304: %+v", r.Push)
	}
	f := feeds[1]
	f.URL = w.web.address("/header2")
	w.update(f)
	if r := w.report(f.ID); r.Push != nil {
		t.Errorf("at another address: %+v", r.Push)
	}
}

func TestWhen(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 29, 9, 0, 0, 0, paris) // the clock has just skipped an hour
	for _, tt := range []struct {
		at   time.Time
		want string
	}{
		{now, "09:00"},
		{time.Date(2026, 3, 28, 23, 30, 0, 0, time.UTC), "00:30"},
		{time.Date(2026, 3, 28, 22, 30, 0, 0, time.UTC), "yesterday 23:30"},
		{time.Date(2026, 3, 29, 22, 0, 0, 0, time.UTC), "tomorrow 00:00"},
		{now.AddDate(0, 0, 2), "Tue 09:00"},
		{now.AddDate(0, 0, -5), "Tue 09:00"},
		{now.AddDate(0, 0, -6), "23 Mar 09:00"},
		{now.AddDate(0, -10, 0), "29 May 2025"},
	} {
		if got := When(tt.at, now); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.at, got, tt.want)
		}
	}
}

// The days are those of the wall clock, whose days have 23 and 25 hours too.
func TestDaysOfTheLedger(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 4, 10, 12, 0, 0, 0, paris)
	at := func(day, hour, minute int) Outcome {
		return Outcome{At: time.Date(2026, 3, day, hour, minute, 0, 0, paris), Reason: Planned, Result: Stored, New: 2, Bytes: 10}
	}
	lines := []Outcome{at(41, 0, 0), at(30, 0, 0), at(29, 23, 59), at(29, 0, 0), at(12, 0, 0), at(11, 23, 59)}
	month := days(lines, now)
	got := map[string]int{}
	for _, d := range month {
		if h, m, s := d.Date.Clock(); h+m+s != 0 {
			t.Errorf("a day begins at %s", d.Date)
		}
		if d.Fetches > 0 {
			got[d.Date.Format("2 Jan")] = d.Fetches
		}
	}
	if d := cmp.Diff(map[string]int{"10 Apr": 1, "30 Mar": 1, "29 Mar": 2, "12 Mar": 1}, got); d != "" || len(month) != LedgerDays {
		t.Errorf("%d days: %s", len(month), d)
	}
}

// BenchmarkReports is what it takes to tell how many feeds fare that are fetched eight
// times a day, and how one of them does.
func BenchmarkReports(b *testing.B) {
	const feeds, aDay = 500, 8
	w := newWorld(b)
	for i := range feeds {
		w.subscribe(reader.Feed{URL: w.web.address(fmt.Sprint("/", i))})
	}
	w.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
		INSERT INTO ledger (feed, at, reason, why, background, result, status, new, bytes, took, said)
		SELECT f.id, ?2 - i * ?3 - f.id, 'plan', 'before your 07:40 reading; 0.4 articles expected', 1,
			iif(i % 3, 'unchanged', 'stored'), iif(i % 3, 304, 200), iif(i % 3, 0, 2), iif(i % 3, 0, 20000), 120, '' FROM n, feed f`,
		LedgerDays*aDay-1, w.clock.Now().Unix(), int(day/time.Second)/aDay)
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			if all, err := w.Reports(b.Context()); err != nil || len(all) != feeds {
				b.Fatal(len(all), err)
			}
		}
	})
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			if r, err := w.Report(b.Context(), feeds/2); err != nil || r.Month.Fetches < (LedgerDays-2)*aDay {
				b.Fatal(r.Month, err)
			}
		}
	})
}
