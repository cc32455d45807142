package poller_test

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/report"
	"kairos/poller/schedule"
	"kairos/reader"
)

const day = 24 * time.Hour

func reportOf(t *testing.T, w poller.World, feed int64) report.Report {
	t.Helper()
	r, err := report.Feed(t.Context(), w.Poller, feed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The report of a feed alone and among all agree, and add up to the outcomes.
func TestReport(t *testing.T) {
	w, f := poller.NewWorldWithFeed(t)
	w.Posting("/b", 7*time.Hour)
	other := w.SubscribePaths("/b")[0]
	w.Live(5 * day)
	w.ByHand(f.ID)
	r := reportOf(t, w, f.ID)
	told, fresh := 0, 0
	for _, o := range w.Outcomes() {
		if o.Feed == f.ID {
			told++
			fresh += o.New
		}
	}
	m := r.Month
	if m.Fetches != told+1 || m.Articles != fresh+15 || m.Fetches != m.WithNew+m.Unchanged || m.Failed+m.NotAsked != 0 || m.Bytes == 0 {
		t.Errorf("told about %d fetches and %d articles, summed %+v", told+1, fresh+15, m)
	}
	if m.ByReason[poller.First] != 1 || m.ByReason[poller.Manual] != 1 || m.ByReason[poller.Planned] < 5 {
		t.Errorf("by reason: %v", m.ByReason)
	}
	if r.Last.Reason != poller.Manual {
		t.Errorf("last: %+v", r.Last)
	}
	if r.Next.Code != report.Scheduled || r.Next.Reason.Code == "" || !r.Next.At.After(r.At) {
		t.Errorf("next: %+v", r.Next)
	}
	if r.Trouble != nil || r.Push != nil || r.Redirect.To != "" || len(r.Limits) > 0 || r.Share.Fetches < 1 || r.Share.Delay <= 0 {
		t.Errorf("%+v", r)
	}
	var sum report.Sum
	for i, d := range r.Days {
		if i > 0 && !d.Date.Equal(r.Days[i-1].Date.AddDate(0, 0, 1)) {
			t.Errorf("%s comes after %s", d.Date, r.Days[i-1].Date)
		}
		if d.Fetches != len(d.Lines) {
			t.Errorf("%s: %d fetches, %d lines", d.Date, d.Fetches, len(d.Lines))
		}
		sum.Fetches += d.Fetches
		sum.WithNew += d.WithNew
		sum.Unchanged += d.Unchanged
		sum.Articles += d.Articles
		sum.Bytes += d.Bytes
		sum.NotModified += d.NotModified
	}
	if len(r.Days) != poller.LedgerDays || !r.Days[poller.LedgerDays-1].Date.Equal(w.Now().Truncate(day)) {
		t.Errorf("%d days, the last is %s", len(r.Days), r.Days[len(r.Days)-1].Date)
	}
	if d := cmp.Diff(m, sum, cmpopts.IgnoreFields(sum, "ByReason")); d != "" {
		t.Errorf("the days do not add up to the month: %s", d)
	}

	all, err := report.All(t.Context(), w.Poller)
	if err != nil || len(all) != 2 || all[1].Feed.ID != other.ID {
		t.Fatal(all, err)
	}
	r.Days, all[0].Feed.Unread = nil, 0
	if d := cmp.Diff(r, all[0], cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
		t.Errorf("alone and among others: %s", d)
	}
	if _, err := report.Feed(t.Context(), w.Poller, 99); !errors.Is(err, reader.ErrUnknown) {
		t.Errorf("of no feed: %v", err)
	}
}

func TestNextFetch(t *testing.T) {
	w, f := poller.NewWorldWithFeed(t)
	expect := func(want report.NextCode) {
		t.Helper()
		if got := reportOf(t, w, f.ID).Next; got.Code != want || want == report.LaterOn && got.Every.Round(time.Hour) != 3*time.Hour {
			t.Errorf("%+v, want %q", got, want)
		}
	}
	w.ChooseBudget("0")
	w.Settled()
	w.Exec("DELETE FROM agenda")
	expect(report.FetchingPaused)
	w.ChooseBudget(poller.Balanced)
	w.Settled()
	w.Exec("DELETE FROM agenda")
	expect(report.LaterOn)
	w.Exec("DELETE FROM cycle")
	expect(report.NotPlanned)
	f.Paused = true
	w.Update(f)
	expect(report.FeedPaused)
	f.Paused = false
	w.Update(f)
	w.On("/a", func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusGone) })
	w.Advance(time.Hour)
	w.ByHand(f.ID)
	expect(report.FeedGone)
	fresh := w.SubscribeTo(reader.Feed{URL: w.Address("/new")})
	if r := reportOf(t, w, fresh.ID); !r.Last.At.IsZero() || r.Next.Code != report.NeverTried {
		t.Errorf("%+v, %+v", r.Last, r.Next)
	}
}

