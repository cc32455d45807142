package lab

import (
	"math"
	"slices"
	"testing"

	"kairos/poller/lab/traces"
)

// The share of posts that are read falls with the rate as the exponent says, and tastes scatter about
// it with their median in the middle.
func TestReadingsFollowTheirLaw(t *testing.T) {
	for _, perDay := range []float64{0.2, 1, 4, 100} {
		for _, exponent := range []float64{0, 0.5, 1} {
			want := min(1, math.Pow(perDay, -exponent))
			if got := (Readings{Exponent: exponent}).chance("u", "f", perDay); math.Abs(got-want) > 1e-12 {
				t.Errorf("%v posts a day, exponent %v: %v are read, want %v", perDay, exponent, got, want)
			}
		}
	}
	below, squares := 0, 0.0
	const n = 4000
	for k := range n {
		x := math.Log(Readings{Exponent: 1, Taste: 0.7}.chance("u", string(rune(k)), 1000) * 1000)
		if squares += x * x; x < 0 {
			below++
		}
	}
	if sd := math.Sqrt(squares / n); math.Abs(sd-0.7) > 0.03 || math.Abs(float64(below)/n-0.5) > 0.03 {
		t.Errorf("tastes have a deviation of %v, and %d of %d are below 1", sd, below, n)
	}
	if got := (Readings{Taste: 10}).chance("u", "f", 0); got != 1 {
		t.Errorf("of a feed without posts %v are read", got)
	}
}

// Readings are dealt alike every time, to each person, feed and post apart, posts of one second too.
func TestReadingsAreDealt(t *testing.T) {
	posts := make([]int64, 0, 2000)
	for k := range int64(1000) {
		posts = append(posts, 1000000+k*60, 1000000+k*60)
	}
	read := func(user string) [][]bool { // four posts a day
		u := &traces.User{ID: user, Feeds: []traces.Feed{{ID: "a", Posts: posts}, {ID: "b", Posts: posts}}}
		w := NewWorldBetween(1000000-daySeconds, 1000000+499*daySeconds, u, Protocol{Readings: &Readings{Exponent: 1}})
		return w.read()
	}
	u, again, v := read("u"), read("u"), read("v")
	if !slices.Equal(u[0], again[0]) || slices.Equal(u[0], u[1]) || slices.Equal(u[0], v[0]) {
		t.Error("readings are not by seed, feed and person")
	}
	count, differ := 0, 0
	for k, r := range u[0] {
		if r {
			count++
		}
		if k%2 == 1 && r != u[0][k-1] {
			differ++
		}
	}
	if math.Abs(float64(count)/2000-0.25) > 0.04 || math.Abs(float64(differ)/1000-2*0.25*0.75) > 0.06 {
		t.Errorf("%d of 2000 posts are read at four a day, want a quarter; %d pairs of a second differ", count, differ)
	}
}
