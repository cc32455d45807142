package traces

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"kairos/poller/score"
)

// Span is the time from From to To, exclusive, in Unix seconds.
type Span = score.Span

// ReadAwake reads when machines are awake: columns user_id,from,to in Unix seconds, rows in any
// order. The machine of a person who has no row is always on. An error names the file and the
// line of a span that is no span, or overlaps another of the same person.
func (set *Set) ReadAwake(file string) error {
	type row struct {
		Span
		line int
	}
	rows := map[string][]row{}
	err := readCSV(file, []string{"user_id", "from", "to"}, nil, func(line int, fields []string) error {
		from, err := readTime(fields[1])
		if err != nil {
			return err
		}
		to, err := readTime(fields[2])
		if err != nil {
			return err
		}
		if to <= from {
			return fmt.Errorf("the span ends at %s, but begins at %s", fields[2], fields[1])
		}
		id := strings.Clone(fields[0])
		rows[id] = append(rows[id], row{Span{From: from, To: to}, line})
		return nil
	})
	if err != nil {
		return err
	}
	for id, spans := range rows {
		slices.SortFunc(spans, func(a, b row) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.line, b.line)) })
		for i := 1; i < len(spans); i++ {
			if a, b := spans[i-1], spans[i]; b.From < a.To {
				return fmt.Errorf("%s:%d: the span from %d overlaps that of line %d for %s", file, b.line, b.From, a.line, id)
			}
		}
	}
	for i := range set.Users {
		u := &set.Users[i]
		if len(rows[u.ID]) == 0 {
			set.Notes = append(set.Notes, fmt.Sprintf("the machine of user %s is always on: no time awake is given", u.ID))
			continue
		}
		u.Awake = nil
		for _, r := range rows[u.ID] {
			u.Awake = append(u.Awake, r.Span)
		}
		u.Awake = merged(u.Awake)
	}
	return nil
}

// readTime reads a time in Unix seconds.
func readTime(text string) (int64, error) {
	t, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(t) || math.IsInf(t, 0) {
		return 0, fmt.Errorf("%q is not a number of seconds", text)
	}
	if t < float64(earliest) || t > float64(latest) {
		return 0, fmt.Errorf("%s is not a time between 1990 and 9999 in Unix seconds", text)
	}
	return int64(t), nil
}

// merged returns spans in order of time, those that touch as one.
func merged(spans []Span) (out []Span) {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	for _, s := range spans {
		if n := len(out); n > 0 && s.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, s.To)
			continue
		}
		out = append(out, s)
	}
	return out
}

// The laptops of UseLaptops.
const (
	wakesBefore = 30 * 60 // at most, seconds before an access
	staysAwake  = 30 * 60 // seconds after an access
	workBegins  = 9       // o'clock
	workEnds    = 17
)

// UseLaptops gives everybody a laptop, made up from a seed of their ID: it wakes 0 to 30 minutes
// before each access and sleeps 30 minutes after it; a third of all wakings are without an
// access, at the hours of the others; half of the people also keep it awake at work, from 9 to
// 17 on workdays, by the wall clock.
func (set *Set) UseLaptops() {
	for i := range set.Users {
		set.Users[i].useLaptop(set.End)
	}
}

func (u *User) useLaptop(end int64) {
	if len(u.Accesses) == 0 {
		return
	}
	h := fnv.New64a()
	h.Write([]byte(u.ID)) //nolint:errcheck // a hash cannot fail
	r := rand.New(rand.NewPCG(h.Sum64(), 25))
	around := func(at int64) Span { return Span{From: at - r.Int64N(wakesBefore), To: at + staysAwake} }
	var spans []Span
	for _, a := range u.Accesses {
		spans = append(spans, around(a))
	}
	spans = merged(spans)
	first := spans[0].From
	days := max(1, (end-first)/daySeconds)
	for range len(spans) / 2 {
		// Some tries find a time at which the machine would not be awake anyway.
		for range 20 {
			s := around(u.Accesses[r.IntN(len(u.Accesses))]%daySeconds + first - first%daySeconds + r.Int64N(days)*daySeconds)
			if !overlaps(spans, s) {
				spans = merged(append(spans, s))
				break
			}
		}
	}
	if r.IntN(2) == 0 {
		spans = merged(append(spans, workingHours(u.Zone, first, end)...))
	}
	u.Awake = spans
}

// overlaps reports whether a span overlaps one of ascending others.
func overlaps(spans []Span, s Span) bool {
	n, _ := slices.BinarySearchFunc(spans, s.From, func(x Span, at int64) int { return cmp.Compare(x.To, at) })
	return n < len(spans) && spans[n].From <= s.To
}

func workingHours(zone *time.Location, from, to int64) (spans []Span) {
	for day := time.Unix(from, 0).In(zone); day.Unix() < to; day = day.AddDate(0, 0, 1) {
		if d := day.Weekday(); d == time.Saturday || d == time.Sunday {
			continue
		}
		at := func(hour int) int64 { return time.Date(day.Year(), day.Month(), day.Day(), hour, 0, 0, 0, zone).Unix() }
		spans = append(spans, Span{From: at(workBegins), To: at(workEnds)})
	}
	return spans
}