// Every kind of failure has its message, its advice and something to do, and is stored by
// a name of its own.
func TestTroubleHasAdvice(t *testing.T) {
	tests := []struct {
		status int
		body   string
		kind   poller.FailureKind
		first  report.Action
		advice report.Advice
	}{
		{401, "", "auth", report.EnterLogin, report.AdviceLogin},
		{403, "", "forbidden", report.OpenPage, report.AdviceForbidden},
		{404, "", "missing", report.FindAddress, report.AdviceMissing},
		{410, "", "gone", report.FindAddress, report.AdviceGone},
		{451, "", "client", report.OpenPage, report.AdviceRefusal},
		{429, "", "busy", report.OpenPage, report.AdviceBusy},
		{500, "", "server", report.TryNow, report.AdviceServer},
		{-1, "", "reset", report.TryNow, report.AdviceReset},
		{200, "<!doctype html><html><body>Hello", "page", report.OpenPage, report.AdvicePage},
		{200, "Hello", "not a feed", report.FindAddress, report.AdviceOther},
		{200, "", "broken", report.TryNow, report.AdviceBroken},
		{302, "", "redirect loop", report.OpenPage, report.AdviceRedirectLoop},
	}
	for _, tt := range tests {
		t.Run(string(tt.kind), func(t *testing.T) {
			w, f := poller.NewWorldWithFeed(t)
			w.On("/a", func(out http.ResponseWriter, r *http.Request) {
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
			w.Advance(time.Hour)
			w.ByHand(f.ID)
			r := reportOf(t, w, f.ID)
			if r.Trouble == nil {
				t.Fatal("nothing is wrong")
			}
			if got := w.StateOf(f.ID).Kind; got != tt.kind {
				t.Errorf("kind %q, want %q", got, tt.kind)
			}
			if a := r.Trouble; a.Advice != tt.advice || a.Actions[0] != tt.first || a.Actions[len(a.Actions)-1] != report.Unsubscribe || a.Message.IsZero() {
				t.Errorf("%+v", a)
			}
			if diff := cmp.Diff(r.Trouble.Message, r.Last.Message); diff != "" {
				t.Errorf("the ledger: %s", diff)
			}
			if tt.status == 410 != r.Trouble.Attention {
				t.Errorf("attention: %+v", r.Trouble)
			}
			w.Posting("/a", time.Hour)
			w.Advance(2 * day)
			if w.ByHand(f.ID); reportOf(t, w, f.ID).Trouble != nil || w.StateOf(f.ID).Kind != "" {
				t.Errorf("working again: %+v", reportOf(t, w, f.ID).Trouble)
			}
		})
	}
}

// A feed that has never worked needs attention at once, unless its host only asked to wait.
func TestFeedThatNeverWorked(t *testing.T) {
	for status, want := range map[int]bool{http.StatusNotFound: true, http.StatusInternalServerError: true, http.StatusTooManyRequests: false} {
		w := poller.NewWorld(t)
		w.On("/none", func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(status) })
		f := w.SubscribePaths("/none")[0]
		w.Settled()
		if a := reportOf(t, w, f.ID).Trouble; a == nil || a.Attention != want {
			t.Errorf("%d: %+v", status, a)
		}
	}
}

// A feed that has failed for thirty days needs attention; Kairos never unsubscribes.
func TestThirtyDaysOfFailures(t *testing.T) {
	poller.SlowWithRace(t)
	w, f := poller.NewWorldWithFeed(t)
	w.On("/a", func(out http.ResponseWriter, _ *http.Request) { http.NotFound(out, nil) })
	w.Live(30*day - time.Hour)
	if a := reportOf(t, w, f.ID).Trouble; a == nil || a.Attention {
		t.Fatalf("before thirty days: %+v", a)
	}
	w.Restart()
	w.Live(2 * day)
	r := reportOf(t, w, f.ID)
	if a := r.Trouble; a == nil || !a.Attention || a.Gone || a.Failures < 28 || r.At.Sub(a.Since) < report.AttentionAfter {
		t.Fatalf("after thirty days: %+v", a)
	}
	if y, m, d := r.Trouble.Since.Date(); y != 2026 || m != time.March || d != 2 {
		t.Errorf("since %s", r.Trouble.Since)
	}
	if r.Month.Failed < 24 || r.Month.Failed != r.Month.Fetches-r.Month.WithNew-r.Month.Unchanged {
		t.Errorf("month: %+v", r.Month)
	}
	w.Live(60 * day)
	r = reportOf(t, w, f.ID)
	if a := r.Trouble; !a.Attention || r.Next.At.IsZero() || r.Next.Reason.Code != schedule.Retry || r.Next.Reason.Failures < 28 {
		t.Errorf("after three months: %+v, next %+v", a, r.Next)
	}
	// A user who pauses it has seen it, and a corrected address may work.
	f.Paused = true
	w.Update(f)
	if a := reportOf(t, w, f.ID).Trouble; a == nil || a.Attention {
		t.Errorf("paused: %+v", a)
	}
	f.Paused, f.URL = false, w.Address("/b")
	w.Posting("/b", time.Hour)
	w.Update(f)
	if a := reportOf(t, w, f.ID).Trouble; a != nil {
		t.Errorf("at its new address: %+v", a)
	}
	w.Settled()
	if a := reportOf(t, w, f.ID).Trouble; a != nil {
		t.Errorf("fetched at its new address: %+v", a)
	}
}

func TestLimits(t *testing.T) {
	tests := map[string]struct {
		header  map[string]string
		channel string
		want    []report.Limit
		gap     report.Gap
	}{
		"nothing": {nil, "", nil, report.Gap{Length: 15 * time.Minute, Cause: schedule.GapLeast}},
		"max-age": {map[string]string{"Cache-Control": "max-age=7200"}, "",
			[]report.Limit{{Code: report.MaxAge, Asked: 2 * time.Hour, Granted: 2 * time.Hour}}, report.Gap{Length: 2 * time.Hour, Cause: schedule.GapRequested}},
		"max-age of days": {map[string]string{"Cache-Control": "max-age=604800"}, "",
			[]report.Limit{{Code: report.MaxAge, Asked: 7 * day, Granted: 12 * time.Hour}}, report.Gap{Length: 12 * time.Hour, Cause: schedule.GapRequested}},
		"less than our own": {map[string]string{"Cache-Control": "max-age=60"}, "",
			[]report.Limit{{Code: report.MaxAge, Asked: time.Minute, Granted: time.Minute}}, report.Gap{Length: 15 * time.Minute, Cause: schedule.GapLeast}},
		"ttl": {nil, "<ttl>4320</ttl>",
			[]report.Limit{{Code: report.TTL, Asked: 3 * day, Granted: day}}, report.Gap{Length: day, Cause: schedule.GapRequested}},
		"hours and days": {nil, "<skipHours><hour>22</hour><hour>23</hour><hour>0</hour><hour>7</hour></skipHours><skipDays><day>Sunday</day><day>Saturday</day></skipDays>",
			[]report.Limit{{Code: report.SkipHours, Hours: []int{0, 7, 22, 23}}, {Code: report.SkipDays, Days: []time.Weekday{time.Sunday, time.Saturday}}},
			report.Gap{Length: 15 * time.Minute, Cause: schedule.GapLeast}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := poller.NewWorld(t)
			w.Asking("/a", 10*time.Minute, tt.header, tt.channel)
			f := w.SubscribePaths("/a")[0]
			w.Settled()
			r := reportOf(t, w, f.ID)
			if d := cmp.Diff(tt.want, r.Limits); d != "" || r.Gap != tt.gap {
				t.Errorf("%s%+v", d, r.Gap)
			}
		})
	}
	t.Run("Retry-After", func(t *testing.T) {
		w, f := poller.NewWorldWithFeed(t)
		w.On("/a", func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Retry-After", "10800")
			out.WriteHeader(http.StatusServiceUnavailable)
		})
		w.Advance(time.Hour)
		w.ByHand(f.ID)
		w.Restart() // a process that only reads has not fetched it itself
		want := []report.Limit{{Code: report.Wait, Host: fetch.Host(f.URL), Until: w.Now().Add(3 * time.Hour)}}
		if d := cmp.Diff(want, reportOf(t, w, f.ID).Limits); d != "" {
			t.Error(d)
		}
		if o := w.ByHand(f.ID)[0]; o.Result != poller.Waiting || reportOf(t, w, f.ID).Month.NotAsked != 0 {
			t.Errorf("%+v, %+v", o, reportOf(t, w, f.ID).Month)
		}
		fresh := w.SubscribePaths("/b")[0]
		for _, settled := range []func(){func() {}, w.Settled} { // it may take a while until its turn comes, and it is put off
			settled()
			if next := reportOf(t, w, fresh.ID).Next; next.Code != report.Scheduled || next.Reason.Purpose != schedule.AsAsked || next.At.Before(want[0].Until) {
				t.Errorf("a new feed there: %+v", next)
			}
		}
		w.Advance(4 * time.Hour)
		if limits := reportOf(t, w, f.ID).Limits; len(limits) != 0 {
			t.Errorf("after the wait: %+v", limits)
		}
	})
}

