package notify

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/text"
	"kairos/poller"
	"kairos/reader"
)

// newNotifier returns a notifier over a small data folder.
func newNotifier(t *testing.T) (*Notifier, *home.Home) {
	t.Helper()
	h := hometest.Open(t.Context(), t)
	t.Cleanup(func() { h.Close() })
	return &Notifier{Store: h.Store, Poller: h.Poller, Now: h.Now, Printer: text.English()}, h
}

// shown returns what word makes of the settings in force: "" if nothing is shown.
func shown[T any](t *testing.T, n *Notifier, of func(T) (int64, feedNews), word func(context.Context, settings, news) (notification, error), gathered ...T) (all string) {
	t.Helper()
	n.InUse = func(context.Context) (bool, time.Time) { return false, time.Time{} }
	n.Fallback = func(title, body string) { all = strings.TrimSpace(title + "\n" + body) }
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=none") // desktop.Notify is unsupported
	notifyOf(n, of, word)(t.Context(), gathered)
	return all
}

func set(t *testing.T, h *home.Home, key, value string) {
	t.Helper()
	if err := h.Store.Settings.Set(t.Context(), key, value); err != nil {
		t.Fatal(err)
	}
}

// choose makes feed 2 one that the user is notified of.
func choose(t *testing.T, h *home.Home) {
	t.Helper()
	f, err := h.Store.Feeds.Get(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	f.Notify = true
	if err := h.Subscriptions.Update(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
}

func TestGather(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		in := make(chan int)
		gathered := make(chan []int, 10)
		go gather(ctx, in, func(_ context.Context, came []int) { gathered <- came })
		start := time.Now()
		for i := range 3 {
			in <- i
			<-time.After(4 * time.Second)
		}
		if got := <-gathered; !slices.Equal(got, []int{0, 1, 2}) || time.Since(start) != 28*time.Second {
			t.Errorf("after %v: %v", time.Since(start), got)
		}
		// Without a pause it does not wait forever.
		start = time.Now()
		for len(gathered) == 0 {
			in <- 1
			<-time.After(time.Second)
		}
		if took := time.Since(start); took > 122*time.Second {
			t.Errorf("gathered for %v", took)
		}
		stop()
		synctest.Wait()
	})
}

func TestNotificationsOfFeeds(t *testing.T) {
	n, h := newNotifier(t)
	check := func(when, want string) {
		t.Helper()
		got := shown(t, n, ofOutcome, n.ofFeeds, poller.Outcome{Feed: 1, Unread: 2}, poller.Outcome{Feed: 2, Unread: 1}, poller.Outcome{Feed: 99, Unread: 4})
		if got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	check("no feed chosen", "")
	choose(t, h)
	check("one feed chosen", "1 new article\nFeed 1: Article 0 of feed 1")
	set(t, h, SettingFeeds, All)
	check("all feeds", "3 new articles\nFeed 0: Article 0 of feed 0\nFeed 1: Article 0 of feed 1\nand 1 more")
	set(t, h, SettingNames, "off")
	check("without names", "3 new articles\nin 2 feeds")
	set(t, h, SettingQuietFrom, "11:00")
	set(t, h, SettingQuietTo, "13:00")
	check("in quiet hours", "")
	set(t, h, SettingQuietFrom, "")
	set(t, h, SettingFeeds, None)
	check("never", "")
}

func TestNotificationsOfRules(t *testing.T) {
	n, h := newNotifier(t)
	ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil || len(ids) != 6 {
		t.Fatal(ids, err)
	}
	first := reader.Notice{Feed: 1, Articles: ids[:1]}
	all := []reader.Notice{{Feed: 1, Articles: ids[:2]}, {Feed: 2, Articles: ids[2:]}}
	if got := shown(t, n, ofNotice, n.ofRules, first); got != "1 new article\nFeed 0: Article 0 of feed 0" {
		t.Errorf("one article: %q", got)
	}
	if got := shown(t, n, ofNotice, n.ofRules, all...); got != "6 new articles\nFeed 0: Article 0 of feed 0\nFeed 0: Article 1 of feed 0\nand 4 more" {
		t.Errorf("six articles: %q", got)
	}
	set(t, h, SettingNames, "off")
	if got := shown(t, n, ofNotice, n.ofRules, all...); got != "6 new articles\nin 2 feeds" {
		t.Errorf("without names: %q", got)
	}
	choose(t, h)
	if got := shown(t, n, ofNotice, n.ofRules, all...); got != "2 new articles\nin 1 feed" {
		t.Errorf("with a feed that is chosen anyway: %q", got)
	}
	for _, feeds := range []string{None, All} {
		set(t, h, SettingFeeds, feeds)
		if got := shown(t, n, ofNotice, n.ofRules, all...); got != "" {
			t.Errorf("of feeds %s: %q", feeds, got)
		}
	}
	set(t, h, SettingFeeds, Chosen)
	set(t, h, SettingQuietFrom, "00:00")
	set(t, h, SettingQuietTo, "23:59")
	if got := shown(t, n, ofNotice, n.ofRules, all...); got != "" {
		t.Errorf("in quiet hours: %q", got)
	}
}

// A notification tells of all that has come since the window was used, and while it is used nothing is shown.
func TestNotificationsAreOfAllSinceTheWindowWasUsed(t *testing.T) {
	n, h := newNotifier(t)
	set(t, h, SettingFeeds, All)
	set(t, h, SettingNames, "off")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=none")
	now := time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)
	inUse, last, said := false, time.Time{}, ""
	n.Now = func() time.Time { return now }
	n.InUse = func(context.Context) (bool, time.Time) { return inUse, last }
	n.Fallback = func(title, body string) { said = title + " " + body }
	tell := notifyOf(n, ofOutcome, n.ofFeeds)
	for _, step := range []struct {
		what   string
		change func()
		want   string
	}{
		{"at first", func() {}, "2 new articles in 1 feed"},
		{"again", func() {}, "4 new articles in 1 feed"},
		{"in use", func() { inUse = true }, ""},
		{"just left", func() { inUse, last = false, now }, "2 new articles in 1 feed"},
		{"a third time", func() {}, "4 new articles in 1 feed"},
		{"in quiet hours", func() { set(t, h, SettingQuietFrom, "00:00"); set(t, h, SettingQuietTo, "23:59") }, ""},
		{"after quiet hours", func() { set(t, h, SettingQuietFrom, "") }, "8 new articles in 1 feed"},
		{"never", func() { set(t, h, SettingFeeds, None) }, ""},
	} {
		said, now = "", now.Add(time.Minute)
		step.change()
		if tell(t.Context(), []poller.Outcome{{Feed: 1, Unread: 2}}); said != step.want {
			t.Errorf("%s: %q, want %q", step.what, said, step.want)
		}
	}
}

