package story

import (
	"slices"
	"time"
)

const (
	// MaxTitleGap is how far apart two feeds may publish the same title as one story, and MaxRepeatedTitleGap how far apart one
	// that a feed repeats within this time: "Traffic on the ring road".
	MaxTitleGap         = 48 * time.Hour
	MaxRepeatedTitleGap = 10 * time.Minute
	// MaxArticles is how many articles may share a link or a title: more name a column, not a story.
	MaxArticles = 20
)

// Carried is an article as one feed carries it.
type Carried struct {
	Feed        int64
	Link, Title string
	Published   time.Time
	Story       int64 // that it is known to belong to; 0: none
}

// Same returns of each article the index of the first one that tells the same story, by what is known, by the link and by the title.
// A link that a feed has twice tells no story, nor does such a title, unless feeds published it within minutes.
func Same(articles []Carried) []int {
	first := make([]int, len(articles))
	for i := range first {
		first[i] = i
	}
	of := func(i int) int {
		for first[i] != i {
			first[i] = first[first[i]]
			i = first[i]
		}
		return i
	}
	join := func(all []int) {
		for _, i := range all[1:] {
			a, b := of(all[0]), of(i)
			first[max(a, b)] = min(a, b)
		}
	}
	for _, all := range grouped(articles, func(a *Carried) int64 { return a.Story }) {
		join(all)
	}
	for _, all := range grouped(articles, func(a *Carried) int64 { return Link(a.Link) }) {
		if once(articles, all) {
			join(all)
		}
	}
	for _, all := range grouped(articles, func(a *Carried) int64 { return Title(a.Title) }) {
		if near := publishedNear(articles, all, MaxTitleGap); once(articles, near) {
			join(near)
			continue
		}
		for _, run := range runs(articles, all, MaxRepeatedTitleGap) {
			if once(articles, run) {
				join(run)
			}
		}
	}
	for i := range first {
		first[i] = of(i)
	}
	return first
}

// grouped returns the articles that have the same number, other than 0.
func grouped(articles []Carried, number func(*Carried) int64) map[int64][]int {
	all := map[int64][]int{}
	for i := range articles {
		if n := number(&articles[i]); n != 0 {
			all[n] = append(all[n], i)
		}
	}
	return all
}

// once reports whether articles are one each of several feeds, and not too many.
func once(articles []Carried, all []int) bool {
	feeds := make(map[int64]bool, len(all))
	for _, i := range all {
		feeds[articles[i].Feed] = true
	}
	return len(feeds) == len(all) && len(all) <= MaxArticles
}

// publishedNear returns those that were published no longer than a time from the first one.
func publishedNear(articles []Carried, all []int, gap time.Duration) (near []int) {
	for _, i := range all {
		if articles[i].Published.Sub(articles[all[0]].Published).Abs() <= gap {
			near = append(near, i)
		}
	}
	return near
}

// runs splits articles by their times, where the next was published more than a time later.
func runs(articles []Carried, all []int, gap time.Duration) (runs [][]int) {
	slices.SortStableFunc(all, func(i, j int) int { return articles[i].Published.Compare(articles[j].Published) })
	from := 0
	for k := 1; k <= len(all); k++ {
		if k == len(all) || articles[all[k]].Published.Sub(articles[all[k-1]].Published) > gap {
			runs, from = append(runs, all[from:k]), k
		}
	}
	return runs
}
