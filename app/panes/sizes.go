package panes

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
