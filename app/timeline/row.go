package timeline

import (
	"image"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/bidi"
	"kairos/app/icon"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/settings"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/search"
)

// Density is how much of an article a row of the timeline shows.
type Density string

const (
	RowsNormal   Density = settings.RowsNormal
	RowsCompact  Density = settings.RowsCompact
	RowsPictures Density = settings.RowsPictures
)

// rowHeight is the height of a row of three lines, compactRowHeight that of one line.
const (
	rowHeight        = 70
	compactRowHeight = 28
)

// height is that of a row.
func (d Density) height() float32 {
	if d == RowsCompact {
		return compactRowHeight
	}
	return rowHeight
}

// row shows an article: its title in as many lines as it needs, at most two, what is left of three lines of its
// text, its feed and its age.
type row struct {
	widgets.ListRow
	density         Density
	oneFeed         bool // all articles listed are of the same feed, whose name is not repeated
	icon            *icon.Feed
	unread          *canvas.Circle
	title, summary  *widgets.Paragraph
	star, feed, age *widgets.Line
	group           *widgets.Line     // names the group that starts here
	selected        *canvas.Rectangle // behind a row that is selected with others
	thumbnail       *canvas.Image
	marks, found    titleMarks // in the title and in the text
	labels          icon.LabelDots
	labelNames      string
	when            string        // its age, or when it comes back
	plays           string        // how long it plays, or still does; "" if that is not known
	away            string        // when it comes back, "" if it is not away
	back, ended     bool          // it came back; it ended unread
	others          *widgets.Line // how many others tell the same
	story           story
	onStory         func()        // shows the others, or hides them
	onMiddle        func()        // of the middle button of the mouse; nil: nothing
	shown           int64         // the article, 0 while it is being loaded
	reason          func() string // why it stands there, "" if that is plain or not known yet; may be nil
}

func newRow() *row {
	small, caption := look.TextSize(look.SizeSmall), look.TextSize(theme.SizeNameCaptionText)
	r := &row{icon: icon.NewFeed(), unread: canvas.NewCircle(nil), star: widgets.NewLine(small), title: widgets.NewParagraph(look.TextSize(theme.SizeNameText)), summary: widgets.NewParagraph(small),
		feed: widgets.NewLine(caption), age: widgets.NewLine(caption), group: widgets.NewLine(caption), others: widgets.NewLine(caption), selected: canvas.NewRectangle(nil), labels: icon.NewLabelDots()}
	r.group.TextStyle.Bold = true
	r.group.Hidden, r.others.Hidden = true, true
	r.thumbnail = canvas.NewImageFromImage(nil)
	r.thumbnail.FillMode, r.thumbnail.CornerRadius = canvas.ImageFillCover, 4
	r.thumbnail.Hide()
	r.selected.Hide()
	r.Tooltip = r.tooltip
	r.ExtendBaseWidget(r)
	return r
}

// set shows an article as of now, with the icon of its feed and the words to highlight. A nil article is still being
// loaded.
func (r *row) set(a *reader.Article, icon *icon.Image, marks *search.Marks, now time.Time) {
	if a == nil {
		a = &reader.Article{Read: true}
		r.age.Content, r.title.Content = "", ""
		r.icon.Hide()
	} else {
		r.age.Content, r.title.Content = language.Printer().Age(a.Published, now), language.Printer().ArticleTitle(a.Title)
		r.icon.Set(r, a.Feed, a.FeedTitle, icon, false)
	}
	r.setSnooze(a, now)
	r.plays = language.Printer().PlayingTimeLeft(a.Plays, a.Left)
	if r.when = r.age.Content; r.plays != "" && r.density != RowsCompact {
		r.age.Content = "▸ " + r.plays + " · " + r.when
	}
	r.shown = a.ID
	r.summary.Content, r.feed.Content = summaryOf(a), a.FeedTitle
	r.title.Around = bidi.Mostly(r.title.Content + r.summary.Content)
	r.summary.Around = r.title.Around
	r.marks.find(r.title.Content, marks)
	r.found.inText = true
	r.found.find(r.summary.Content, marks)
	r.unread.Hidden = a.Read
	r.star.Content = ""
	if a.Starred {
		r.star.Content = "★"
	}
	title := look.ColorText
	if !a.Read {
		title = look.ColorUnread
	}
	r.title.SetStyle(widgets.Color(r, title), !a.Read)
	text := look.ColorMuted
	if len(r.found.parts) > 0 { // the paler color is too pale on a highlight
		text = look.ColorText
	}
	r.summary.SetStyle(widgets.Color(r, text), false)
	r.star.Color = widgets.Color(r, look.ColorStar)
	r.unread.FillColor = widgets.Color(r, look.ColorAccent)
	for _, l := range []*widgets.Line{r.feed, r.age} {
		l.Color = widgets.Color(r, look.ColorMuted)
	}
	r.Refresh()
}