// A notification stays small, whatever feeds write.
func TestNotificationsAreShort(t *testing.T) {
	n, h := newNotifier(t)
	set(t, h, SettingFeeds, All)
	err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE feed SET title = ?", strings.Repeat("界", 200))
		if err == nil {
			_, err = tx.Exec("UPDATE article SET title = ?", strings.Repeat("long title ", 100))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := shown(t, n, ofOutcome, n.ofFeeds, poller.Outcome{Feed: 1, Unread: 3})
	for _, line := range strings.Split(got, "\n") {
		if count := utf8.RuneCountInString(line); count > maxFeedName+2+maxTitle {
			t.Errorf("a line of %d characters", count)
		}
	}
	if !strings.Contains(got, "…: long title") || !strings.HasSuffix(got, "…") {
		t.Errorf("shown: %q", got)
	}
}

func TestQuietHours(t *testing.T) {
	at := func(clock string) time.Time {
		t, _ := time.Parse("15:04", clock)
		return t
	}
	for _, tt := range []struct {
		from, to, now string
		quiet         bool
	}{
		{"22:00", "07:00", "23:30", true}, {"22:00", "07:00", "06:59", true}, {"22:00", "07:00", "07:00", false},
		{"12:00", "13:00", "12:00", true}, {"12:00", "13:00", "13:00", false}, {"", "07:00", "03:00", false},
		{"25:00", "07:00", "03:00", false}, {"08:00", "08:00", "08:00", false},
	} {
		if got := (settings{from: tt.from, to: tt.to}).quiet(at(tt.now)); got != tt.quiet {
			t.Errorf("%s–%s at %s: %v", tt.from, tt.to, tt.now, got)
		}
	}
}

// Every fetch brings news but that of a new subscription.
func TestWhichFetchesBringNews(t *testing.T) {
	for reason, want := range map[poller.Code]bool{poller.Planned: true, poller.Retry: true, poller.Probe: true, poller.Manual: true, poller.First: false} {
		if got := bringsNews(poller.Outcome{Reason: reason, Unread: 1}); got != want {
			t.Errorf("%s: %v", reason, got)
		}
		if bringsNews(poller.Outcome{Reason: reason}) {
			t.Errorf("%s: nothing is news", reason)
		}
	}
}