// The feeds of a host that is down do not tell that they wait for a day, since one of them is tried long before.
func TestReportWhileTheHostIsDown(t *testing.T) {
	w := poller.NewWorld(t)
	paths := []string{"/a", "/b", "/c"}
	for _, path := range paths {
		w.On(path, func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusServiceUnavailable) })
	}
	feeds := w.SubscribePaths(paths...)
	w.Settled()
	for _, f := range feeds {
		next := reportOf(t, w, f.ID).Next
		if next.Code != report.Scheduled || next.Reason.Purpose != schedule.SiteDown || next.At.After(w.Now().Add(time.Hour)) {
			t.Errorf("%s is fetched next by %+v", f.URL, next)
		}
	}
}

func TestReportOfARedirect(t *testing.T) {
	w, f := poller.NewWorldWithRedirect(t, http.StatusMovedPermanently, "http://b.example/b")
	w.FetchRepeatedly(f, 1, 2)
	if got := reportOf(t, w, f.ID).Redirect; got.To != "http://b.example/b" || got.Times != 2 || got.Since.IsZero() {
		t.Errorf("%+v", got)
	}
}

// A feed that posts more than it shows between two fetches loses articles; its report says when and
// what would help, until that is done.
func TestLossIsReported(t *testing.T) {
	w := poller.NewWorld(t)
	w.Posting("/fast", 10*time.Minute)
	w.Posting("/slow", 9*time.Hour)
	feeds := w.SubscribePaths("/fast", "/slow")
	w.Settled()
	w.ChooseBudget("2")
	w.Live(4 * day)
	w.Restart()
	r := reportOf(t, w, feeds[0].ID)
	if l := r.Loss; l == nil || l.Articles < 2 || l.Shows != 15 || !l.To.After(l.From) || l.To.After(r.At) || l.Help != report.FetchOften || l.Every != time.Hour {
		t.Fatalf("%+v", l)
	}
	if l := reportOf(t, w, feeds[1].ID).Loss; l != nil {
		t.Errorf("a feed that loses none: %+v", l)
	}
	f := r.Feed
	f.Every = time.Hour
	w.Update(f)
	if l := reportOf(t, w, f.ID).Loss; l == nil || l.Help != report.OftenEnough {
		t.Errorf("fetched every hour: %+v", l)
	}
	w.Advance(31 * day)
	if l := reportOf(t, w, f.ID).Loss; l != nil {
		t.Errorf("a month later: %+v", l)
	}
}

