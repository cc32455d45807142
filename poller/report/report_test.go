package report

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/codetest"
)

// Failures that a server on loopback cannot cause have advice, too, and so has one that
// another version has stored.
func TestEveryFailureHasAdvice(t *testing.T) {
	blameless := []fetch.Code{fetch.Offline, fetch.Protocol, fetch.Waiting, fetch.Canceled, fetch.Unwritable} // or nothing is known of the failure
	for _, c := range codetest.Of[fetch.Code](t) {
		if slices.Contains(blameless, c) {
			continue
		}
		if adviceOf[poller.FailureKind(c)] == "" {
			t.Errorf("%s has none", c)
		}
	}
	for _, a := range codetest.Of[Advice](t) {
		if len(actions[a]) == 0 || slices.Contains(actions[a], Unsubscribe) {
			t.Errorf("%s: %v", a, actions[a])
		}
	}
	http, login, file := reader.Feed{URL: "http://a.test/"}, reader.Feed{URL: "http://a.test/", Login: true}, reader.Feed{URL: "file:///a"}
	for _, c := range []struct {
		feed reader.Feed
		kind poller.FailureKind
		want Advice
	}{
		{http, "", AdviceWait}, {login, "", AdviceKeyring}, {http, "auth", AdviceLogin}, {login, "auth", AdviceNewLogin},
		{file, "", AdviceFile}, {file, poller.KindPage, AdviceFileContent}, {http, "of a later version", AdviceWait},
	} {
		if got := adviceFor(c.feed, c.kind); got != c.want {
			t.Errorf("%s, kind %q: %s, want %s", c.feed.URL, c.kind, got, c.want)
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
	at := func(day, hour, minute int) poller.Outcome {
		return poller.Outcome{At: time.Date(2026, 3, day, hour, minute, 0, 0, paris), Reason: poller.Planned, Result: poller.Stored, New: 2, Bytes: 10}
	}
	lines := []poller.Outcome{at(41, 0, 0), at(30, 0, 0), at(29, 23, 59), at(29, 0, 0), at(12, 0, 0), at(11, 23, 59)}
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
	if d := cmp.Diff(map[string]int{"10 Apr": 1, "30 Mar": 1, "29 Mar": 2, "12 Mar": 1}, got); d != "" || len(month) != poller.LedgerDays {
		t.Errorf("%d days: %s", len(month), d)
	}
}

// Requests for icons and for what is shown are not fetches of the feed.
func TestSumLeavesOutOtherRequests(t *testing.T) {
	var s Sum
	for _, c := range []poller.Code{poller.Icon, poller.Picture, poller.File, poller.Page} {
		s.addLine(poller.Outcome{Reason: c, Result: poller.Stored, Bytes: 10})
	}
	s.addLine(poller.Outcome{Reason: poller.First, Result: poller.Stored, New: 15, Bytes: 7})
	s.addLine(poller.Outcome{Reason: poller.Planned, Result: poller.Offline})
	want := Sum{Fetches: 1, WithNew: 1, NotAsked: 1, Articles: 15, Bytes: 7, ByReason: map[poller.Code]int{poller.First: 1}}
	if d := cmp.Diff(want, s); d != "" {
		t.Error(d)
	}
}

// A feed that the server of its account fails to fetch needs attention when it never worked, has failed for long, or when the server has
// stopped trying.
func TestTroubleThere(t *testing.T) {
	now := time.Date(2026, 4, 10, 12, 0, 0, 0, time.UTC)
	f := reader.Feed{URL: "https://a.test/feed", Account: 1}
	for _, c := range []struct {
		failures  int
		since     time.Time
		articles  bool
		advice    Advice
		attention bool
	}{
		{1, now.Add(-time.Hour), true, AdviceThere, false},
		{1, now.Add(-time.Hour), false, AdviceThere, true},
		{2, now.Add(-AttentionAfter), true, AdviceThere, true},
		{2, time.Time{}, true, AdviceThere, false},
		{3, now.Add(-time.Hour), true, AdviceGivenUp, true},
	} {
		s := poller.State{Failures: c.failures, Since: c.since, Message: poller.Message{Code: poller.ServerFailed, Text: "no"},
			There: &sync.FeedHealth{Articles: c.articles}}
		got := TroubleOf(s, f, now)
		if got == nil || !got.There || got.Advice != c.advice || got.Attention != c.attention || got.Message.Text != "no" || got.Actions[0] != TryNow {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	if got := TroubleOf(poller.State{There: &sync.FeedHealth{}}, f, now); got != nil {
		t.Errorf("a feed that works: %+v", got)
	}
}

// That the name of a site was not found is said to last only once it has.
func TestNameNotFound(t *testing.T) {
	now := time.Date(2026, 4, 10, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		failures int
		lasts    time.Duration
		want     Advice
	}{{1, 0, AdviceHostNotFound}, {1, 9 * day, AdviceHostNotFound}, {9, time.Hour, AdviceHostNotFound}, {3, 2 * day, AdviceNoHost}} {
		s := poller.State{Failures: c.failures, Since: now.Add(-c.lasts), Kind: poller.FailureKind(fetch.DNS), Fetched: now.Add(-99 * day)}
		got := TroubleOf(s, reader.Feed{}, now)
		if got == nil || got.Advice != c.want {
			t.Errorf("%d failures in %s: %+v, want %s", c.failures, c.lasts, got, c.want)
		}
	}
}

// A certificate that the user may trust can be trusted where the failure is told.
func TestTrustOfACertificateIsOffered(t *testing.T) {
	for fingerprint, want := range map[fetch.Fingerprint]Action{"": OpenPage, "0a": TrustCertificate} {
		s := poller.State{Failures: 1, Kind: poller.FailureKind(fetch.TLS), Message: poller.Message{Code: poller.RequestFailed,
			Fetch: &fetch.Error{Code: fetch.TLS, Host: "nas.test", Certificate: fetch.Untrusted, Fingerprint: fingerprint}}}
		if got := TroubleOf(s, reader.Feed{}, time.Now()); got.Actions[0] != want || got.Advice != AdviceTLS {
			t.Errorf("%q: %+v", fingerprint, got)
		}
	}
}
