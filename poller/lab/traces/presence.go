package traces

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"kairos/poller/score"
	"kairos/useraccess/rate"
)

// Sign is a sign at a time, in Unix seconds, that a person may be about to come.
type Sign struct {
	At   int64
	Kind rate.Sign
}

// ReadPresence reads signs of presence: columns user_id,unix_seconds,kind, rows in any order. Equal rows
// are one sign. A person who has no row gives none. An error names the file and the line.
func (set *Set) ReadPresence(file string) error {
	signs := map[string][]Sign{}
	err := readCSV(file, []string{"user_id", "unix_seconds", "kind"}, nil, func(_ int, row []string) error {
		at, err := readTime(row[1])
		if err != nil {
			return err
		}
		kind := rate.Sign(row[2])
		if !slices.Contains(rate.Signs, kind) {
			return fmt.Errorf("%q is not a kind of sign: %s", row[2], signNames())
		}
		id := strings.Clone(row[0])
		signs[id] = append(signs[id], Sign{at, rate.Sign(strings.Clone(row[2]))})
		return nil
	})
	if err != nil {
		return err
	}
	silent := 0
	for i := range set.Users {
		u := &set.Users[i]
		if u.Presence = sortedSigns(signs[u.ID]); len(u.Presence) == 0 {
			silent++
		}
	}
	if silent > 0 {
		set.Notes = append(set.Notes, fmt.Sprintf("no signs of presence are given of %d users", silent))
	}
	return nil
}

// signNames lists the kinds of signs in English.
func signNames() string {
	names := make([]string, len(rate.Signs))
	for i, s := range rate.Signs {
		names[i] = string(s)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// sortedSigns returns signs in order of time, equal ones once.
func sortedSigns(signs []Sign) []Sign {
	slices.SortFunc(signs, func(a, b Sign) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Kind, b.Kind)) })
	return slices.Compact(signs)
}

// DealtPresence is how well made-up signs foretell accesses.
type DealtPresence struct {
	Probability float64       // that a sign comes before an access
	Lead        time.Duration // the longest time between the two, which is uniform from a second on
	False       float64       // signs without an access, for each before one
}

// UsualPresence is how people come who wake their machine up to half an hour before they read, and as
// often for something else.
var UsualPresence = DealtPresence{Probability: 0.8, Lead: 30 * time.Minute, False: 1}

// DealPresence makes up signs of presence from a seed of each person's ID. False ones are of the same
// kind, at times spread evenly over those in which the machine is awake. So deal after the times awake
// are known.
func (set *Set) DealPresence(d DealtPresence) {
	for i := range set.Users {
		u := &set.Users[i]
		u.Presence = d.signs(u, set.End)
	}
}

func (d DealtPresence) signs(u *User, end int64) (signs []Sign) {
	h := fnv.New64a()
	h.Write([]byte(u.ID)) //nolint:errcheck // a hash cannot fail
	r := rand.New(rand.NewPCG(h.Sum64(), 28))
	awake, lead := score.Awake(u.Awake), max(1, int64(d.Lead/time.Second))
	for _, a := range u.Accesses {
		chance, at := r.Float64(), a-1-r.Int64N(lead)
		if at = awake.Next(at); chance < d.Probability && at < a { // what comes to a sleeping machine wakes it
			signs = append(signs, Sign{at, rate.Return})
		}
	}
	if len(u.Accesses) > 0 {
		clock := newAwakeClock(u.Awake, u.Accesses[0]-lead, end)
		for n := int(float64(len(signs))*d.False + 0.5); n > 0 && clock.length > 0; n-- {
			signs = append(signs, Sign{clock.at(r.Int64N(clock.length)), rate.Return})
		}
	}
	return sortedSigns(signs)
}

// awakeClock counts the seconds in which a machine is awake.
type awakeClock struct {
	spans  []Span
	length int64 // seconds
}

// newAwakeClock counts them from one time to another; a machine without spans is always awake.
func newAwakeClock(awake []Span, from, to int64) (c awakeClock) {
	if awake == nil {
		awake = []Span{{From: from, To: to}}
	}
	for _, s := range awake {
		if s = (Span{From: max(s.From, from), To: min(s.To, to)}); s.From < s.To {
			c.spans = append(c.spans, s)
			c.length += s.To - s.From
		}
	}
	return c
}

// at returns the time of a second, the first being 0.
func (c *awakeClock) at(second int64) int64 {
	for _, s := range c.spans {
		if second < s.To-s.From {
			return s.From + second
		}
		second -= s.To - s.From
	}
	return c.spans[len(c.spans)-1].To - 1
}