// What a fetch costs is reported, and how often nothing had changed; nothing of a feed that never answered.
func TestCostIsReported(t *testing.T) {
	w := poller.NewWorld(t)
	w.Posting("/rare", 30*time.Hour)
	feeds := w.SubscribePaths("/rare", "/missing")
	w.Live(4 * day)
	unchanged := 0
	for _, o := range w.Outcomes() {
		if o.Status == http.StatusNotModified {
			unchanged++
		}
	}
	rare, missing := reportOf(t, w, feeds[0].ID), reportOf(t, w, feeds[1].ID)
	if rare.Cost < schedule.LeastCost || rare.Cost > 0.8 || rare.Month.NotModified != unchanged || unchanged < 3 {
		t.Errorf("a fetch costs %v, %d of %d answers were 304, not %d", rare.Cost, rare.Month.NotModified, rare.Month.Fetches, unchanged)
	}
	if missing.Cost != 0 || missing.Month.NotModified != 0 {
		t.Errorf("a feed that never answered costs %v: %+v", missing.Cost, missing.Month)
	}
	all, err := report.All(t.Context(), w.Poller)
	if err != nil || len(all) != 2 || all[0].Cost != rare.Cost || all[0].Month.NotModified != unchanged {
		t.Errorf("among others: %+v, %v", all, err)
	}
}

