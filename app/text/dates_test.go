package text

import (
	"slices"
	"testing"
	"time"
)

func TestDates(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	words := func(p *Printer) []string {
		return []string{p.Age(now.Add(-5*time.Minute), now), p.Age(now.Add(-30*time.Hour), now), p.Age(now.AddDate(0, 0, -20), now), p.Age(now.AddDate(-1, 0, 0), now),
			p.FullDate(now, now), p.FullDate(now.AddDate(-1, 0, 0), now), p.Day(now.AddDate(0, 0, -1), now), p.Day(now.AddDate(0, 0, -3), now),
			p.Day(now.AddDate(0, 0, -20), now), p.WeekdayDate(now), p.WeekdayDateShort(now), p.When(now.AddDate(0, 0, 10), now), p.When(now.AddDate(-1, 0, 0), now)}
	}
	for name, want := range map[string][]string{
		"en": {"5 min", "Tue 06:00", "12 Feb", "4 Mar 2025", "Wednesday, 4 March, 12:00", "Tuesday, 4 March 2025, 12:00", "Yesterday", "Sunday",
			"12 February", "Wednesday, 4 March", "Wed 4 Mar", "14 Mar 12:00", "4 Mar 2025"},
		"de": {"5\u00a0min", "Di 06:00", "12. Feb.", "4. März 2025", "Mittwoch, 4. März, 12:00", "Dienstag, 4. März 2025, 12:00", "Gestern", "Sonntag",
			"12. Februar", "Mittwoch, 4. März", "Mi 4. März", "14. März 12:00", "4. März 2025"},
		"zh_Hans": {"5 分钟", "周二 06:00", "2月12日", "2025年3月4日", "3月4日 星期三 12:00", "2025年3月4日 星期二 12:00", "昨天", "星期日",
			"2月12日", "3月4日 星期三", "3月4日 周三", "3月14日 12:00", "2025年3月4日"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := In(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := words(p); !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestAge(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		0: "now", -time.Hour: "now", 5 * time.Minute: "5 min", 3*time.Hour + 50*time.Minute: "3 h",
		30 * time.Hour: "Tue 06:00", 20 * 24 * time.Hour: "12 Feb", 100 * 24 * time.Hour: "24 Nov 2025",
	} {
		if got := English().Age(noon.Add(-d), noon); got != want {
			t.Errorf("Age of %v = %q, want %q", d, got, want)
		}
	}
}

func TestDay(t *testing.T) {
	now := time.Date(2026, 3, 4, 0, 30, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{
		0: "Today", -time.Hour: "Today", 31 * time.Minute: "Yesterday", 25 * time.Hour: "Monday",
		6 * 24 * time.Hour: "Thursday", 7 * 24 * time.Hour: "25 February", 80 * 24 * time.Hour: "14 December 2025",
	} {
		if got := English().Day(now.Add(-ago), now); got != want {
			t.Errorf("Day of %v ago = %q, want %q", ago, got, want)
		}
	}
}