// setSnooze shows when an article comes back in place of its age, or that it came back beside it.
func (r *row) setSnooze(a *reader.Article, now time.Time) {
	r.away, r.back, r.ended = "", a.Back, a.Ended
	switch {
	case !a.Away.IsZero():
		r.away = language.Printer().When(a.Away, now)
		r.age.Content = lang.L("back {{.When}}", map[string]any{"When": r.away})
	case a.Back:
		r.age.Content = lang.L("{{.Age}}, was snoozed", map[string]any{"Age": r.age.Content})
	}
}

// cutTitle is the title if only a part of it has room, else "".
func (r *row) cutTitle() string {
	if !r.title.IsCut() {
		return ""
	}
	return r.title.Content
}

// tooltip is what has no room in the row: the whole title, and why it stands there.
func (r *row) tooltip() string {
	lines := []string{r.cutTitle()}
	if r.reason != nil {
		lines = append(lines, r.reason())
	}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// mark shows whether the row is selected with others, and the heading of the group that starts with it.
func (r *row) mark(selected bool, group string) {
	if selected == !r.selected.Hidden && group == r.group.Content {
		return
	}
	r.selected.Hidden = !selected
	r.selected.FillColor = widgets.Color(r, look.ColorSelectedRow)
	r.group.Content = group
	r.group.Hidden = group == ""
	r.group.Color = widgets.Color(r, look.ColorAccent)
	r.Refresh()
}

// setStory shows what else tells the same as the article.
func (r *row) setStory(s story) {
	if s == r.story {
		return
	}
	r.story = s
	r.others.Content = ""
	if s.others > 0 {
		r.others.Content = othersText(s.others) + " " + map[bool]string{false: "▸", true: "▾"}[s.unfolded]
	}
	r.others.Hidden = r.others.Content == ""
	r.others.Color = widgets.Color(r, look.ColorAccent)
	r.Refresh()
}

// Tapped implements fyne.Tappable.
func (r *row) Tapped(ev *fyne.PointEvent) {
	if at := ev.Position.Subtract(r.others.Text.Position()); r.story.others > 0 && at.X >= -4 && at.X <= r.others.Text.Size().Width+4 && at.Y >= -4 && at.Y <= r.others.Text.Size().Height+6 {
		widgets.HideTooltip()
		r.onStory()
		return
	}
	r.ListRow.Tapped(ev)
}

// MouseDown implements desktop.Mouseable: the middle button opens the article in the browser.
func (r *row) MouseDown(ev *desktop.MouseEvent) {
	if ev.Button == desktop.MouseButtonTertiary && r.onMiddle != nil {
		widgets.HideTooltip()
		r.onMiddle()
	}
}

// MouseUp implements desktop.Mouseable.
func (r *row) MouseUp(*desktop.MouseEvent) {}

// setLabels shows the labels of an article, nil while it is being loaded.
func (r *row) setLabels(labels []reader.Label, a *reader.Article) {
	var ids []int64
	if a != nil {
		ids = a.Labels
	}
	r.labels.Set(r, labels, ids)
	r.labelNames = icon.LabelNames(labels, ids)
	r.Refresh()
}

// setThumbnail shows an image of the article at the right; nil shows none.
func (r *row) setThumbnail(img image.Image) {
	if r.thumbnail.Image == img {
		return
	}
	r.thumbnail.Image, r.thumbnail.Hidden = img, img == nil
	canvas.Refresh(r.thumbnail) // else the driver keeps its texture
	r.Refresh()
}

// Describe implements describe.Describer.
func (r *row) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleListItem}}
	n.States = n.States.With(accessible.Selected, !r.selected.Hidden)
	if r.shown == 0 {
		n.Name, n.States = lang.L("Loading…"), accessible.Busy
		return n
	}
	n.Key = r.shown
	says := text.ArticleRow{Title: r.title.Content, Age: r.when, Plays: r.plays, Unread: !r.unread.Hidden, Starred: r.star.Content != "", Labels: r.labelNames, Group: r.group.Content,
		Snoozed: r.away, Back: r.back, Ended: r.ended}
	if !r.oneFeed {
		says.Feed = r.feed.Content
	}
	if r.story.others > 0 {
		says.Others = othersText(r.story.others)
		n.States = n.States.With(accessible.Expandable, true).With(accessible.Expanded, r.story.unfolded)
		n.Act("story", lang.L("Show or hide the other articles of a story"), r.onStory)
	}
	n.Name, n.Description = language.Printer().ArticleRow(says), text.Opening(r.summary.Content)
	r.Offer(&n, r)
	return n
}

