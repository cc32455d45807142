package story

import (
	"slices"
	"testing"
	"time"
)

// neighborOf returns an article of testdata, whose feeds have names of one letter.
func neighborOf(a *told) Neighbor { return Neighbor{int64(a.feed[0]), a.profile} }

// TestBoilerplate counts on articles whose texts are mostly or partly what their feeds repeat, as the reader compares them: beside
// others of the same days.
func TestBoilerplate(t *testing.T) {
	pairs := readPairs(t, "boilerplate")
	near := map[*told][]Neighbor{}
	for _, p := range pairs {
		for _, of := range [][2]*told{{p.a, p.b}, {p.b, p.a}} {
			if isCandidate(of[0].profile, of[1].profile) {
				near[of[0]] = append(near[of[0]], neighborOf(of[1]))
			}
		}
	}
	var c, alone counts
	for _, p := range pairs {
		if gap := time.Duration(p.b.hour-p.a.hour) * time.Hour; p.a.feed == p.b.feed || gap.Abs() > Window || !isCandidate(p.a.profile, p.b.profile) {
			c.add(p, false)
			alone.add(p, false)
			continue
		}
		b := FindBoilerplate(neighborOf(p.b), near[p.b])
		alike := Alike(p.a.profile.Without(b), p.b.profile.Without(b))
		if alike != p.same {
			t.Logf("%q and %q: alike %v, %+v", p.a.title, p.b.title, alike, compareProfiles(p.a.profile.Without(b), p.b.profile.Without(b)))
		}
		alone.add(p, Alike(p.a.profile, p.b.profile))
		c.add(p, alike)
	}
	t.Logf("%d pairs, %d the same: %d found, %d wrong; without that %d found, %d wrong", c.pairs, c.same, c.found, c.wrong, alone.found, alone.wrong)
	if c.pairs < 200 || c.precision() < 0.98 || c.recall() < 0.5 { // of some texts nothing but the title tells
		t.Errorf("of %d pairs: precision %.3f, recall %.3f", c.pairs, c.precision(), c.recall())
	}
}

func TestWithout(t *testing.T) {
	const thanks = "Thank you for reading the letter of the mill, which comes every Thursday with what the miller saw, heard and counted."
	a := Neighbor{1, NewProfile("Heron counted", thanks+" Nine herons stood at the weir.")}
	b := Neighbor{1, NewProfile("Price of flour", thanks+" A sack costs twelve marks.")}
	found := FindBoilerplate(a, []Neighbor{b})
	if len(found) == 0 {
		t.Fatal("found none")
	}
	alone := NewProfile("Heron counted", "Nine herons stood at the weir.")
	rest := a.Profile.Without(found)
	if !slices.Equal(rest.lead, alone.lead) || rest.numbers != alone.numbers {
		t.Errorf("%v is left, want %v", rest.lead, alone.lead)
	}
	if len(a.Profile.lead) == len(rest.lead) || a.Profile.Without(nil) != a.Profile {
		t.Error("the profile itself was changed")
	}
	if other := (Neighbor{2, b.Profile}); len(FindBoilerplate(a, []Neighbor{other})) != 0 {
		t.Error("what two feeds share is boilerplate")
	}
}

func TestBelongs(t *testing.T) {
	const text = quake + " Mayor Ines Tavora said that two people had been hurt by falling masonry, and that the hospital was running on generators."
	a, like := NewProfile("Earthquake off Corvana", text), NewProfile("Earthquake shakes Corvana", text)
	other := NewProfile("Bats hum in dialects", "Bats in the caves of Ruun hum in different dialects, biologists report after recording them for six years with microphones that they had hung from the ceiling, one in each of fourteen caves, and with patience.")
	for _, c := range []struct {
		others []*Profile
		want   bool
	}{
		{nil, true},
		{[]*Profile{other}, true},
		{[]*Profile{other, other}, false},
		{[]*Profile{other, other, like}, true},
		{[]*Profile{NewProfile("Comments", "Comments"), NewProfile("Corvana", "")}, true},
	} {
		if got := Belongs(a, c.others); got != c.want {
			t.Errorf("beside %d: %v", len(c.others), got)
		}
	}
}
