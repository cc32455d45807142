package traces

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func awakeSet() *Set {
	return &Set{End: 1749000000, Users: []User{{ID: "u"}, {ID: "v"}}}
}

func TestReadAwake(t *testing.T) {
	set := awakeSet()
	name := file(t, t.TempDir(), "awake.csv.gz", "from,to,user_id\n1748830000,1748840000,u\n1748820000,1748825000,u\n1748840000,1748841000.5,u\n1748820000,1748825000,stranger\n")
	if err := set.ReadAwake(name); err != nil {
		t.Fatal(err)
	}
	if want := []Span{{From: 1748820000, To: 1748825000}, {From: 1748830000, To: 1748841000}}; !slices.Equal(set.Users[0].Awake, want) {
		t.Errorf("%v, want %v: sorted, those that touch are one", set.Users[0].Awake, want)
	}
	if set.Users[1].Awake != nil || !strings.Contains(strings.Join(set.Notes, "\n"), "user v is always on") {
		t.Errorf("%v, %q", set.Users[1].Awake, set.Notes)
	}
}

func TestReadAwakeFaults(t *testing.T) {
	const header = "user_id,from,to\n"
	for _, c := range []struct{ text, want string }{
		{header + "u,1748820000,1748825000\nu,1748830000,1748829999\n", "awake.csv:3: the span ends at 1748829999, but begins at 1748830000"},
		{header + "u,1748820000,1748820000\n", "awake.csv:2: the span ends at"},
		{header + "u,1748830000,1748840000\nv,1748830000,1748840000\nu,1748820000,1748830001\n", "awake.csv:2: the span from 1748830000 overlaps that of line 4 for u"},
		{header + "u,1748830000,1748840000\nu,1748830000,1748840000\n", "awake.csv:3: "},
		{header + "u,soon,1748840000\n", `awake.csv:2: "soon" is not a number`},
		{header + "u,1748830000,NaN\n", `awake.csv:2: "NaN" is not a number`},
		{header + "u,1000,1748840000\n", "awake.csv:2: 1000 is not a time between 1990 and 9999"},
		{header + "u,,1748840000\n", "awake.csv:2: the from is empty"},
		{"user_id,unix_seconds\nu,1748840000\n", "awake.csv:1: column from is missing"},
		{"", "awake.csv:1: the file is empty"},
	} {
		set := awakeSet()
		err := set.ReadAwake(file(t, t.TempDir(), "awake.csv", c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || set.Users[0].Awake != nil {
			t.Errorf("%q: %v, %v; want %q", c.text, set.Users[0].Awake, err, c.want)
		}
	}
	if err := awakeSet().ReadAwake("no such file"); err == nil {
		t.Error("a file that is not there")
	}
}

// Laptops are awake at every access, spans are in order and apart, a third of the wakings bring
// no access, and half of the people work.
func TestLaptops(t *testing.T) {
	set := Synthetic()
	for i := range 60 {
		u := set.Users[i%6]
		u.ID += strings.Repeat("x", i+1)
		set.Users = append(set.Users, u)
	}
	set.Users = append(set.Users, User{ID: "nobody"})
	set.UseLaptops()
	again := Synthetic()
	again.UseLaptops()
	if !reflect.DeepEqual(set.Users[:6], again.Users) {
		t.Error("made up differently each time")
	}
	working, wakings, idle := 0, 0, 0
	for _, u := range set.Users {
		for i, s := range u.Awake {
			if s.From >= s.To || i > 0 && s.From <= u.Awake[i-1].To {
				t.Fatalf("%s: %v", u.ID, u.Awake[:i+1])
			}
		}
		for _, a := range u.Accesses {
			if !overlaps(u.Awake, Span{From: a, To: a + staysAwake}) {
				t.Fatalf("%s sleeps at %s", u.ID, FormatTime(a))
			}
		}
		works := 0
		for _, s := range u.Awake {
			if s.To-s.From >= (workEnds-workBegins)*3600 {
				works++
			}
		}
		if works > 5 {
			working++
			continue
		}
		for _, s := range u.Awake {
			if wakings++; len(Between(u.Accesses, s.From-1, s.To)) == 0 {
				idle++
			}
		}
	}
	if n := len(set.Users); working < n/4 || working > 3*n/4 {
		t.Errorf("%d of %d work", working, n)
	}
	if share := float64(idle) / float64(wakings); share < 0.3 || share > 0.36 {
		t.Errorf("%.2f of the wakings are without an access", share)
	}
}