func (r *row) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

type rowRenderer struct{ *row }

func (r *rowRenderer) Destroy() {}

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(120, r.density.height()) }

func (r *rowRenderer) Objects() []fyne.CanvasObject {
	return slices.Concat([]fyne.CanvasObject{r.selected}, r.labels.Objects(), r.marks.objects(), r.found.objects(), r.icon.Objects(), r.title.Objects(), r.summary.Objects(),
		r.group.Objects(), r.others.Objects(), []fyne.CanvasObject{r.unread, r.star.Text}, r.feed.Objects(), r.age.Objects(), []fyne.CanvasObject{r.thumbnail})
}

// Where things stand in a row.
const (
	rowLeft, rowRight = 22, 10
	rowIndent         = 20 // of what stands below another row
	rowLine1          = 5  // the title
	rowLine2          = 25 // the rest of the title, or the text
	rowLine3          = 47 // the feed and the age
	lineStep          = 22 // from one to the next
	starLine          = 3  // the star, whose font is lower
	unreadDot         = 8
)

// left is where a row begins: the other articles of a story are indented below the one that stands for it.
func (r *row) left() float32 {
	if r.story.below {
		return rowLeft + rowIndent
	}
	return rowLeft
}

func (r *rowRenderer) Layout(size fyne.Size) {
	r.selected.Resize(size)
	r.unread.Resize(fyne.NewSize(unreadDot, unreadDot))
	if r.density == RowsCompact {
		r.layoutCompact(size)
	} else {
		r.layoutLines(size)
	}
	r.marks.layout(r, r.title)
	r.found.layout(r, r.summary)
}

// measure is the width that a line needs for all of its text.
func measure(l *widgets.Line) float32 {
	return l.Needs().Width + 1
}

// layoutLines puts everything into three lines, or fewer in the middle of the row.
func (r *rowRenderer) layoutLines(size fyne.Size) {
	if lines := r.layoutLinesAt(size, 3); lines < 3 {
		r.layoutLinesAt(size, lines)
	}
}

// layoutLinesAt puts what is there into the middle of the row as if it took so many lines, and returns how many it takes.
func (r *rowRenderer) layoutLinesAt(size fyne.Size, lines int) (taken int) {
	left := r.left()
	drop := float32(3-lines) * lineStep / 2
	line1, line2, line3 := rowLine1+drop, rowLine2+drop, rowLine3+drop
	if !r.oneFeed && lines == 2 { // the title and the feed
		line1, line3 = line1-2, line3-lineStep+2
	}
	r.unread.Move(fyne.NewPos(left-14, line1+6))
	width := max(0, size.Width-left-rowRight)
	if !r.thumbnail.Hidden {
		width = max(0, width-thumbnailSide-10)
		r.thumbnail.Resize(fyne.NewSquareSize(thumbnailSide))
		r.thumbnail.Move(fyne.NewPos(left+width+10, (size.Height-thumbnailSide)/2))
	}
	first := width
	if r.star.Content != "" {
		first = max(0, first-20)
		r.star.Fit(left+first+4, starLine+drop, 18)
	} else {
		r.star.Fit(left, line1, 0)
	}
	first = r.layoutGroup(first, line1)
	age := measure(r.age)
	placeAge := func(y float32) (beside float32) { // what is left beside the age and the labels
		r.age.Fit(left+width-age, y, age)
		return max(0, r.labels.Layout(left+width-age-4, y+8)-8-left)
	}
	beside := placeAge(line3)

	second := width
	if len(r.found.parts) > 0 && !r.oneFeed {
		second = 0 // the place found is to be seen
	}
	alone := r.oneFeed && r.summary.Content == "" // there is no text: the age stands beside the title
	if alone {
		second = beside
	}
	two := r.title.Break(first, second)
	r.title.Lines[0].Fit(left, line1, first)
	r.title.Lines[1].Fit(left, line2-1, second)
	r.title.Lines[1].Hidden = !two

	if r.oneFeed {
		r.icon.Hide()
	} else {
		r.icon.Layout(left, line3+8)
	}
	r.feed.Hidden = r.oneFeed
	r.layoutOthers(left+icon.Side+6, line3, max(0, beside-icon.Side-6))
	text := r.summary.Lines
	taken = 3
	switch {
	case alone:
		if !two && first == width && measure(r.title.Lines[0]) <= beside {
			placeAge(line1 + 1)
			taken = 1
		} else {
			placeAge(line2)
			taken = 2
		}
		r.summary.Break(0, 0) // leaves nothing of the article before
		text[0].Fit(left, line3, 0)
		text[1].Fit(left, line3, 0)
	case two && r.oneFeed:
		r.summary.Break(beside, 0)
		text[0].Fit(left, line3, beside)
	case two:
		text[0].Fit(left, line3, 0)
	case r.oneFeed:
		if !r.summary.Break(width, beside) && measure(text[0]) <= beside { // one line for both
			width = placeAge(line2 + 2)
			taken = 2
		}
		text[0].Fit(left, line2+2, width)
		text[1].Fit(left, line3, beside)
	default:
		r.summary.Break(width, 0)
		text[0].Fit(left, line2+2, width)
		if r.summary.Content == "" {
			taken = 2
		}
	}
	text[0].Hidden, text[1].Hidden = two && !r.oneFeed, two || !r.oneFeed
	return taken
}

