package text

import (
	"testing"
	"time"

	"kairos/reader/codetest"

	"github.com/google/go-cmp/cmp"
)

// printers are those of all catalogs, by name.
func printers(t *testing.T) map[string]*Printer {
	t.Helper()
	all := map[string]*Printer{}
	for _, name := range []string{"en", "de", "zh_Hans"} {
		p, err := In(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = p
	}
	return all
}

// worded checks that every code has words in every language.
func worded[Code ~string](t *testing.T, say func(*Printer, Code) string) {
	t.Helper()
	wordedOf(t, codetest.Of[Code](t), say)
}

func wordedOf[Code ~string](t *testing.T, codes []Code, say func(*Printer, Code) string) {
	t.Helper()
	for name, p := range printers(t) {
		for _, code := range codes {
			if text := say(p, code); text == "" || text == string(code) {
				t.Errorf("%s: the code %q has no words", name, code)
			}
		}
	}
}

// Whole numbers have the separator of their language, in sentences as in counts.
func TestThousands(t *testing.T) {
	for name, want := range map[string][]string{
		"en":      {"999", "1,000", "-12,345", "1,234,567", "100,000 feeds"},
		"de":      {"999", "1.000", "-12.345", "1.234.567", "100.000 Feeds"},
		"zh_Hans": {"999", "1,000", "-12,345", "1,234,567", "100,000 个订阅源"},
	} {
		p, err := In(name)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{p.Number(999), p.Number(1000), p.Number(-12345), p.Count(1234567), p.Feeds(100000)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	values := V{"N": 12345}
	if got := English().L("{{.N}} of", values); got != "12,345 of" || values["N"] != 12345 {
		t.Errorf("%q, the values are %v now", got, values)
	}
}

func TestAmounts(t *testing.T) {
	p := printers(t)
	for _, c := range []struct{ got, want string }{
		{p["en"].Span(45 * time.Second), "45 s"},
		{p["en"].Span(20 * time.Minute), "20 min"},
		{p["en"].Span(3 * time.Hour), "3 h"},
		{p["en"].Span(49 * time.Hour), "2 days"},
		{p["de"].Span(49 * time.Hour), "2 Tage"},
		{p["en"].playingTime(45 * time.Second), "45 s"},
		{p["en"].playingTime(2530 * time.Second), "42 min"},
		{p["en"].playingTime(59*time.Minute + 40*time.Second), "1 h"},
		{p["en"].playingTime(72 * time.Minute), "1 h 12 min"},
		{p["en"].playingTime(2 * time.Hour), "2 h"},
		{p["zh_Hans"].playingTime(72 * time.Minute), "1 小时 12 分钟"},
		{p["en"].PlayingTimeLeft(72*time.Minute, 18*time.Minute), "18 min left"},
		{p["de"].PlayingTimeLeft(72*time.Minute, 18*time.Minute), "noch 18\u00a0min"},
		{p["en"].PlayingTimeLeft(72*time.Minute, 0), "1 h 12 min"},
		{p["en"].PlayingTimeLeft(0, 0), ""},
		{p["en"].Size(0), "0 B"},
		{p["en"].Size(4200), "4.2 kB"},
		{p["de"].Size(4200), "4,2 kB"},
		{p["en"].Size(31_000_000), "31 MB"},
		{p["en"].List(nil), ""},
		{p["en"].List([]string{"a"}), "a"},
		{p["en"].List([]string{"a", "b", "c"}), "a, b and c"},
		{p["de"].List([]string{"a", "b", "c"}), "a, b und c"},
		{p["en"].Sentences("One.", "", "Two."), "One. Two."},
		{p["zh_Hans"].List([]string{"07:30", "12:30", "20:30"}), "07:30、12:30 和 20:30"},
		{p["zh_Hans"].Sentences("一。", "二。"), "一。二。"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestWhen(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) // a Wednesday
	p := printers(t)
	for _, c := range []struct {
		at               time.Time
		english, deutsch string
	}{
		{now.Add(2 * time.Hour), "14:00", "14:00"},
		{now.Add(20 * time.Hour), "tomorrow 08:00", "morgen 08:00"},
		{now.Add(-20 * time.Hour), "yesterday 16:00", "gestern 16:00"},
		{now.Add(48 * time.Hour), "Fri 12:00", "Fr 12:00"},
		{now.AddDate(0, 1, 0), "4 Apr 12:00", "4. Apr. 12:00"},
		{now.AddDate(-2, 0, 0), "4 Mar 2024", "4. März 2024"},
	} {
		if got := p["en"].When(c.at, now); got != c.english {
			t.Errorf("%s: %q, want %q", c.at, got, c.english)
		}
		if got := p["de"].When(c.at, now); got != c.deutsch {
			t.Errorf("%s: %q, want %q", c.at, got, c.deutsch)
		}
	}
}

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.00001: "0", 0.0042: "0.0042", 0.351: "0.35", 1: "1", 0.1: "0.1", 0.05: "0.05", 20: "20", 9.5: "9.5", 12.4: "12", 1234567: "1234567"} {
		if got := English().Figure(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}
