package app

import (
	"image"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/search"
)

const timelineRowHeight = 76

// timelineRow shows an article in three lines: title, text, and feed with age.
type timelineRow struct {
	widgets.ListRow
	icon                            *feedIcon
	unread                          *canvas.Circle
	star, title, summary, feed, age *widgets.Line
	group                           *widgets.Line     // names the group that starts here
	selected                        *canvas.Rectangle // behind a row that is selected with others
	thumbnail                       *canvas.Image
	marks, found                    titleMarks // in the title and in the text
	labels                          labelDots
}

func newTimelineRow() *timelineRow {
	r := &timelineRow{icon: newFeedIcon(), unread: canvas.NewCircle(nil), star: widgets.NewLine(13), title: widgets.NewLine(14), summary: widgets.NewLine(12.5),
		feed: widgets.NewLine(12), age: widgets.NewLine(12), group: widgets.NewLine(12), selected: canvas.NewRectangle(nil), labels: newLabelDots()}
	r.group.TextStyle.Bold = true
	r.group.Hidden = true
	r.thumbnail = canvas.NewImageFromImage(nil)
	r.thumbnail.FillMode, r.thumbnail.CornerRadius = canvas.ImageFillCover, 4
	r.thumbnail.Hide()
	r.selected.Hide()
	r.ExtendBaseWidget(r)
	return r
}

// set shows an article as of now, with the icon of its feed and the words to highlight. A nil article is still being
// loaded.
func (r *timelineRow) set(a *reader.Article, icon *feedIconImage, marks *search.Marks, now time.Time) {
	if a == nil {
		a = &reader.Article{Read: true}
		r.age.Content, r.title.Content = "", ""
		r.icon.hide()
	} else {
		r.age.Content, r.title.Content = language.Printer().Age(a.Published, now), language.Printer().ArticleTitle(a.Title)
		r.icon.set(r, a.Feed, a.FeedTitle, icon, false)
	}
	r.summary.Content, r.feed.Content = a.Summary, a.FeedTitle
	r.marks.find(r.title.Content, marks)
	r.found.inText = true
	r.found.find(r.summary.Content, marks)
	r.title.TextStyle.Bold = !a.Read
	r.unread.Hidden = a.Read
	r.star.Content = ""
	if a.Starred {
		r.star.Content = "★"
	}
	r.title.Color = widgets.Color(r, look.ColorRead)
	if !a.Read || len(r.marks.parts) > 0 { // the paler colour is too pale on a highlight
		r.title.Color = widgets.Color(r, look.ColorUnread)
	}
	r.star.Color = widgets.Color(r, look.ColorStar)
	r.unread.FillColor = widgets.Color(r, look.ColorAccent)
	for _, l := range []*widgets.Line{r.summary, r.feed, r.age} {
		l.Color = widgets.Color(r, look.ColorMuted)
	}
	if len(r.found.parts) > 0 {
		r.summary.Color = widgets.Color(r, look.ColorRead)
	}
	r.Refresh()
}

// mark shows whether the row is selected with others, and the heading of the group that starts with it.
func (r *timelineRow) mark(selected bool, group string) {
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

// setLabels shows the labels of an article, nil while it is being loaded.
func (r *timelineRow) setLabels(labels []reader.Label, a *reader.Article) {
	var ids []int64
	if a != nil {
		ids = a.Labels
	}
	r.labels.set(r, labels, ids)
	r.Refresh()
}

// setThumbnail shows an image of the article at the right; nil shows none.
func (r *timelineRow) setThumbnail(img image.Image) {
	if r.thumbnail.Image == img {
		return
	}
	r.thumbnail.Image, r.thumbnail.Hidden = img, img == nil
	r.Refresh()
}

func (r *timelineRow) CreateRenderer() fyne.WidgetRenderer { return &timelineRowRenderer{r} }

type timelineRowRenderer struct{ *timelineRow }

func (r *timelineRowRenderer) Destroy() {}

func (r *timelineRowRenderer) MinSize() fyne.Size { return fyne.NewSize(120, timelineRowHeight) }

func (r *timelineRowRenderer) Objects() []fyne.CanvasObject {
	return slices.Concat([]fyne.CanvasObject{r.selected}, r.labels.objects(), r.marks.objects(), r.found.objects(), append(r.icon.objects(), r.unread, r.title.Text, r.star.Text, r.summary.Text, r.feed.Text, r.age.Text, r.group.Text, r.thumbnail))
}

func (r *timelineRowRenderer) Layout(size fyne.Size) {
	const left, right, dot = 22, 10, 8
	width := max(0, size.Width-left-right)
	if !r.thumbnail.Hidden {
		width = max(0, width-thumbnailSide-10)
		r.thumbnail.Resize(fyne.NewSquareSize(thumbnailSide))
		r.thumbnail.Move(fyne.NewPos(left+width+10, (size.Height-thumbnailSide)/2))
	}
	r.selected.Resize(size)
	r.unread.Resize(fyne.NewSize(dot, dot))
	r.unread.Move(fyne.NewPos(8, 15))

	titleWidth := width
	if r.star.Content != "" {
		titleWidth = max(0, width-20)
		r.star.Fit(left+titleWidth+4, 8, 18)
	} else {
		r.star.Fit(left, 8, 0)
	}
	if r.group.Content != "" {
		wide := min(titleWidth/2, fyne.MeasureText(r.group.Content, r.group.TextSize, r.group.TextStyle).Width+2)
		titleWidth = max(0, titleWidth-wide-12)
		r.group.Fit(left+titleWidth+12, 9, wide)
	} else {
		r.group.Fit(left, 9, 0)
	}
	r.title.Fit(left, 8, titleWidth)
	r.marks.layout(r, r.title)
	r.summary.Fit(left, 30, width)
	r.found.layout(r, r.summary)
	ageWidth := fyne.MeasureText(r.age.Content, r.age.TextSize, r.age.TextStyle).Width
	r.icon.layout(left, 59)
	dots := r.labels.layout(left+width-ageWidth-4, 59)
	r.feed.Fit(left+iconSide+6, 51, max(0, dots-8-left-iconSide-6))
	r.age.Fit(left+width-ageWidth, 51, ageWidth+1)
}

func (r *timelineRowRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.timelineRow)
}
