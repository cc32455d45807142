package app

import (
	"image"
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
	feed                           *feedIcon
	dot                            *canvas.Circle
	star, title, text, where, when *widgets.Line
	group                          *widgets.Line     // names the group that begins here
	picked                         *canvas.Rectangle // behind a row chosen together with others
	thumb                          *canvas.Image
	marks                          titleMarks
}

func newTimelineRow() *timelineRow {
	r := &timelineRow{feed: newFeedIcon(), dot: canvas.NewCircle(nil), star: widgets.NewLine(13), title: widgets.NewLine(14), text: widgets.NewLine(12.5),
		where: widgets.NewLine(12), when: widgets.NewLine(12), group: widgets.NewLine(12), picked: canvas.NewRectangle(nil)}
	r.group.TextStyle.Bold = true
	r.group.Hidden = true
	r.thumb = canvas.NewImageFromImage(nil)
	r.thumb.FillMode, r.thumb.CornerRadius = canvas.ImageFillCover, 4
	r.thumb.Hide()
	r.picked.Hide()
	r.ExtendBaseWidget(r)
	return r
}

// set shows an article as of now with the picture of its feed and what was searched for;
// a nil one is still being loaded.
func (r *timelineRow) set(a *reader.Article, pic *picture, found *search.Marks, now time.Time) {
	if a == nil {
		a = &reader.Article{Read: true}
		r.when.Content = ""
		r.feed.hide()
	} else {
		r.when.Content = language.Printer().Age(a.Published, now)
		r.feed.set(r, a.Feed, a.FeedTitle, pic, false)
	}
	r.title.Content, r.text.Content, r.where.Content = a.Title, a.Summary, a.FeedTitle
	r.marks.find(a.Title, found)
	r.title.TextStyle.Bold = !a.Read
	r.dot.Hidden = a.Read
	r.star.Content = ""
	if a.Starred {
		r.star.Content = "★"
	}
	r.title.Color = widgets.Color(r, look.ColorRead)
	if !a.Read || len(r.marks.parts) > 0 { // the paler colour is too pale on a mark
		r.title.Color = widgets.Color(r, look.ColorUnread)
	}
	r.star.Color = widgets.Color(r, look.ColorStar)
	r.dot.FillColor = widgets.Color(r, look.ColorAccent)
	for _, l := range []*widgets.Line{r.text, r.where, r.when} {
		l.Color = widgets.Color(r, look.ColorMuted)
	}
	r.Refresh()
}

// mark shows whether the row is chosen together with others, and the group that begins
// with it.
func (r *timelineRow) mark(picked bool, group string) {
	if picked == !r.picked.Hidden && group == r.group.Content {
		return
	}
	r.picked.Hidden = !picked
	r.picked.FillColor = widgets.Color(r, look.ColorRow)
	r.group.Content = group
	r.group.Hidden = group == ""
	r.group.Color = widgets.Color(r, look.ColorAccent)
	r.Refresh()
}

// picture shows a picture of the article at the right, nil none.
func (r *timelineRow) picture(img image.Image) {
	if r.thumb.Image == img {
		return
	}
	r.thumb.Image, r.thumb.Hidden = img, img == nil
	r.Refresh()
}

func (r *timelineRow) CreateRenderer() fyne.WidgetRenderer { return &timelineRowRenderer{r} }

type timelineRowRenderer struct{ *timelineRow }

func (r *timelineRowRenderer) Destroy() {}

func (r *timelineRowRenderer) MinSize() fyne.Size { return fyne.NewSize(120, timelineRowHeight) }

func (r *timelineRowRenderer) Objects() []fyne.CanvasObject {
	return append(append([]fyne.CanvasObject{r.picked}, r.marks.objects()...), append(r.feed.objects(), r.dot, r.title.Text, r.star.Text, r.text.Text, r.where.Text, r.when.Text, r.group.Text, r.thumb)...)
}

func (r *timelineRowRenderer) Layout(size fyne.Size) {
	const left, right, dot = 22, 10, 8
	width := max(0, size.Width-left-right)
	if !r.thumb.Hidden {
		width = max(0, width-thumbSide-10)
		r.thumb.Resize(fyne.NewSquareSize(thumbSide))
		r.thumb.Move(fyne.NewPos(left+width+10, (size.Height-thumbSide)/2))
	}
	r.picked.Resize(size)
	r.dot.Resize(fyne.NewSize(dot, dot))
	r.dot.Move(fyne.NewPos(8, 15))

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
	r.marks.place(r, r.title)
	r.text.Fit(left, 30, width)
	ageWidth := fyne.MeasureText(r.when.Content, r.when.TextSize, r.when.TextStyle).Width
	r.feed.place(left, 59)
	r.where.Fit(left+iconSide+6, 51, max(0, width-ageWidth-12-iconSide-6))
	r.when.Fit(left+width-ageWidth, 51, ageWidth+1)
}

func (r *timelineRowRenderer) Refresh() {
	r.Layout(r.Size())
	canvas.Refresh(r.timelineRow)
}