// layoutOthers puts the feed into a line, and behind it how many others tell the same.
func (r *rowRenderer) layoutOthers(x, y, width float32) {
	if r.others.Hidden {
		r.feed.Fit(x, y, width)
		return
	}
	others := min(width, measure(r.others))
	feed := min(max(0, width-others-8), measure(r.feed))
	r.feed.Fit(x, y, feed)
	r.others.Fit(x+feed+8, y, min(others, max(0, width-feed-8)))
}

// layoutOthersCompact puts how many others tell the same at the end of a line, and returns what is left of it.
func (r *rowRenderer) layoutOthersCompact(left, right float32) float32 {
	if r.others.Hidden {
		return right
	}
	others := min(max(0, right-left)/3, measure(r.others))
	r.others.Fit(right-others, rowLine1+1, others)
	return right - others - 8
}

// layoutGroup puts the heading of a group at the end of the first line and returns the width that is left.
func (r *rowRenderer) layoutGroup(width, y float32) float32 {
	left := r.left()
	if r.group.Content == "" {
		r.group.Fit(left, y, 0)
		return width
	}
	wide := min(width/2, measure(r.group)+1)
	width = max(0, width-wide-12)
	r.group.Fit(left+width+12, y+1, wide)
	return width
}

// layoutCompact puts icon, title, star and age into one line.
func (r *rowRenderer) layoutCompact(size fyne.Size) {
	r.unread.Move(fyne.NewPos(r.left()-14, rowLine1+6))
	left, right := r.left(), size.Width-rowRight
	if r.oneFeed {
		r.icon.Hide()
	} else {
		r.icon.Layout(left, size.Height/2)
		left += icon.Side + 6
	}
	age := measure(r.age)
	right -= age
	r.age.Fit(right, rowLine1+1, age)
	right = r.labels.Layout(right-2, size.Height/2) - 8
	if r.star.Content != "" {
		right -= 16
		r.star.Fit(right, starLine, 16)
	} else {
		r.star.Fit(left, rowLine1, 0)
	}
	right = r.layoutOthersCompact(left, right)
	width := r.layoutGroup(max(0, right-r.left()), rowLine1) - left + r.left()
	r.title.Break(width, 0)
	r.title.Lines[0].Fit(left, rowLine1-1, max(0, width))
	for _, l := range []*widgets.Line{r.title.Lines[1], r.summary.Lines[0], r.summary.Lines[1], r.feed} {
		l.Hidden = true
	}
	r.thumbnail.Hidden = true
}

func (r *rowRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.row)
}

// summaryOf is what stands below the title of an article: its text, or what the title leaves of it.
func summaryOf(a *reader.Article) string {
	if !a.Untitled {
		return a.Summary
	}
	return strings.TrimSpace(strings.TrimPrefix(a.Summary, strings.TrimSuffix(a.Title, "…")))
}
