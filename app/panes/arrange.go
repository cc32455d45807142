package panes

// Pane is one of the three parts of the window, from the leading one to the trailing one.
type Pane int

// The panes.
const (
	Sidebar Pane = iota
	List
	Article
)

// Layout is how the panes stand to each other. It is stored under its value.
type Layout string

// The layouts.
const (
	Columns  Layout = ""         // three columns
	Wide     Layout = "wide"     // the list above the article
	Combined Layout = "combined" // the articles, one below the other, take the place of the list
)

// Widths of the window, in Fyne's units, below which there is room for fewer panes. They are those at which libadwaita's
// readers fold theirs: 14-point text keeps lines of some fifty characters.
const (
	threeFrom = 900
	twoFrom   = 600
)

// room is how many panes stand beside each other in this width.
func room(width float32) int {
	switch {
	case width < twoFrom:
		return 1
	case width < threeFrom:
		return 2
	}
	return 3
}

// arrangement is what decides which panes are on screen.
type arrangement struct {
	layout    Layout
	collapsed bool // the sidebar is hidden where there would be room for it
	room      int
	at        Pane // the pane that is certainly on screen
}

// shown tells which panes are on screen.
func (a arrangement) shown() (on [3]bool) {
	if a.room == 1 {
		on[a.at] = true
		return on
	}
	if a.layout == Combined {
		on[Sidebar] = !a.collapsed
		on[Article] = a.at == Article
		on[List] = !on[Article]
		return on
	}
	if a.room == 2 {
		on[List], on[Sidebar], on[Article] = true, a.at == Sidebar, a.at != Sidebar
		return on
	}
	return [3]bool{!a.collapsed, true, true}
}

// back is the pane to go to so that what stands before those on screen is seen; ok is false if that is nothing.
func (a arrangement) back() (to Pane, ok bool) {
	was := a.shown()
	for to = a.at - 1; to >= Sidebar; to-- {
		b := a
		b.at = to
		if is := b.shown(); is != was && is[to] {
			return to, true
		}
	}
	return a.at, false
}

// Widths and heights of panes, in Fyne's units.
const (
	sidebarUsual   = 230
	sidebarLeast   = 140
	listUsual      = 0.37 // of what the sidebar leaves
	listUsualMost  = 460
	listLeast      = 220
	articleLeast   = 280
	listHighUsual  = 0.4
	listHighLeast  = 120
	articleHighest = 160 // what a list above leaves to the article at least
)

// sidebarWidth is the width of a sidebar that was left at want (0: never touched) beside other panes.
func sidebarWidth(want, total float32) float32 {
	if want <= 0 {
		want = sidebarUsual
	}
	return between(want, sidebarLeast, total-listLeast)
}

// listWidth is the width of a list that was left at want beside the article.
func listWidth(want, total float32) float32 {
	if want <= 0 {
		want = min(listUsual*total, listUsualMost)
	}
	return between(want, listLeast, total-articleLeast)
}

// listHeight is the height of a list that was left at want above the article.
func listHeight(want, total float32) float32 {
	if want <= 0 {
		want = listHighUsual * total
	}
	return between(want, listHighLeast, total-articleHighest)
}

// between is x kept between two bounds, of which the lower one counts where they cross.
func between(x, least, most float32) float32 { return max(least, min(x, most)) }
