package traces

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/score"
	"kairos/useraccess/rate"
)

func TestReadPresence(t *testing.T) {
	set := func() *Set { return &Set{Users: []User{{ID: "u"}, {ID: "v"}, {ID: "w"}}} }
	s := set()
	text := "kind,user_id,unix_seconds\nresume,u,1748870000\nunlock,u,1748860000\nunlock,u,1748870000\nresume,u,1748870000\nplugged,v,1748870001\nreturn,nobody,1748870000\n"
	if err := s.ReadPresence(file(t, t.TempDir(), "s.csv.gz", text)); err != nil {
		t.Fatal(err)
	}
	want := []Sign{{1748860000, rate.Unlock}, {1748870000, rate.Resume}, {1748870000, rate.Unlock}}
	if !slices.Equal(s.Users[0].Presence, want) || !slices.Equal(s.Users[1].Presence, []Sign{{1748870001, rate.Plugged}}) || s.Users[2].Presence != nil {
		t.Errorf("%+v", s.Users)
	}
	if notes := strings.Join(s.Notes, "\n"); notes != "no signs of presence are given of 1 users" {
		t.Errorf("notes %q", notes)
	}
	for text, want := range map[string]string{
		"user_id,unix_seconds,kind\nu,1748870000,unlock\nu,1748870001,wave\n": `s.csv:3: "wave" is not a kind of sign: unlock, return, resume or plugged`,
		"user_id,unix_seconds,kind\nu,1748870000,Unlock\n":                    `s.csv:2: "Unlock" is not a kind`,
		"user_id,unix_seconds,kind\nu,soon,unlock\n":                          `s.csv:2: "soon" is not a number`,
		"user_id,unix_seconds,kind\nu,1748870000000,unlock\n":                 "s.csv:2: 1748870000000 is not a time between",
		"user_id,unix_seconds,kind\nu,1748870000,\n":                          "s.csv:2: the kind is empty",
		"user_id,unix_seconds\nu,1748870000\n":                                "s.csv:1: column kind is missing",
		"":                                                                    "s.csv:1: the file is empty",
	} {
		s := set()
		err := s.ReadPresence(file(t, t.TempDir(), "s.csv", text))
		if err == nil || !strings.Contains(err.Error(), want) || s.Users[0].Presence != nil {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if err := set().ReadPresence(filepath.Join(t.TempDir(), "none.csv")); err == nil {
		t.Error("a missing file is read")
	}
}

// Signs are dealt as they should be: before so many of the accesses, by a uniform lead, and so many false
// ones for each of these; none while the machine sleeps, and the same every time.
func TestDealPresence(t *testing.T) {
	dealt := func(laptop bool, d DealtPresence) []User {
		set := SyntheticWeeks(26)
		if laptop {
			set.UseLaptops()
		}
		set.DealPresence(d)
		return set.Users
	}
	for _, laptop := range []bool{false, true} {
		users := dealt(laptop, DealtPresence{Probability: 0.6, Lead: 20 * time.Minute})
		accesses, signs, lead := 0.0, 0.0, 0.0
		for i := range users {
			u := &users[i]
			accesses += float64(len(u.Accesses))
			signs += float64(len(u.Presence))
			for _, s := range u.Presence {
				n, _ := slices.BinarySearch(u.Accesses, s.At+1)
				lead += float64(u.Accesses[n] - s.At)
				if u.Accesses[n]-s.At > 1200 {
					t.Errorf("a sign comes %d s before the access", u.Accesses[n]-s.At)
				}
				if score.Awake(u.Awake).Next(s.At) != s.At {
					t.Errorf("the machine of %s sleeps at a sign", u.ID)
				}
			}
		}
		if got := signs / accesses; math.Abs(got-0.6) > 0.02 {
			t.Errorf("signs come before %v of the accesses", got)
		}
		// Another access may lie between, and a laptop may wake after the time dealt.
		if got := lead / signs; !laptop && math.Abs(got-600) > 60 || got > 660 {
			t.Errorf("signs come %v s before accesses, on average", got)
		}
		more := dealt(laptop, DealtPresence{Probability: 0.6, Lead: 20 * time.Minute, False: 1.5})
		for i := range more {
			u := &more[i]
			if got := float64(len(u.Presence)) / float64(len(users[i].Presence)); math.Abs(got-2.5) > 0.02 {
				t.Errorf("with 1.5 false ones for each there are %v times as many signs", got)
			}
			for _, s := range u.Presence {
				if score.Awake(u.Awake).Next(s.At) != s.At {
					t.Errorf("the machine of %s sleeps at a false sign", u.ID)
				}
			}
		}
		if again := dealt(laptop, DealtPresence{Probability: 0.6, Lead: 20 * time.Minute, False: 1.5}); !slices.Equal(again[0].Presence, more[0].Presence) {
			t.Error("signs differ from time to time")
		}
	}
	if users := dealt(false, DealtPresence{False: 2}); len(users[0].Presence) > 0 {
		t.Error("a probability of 0 deals signs")
	}
}