// A hub that the feed or its server names is stored with the poll state, and reported with
// what push would save by the plan.
func TestHubIsReported(t *testing.T) {
	channel := `<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="https://hub.example/feed"/>`
	w := poller.NewWorld(t)
	w.Asking("/text", time.Hour, nil, channel)
	w.Asking("/header", time.Hour, map[string]string{"Link": `<https://hub.example/header>; rel="hub"`}, channel)
	w.Posting("/none", time.Hour)
	feeds := w.SubscribePaths("/text", "/header", "/none")
	w.Settled()
	w.Restart()
	for i, want := range []string{"https://hub.example/feed", "https://hub.example/header"} {
		r := reportOf(t, w, feeds[i].ID)
		if r.Push == nil || r.Push.Hub != want {
			t.Fatalf("%+v, want %s", r.Push, want)
		}
		var cycle *poller.FeedPlan
		for _, f := range w.PlanNow().Feeds {
			if f.Feed.ID == feeds[i].ID {
				cycle = &f
			}
		}
		perDay := float64(len(cycle.Cycle.At)) / float64(cycle.Cycle.Every)
		if r.Push.Share != (poller.Share{Fetches: perDay, Delay: cycle.Cycle.Delay}) || perDay < 1 {
			t.Errorf("saves %+v, the plan has %v", r.Push.Share, cycle.Cycle)
		}
	}
	if r := reportOf(t, w, feeds[2].ID); r.Push != nil {
		t.Errorf("a feed without one: %+v", r.Push)
	}
	// A 304 may name another one; the hub is that of the address.
	w.On("/header", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Link", `<https://new.example/>; rel=hub`)
		out.WriteHeader(http.StatusNotModified)
	})
	w.On("/header2", w.Page("/none"))
	w.Exec("UPDATE poll SET etag = '\"x\"' WHERE subject = ?", feeds[1].ID)
	w.Advance(time.Hour)
	w.ByHand(feeds[1].ID)
	if r := reportOf(t, w, feeds[1].ID); r.Push == nil || r.Push.Hub != "https://new.example/" {
		t.Errorf("after a 304: %+v", r.Push)
	}
	f := feeds[1]
	f.URL = w.Address("/header2")
	w.Update(f)
	if r := reportOf(t, w, f.ID); r.Push != nil {
		t.Errorf("at another address: %+v", r.Push)
	}
}

// BenchmarkReports reports on many feeds that are fetched eight times a day, and on one of
// them.
func BenchmarkReports(b *testing.B) {
	const feeds, aDay = 500, 8
	w := poller.NewWorld(b)
	for i := range feeds {
		w.SubscribeTo(reader.Feed{URL: w.Address(fmt.Sprint("/", i))})
	}
	w.Exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
		INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said)
		SELECT f.id, ?2 - i * ?3 - f.id, 'plan', 'before your 07:40 reading; 0.4 articles expected', 1,
			iif(i % 3, 'unchanged', 'stored'), iif(i % 3, 304, 200), iif(i % 3, 0, 2), iif(i % 3, 0, 20000), 120, '' FROM n, feed f`,
		poller.LedgerDays*aDay-1, w.Now().Unix(), int(day/time.Second)/aDay)
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			if all, err := report.All(b.Context(), w.Poller); err != nil || len(all) != feeds {
				b.Fatal(len(all), err)
			}
		}
	})
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			if r, err := report.Feed(b.Context(), w.Poller, feeds/2); err != nil || r.Month.Fetches < (poller.LedgerDays-2)*aDay {
				b.Fatal(r.Month, err)
			}
		}
	})
}
