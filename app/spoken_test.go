package app

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/app/language"
	"kairos/poller"
)

// speak makes a language the one spoken, until the test ends.
func speak(t *testing.T, name string) {
	t.Helper()
	if err := language.Choose(name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := language.Choose("en"); err != nil {
			t.Error(err)
		}
	})
}

// pollerSays is what the poller's own functions say, so that a sentence changed there is
// noticed here.
func pollerSays() []string {
	said := []string{
		poller.When(noon.AddDate(0, 0, 1), noon), poller.When(noon.AddDate(0, 0, -1), noon), poller.Size(4200),
		poller.Sum{}.Words(), poller.Sum{Fetches: 7, Fresh: 2, Articles: 5, Unchanged: 3, Faults: 1, NotAsked: 2, Bytes: 4200}.Words(),
		(&poller.Push{Share: poller.Share{Fetches: 3, Delay: 2.5}}).Sentence(), (&poller.Push{}).Sentence(),
		"before your 07:40 reading; 0.4 articles expected", "next in turn; every 3 days; 1 article expected",
		"at least every 3 h, as you asked; 12 articles expected", "Wed 08:00: before your 08:10 reading; 2 articles expected.",
		"It wants no fetch from 00:00 to 03:00, 05:00 to 06:00 and 09:00 to 10:00 (skipHours).", "It wants no fetch on Sunday and Saturday (skipDays, in UTC).",
		"Since Sun 12:00 its server has pointed to http://b.example/b for good, 2 times; the address is changed after 5 times in 7 days.",
		"example.org is left alone until 13:00, as it asks (429 or 503); that binds a refresh by hand, too.",
	}
	for c := range map[poller.Code]bool{poller.Planned: true, poller.TopUp: true, poller.CatchUp: true, poller.Burst: true, poller.Retry: true,
		poller.First: true, poller.Manual: true, poller.Probe: true, poller.Icon: true, poller.Shown: true, poller.Saved: true, poller.Page: true} {
		said = append(said, c.Words(), "3 "+c.Words())
	}
	for _, d := range []time.Duration{45 * time.Second, 20 * time.Minute, 3 * time.Hour, 50 * time.Hour} {
		said = append(said, poller.Span(d))
	}
	return said
}

// What the poller says is known here: in English it stays what it is, and in German
// nothing of it stays.
func TestSpoken(t *testing.T) {
	said := pollerSays()
	for _, s := range said {
		if got := spoken(s); got != s {
			t.Errorf("in English %q is %q", s, got)
		}
	}
	speak(t, "de")
	alike := []string{"3 h", "20 min", "45 s"}
	for _, s := range said {
		if got := spoken(s); got == s && !slices.Contains(alike, s) {
			t.Errorf("%q is not known", s)
		}
	}
	for english, want := range map[string]string{
		"before your 07:40 reading; 0.4 articles expected":                      "vor dem Lesen um 07:40; 0,4 Artikel erwartet",
		"7 fetches, 2 with 5 new articles, 1 fault, 4.2 kB":                     "7 Abrufe, 2 mit 5 neuen Artikeln, 1 Fehler, 4,2 kB",
		"tomorrow 07:40: next in turn.":                                         "morgen 07:40: regulär an der Reihe.",
		"It wants no fetch from 00:00 to 03:00 and 09:00 to 10:00 (skipHours).": "Abrufe sind nicht erwünscht von 00:00 bis 03:00 und 09:00 bis 10:00 (skipHours).",
		"It wants no fetch on Sunday and Saturday (skipDays, in UTC).":          "Abrufe sind nicht erwünscht am Sonntag und Samstag (skipDays, nach UTC).",
		"A sentence, that nobody knows; nor this":                               "A sentence, that nobody knows; nor this",
		"": "",
	} {
		if got := spoken(english); got != want {
			t.Errorf("%q: %q, want %q", english, got, want)
		}
	}
	deep := strings.Repeat("02:07, by hand: ", 500) + "unchanged" + strings.Repeat(" (304)", 500) + "."
	if got := spoken(deep); got == "" { // in time, however deep
		t.Error("nothing is said")
	}
	if got := errorText(errors.New("the {{.Text}} of a stranger")); got != "The {{.Text}} of a stranger." {
		t.Errorf("%q", got)
	}
}
