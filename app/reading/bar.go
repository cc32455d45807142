package reading

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/icon"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
)

// bar is the buttons above an article.
type bar struct {
	Row                                            *fyne.Container
	Star, Labels, Read, Browse, FullText, Pictures *widgets.ToolButton
	Always                                         *widgets.ToolButton // show the full articles of this feed
	status                                         *widgets.ToolButton // of the article's feed
	says                                           barState
}

// maxLabelButton is how wide the names of labels on their button can be.
const maxLabelButton = 160

// newBar returns the bar.
func newBar(buttons shell.Commands) *bar {
	button := buttons.Button
	b := &bar{
		Star:     button(lang.L("Star"), icon.Star, "star"),
		Labels:   button(lang.L("Label"), icon.Tag, "label"),
		Read:     button(lang.L("Mark unread"), icon.Unread, "read"),
		Browse:   button(lang.L("Open in browser"), theme.ComputerIcon(), "browse"),
		FullText: button("", theme.DocumentIcon(), "full-text"),
		Pictures: button(lang.L("Load images"), theme.MediaPhotoIcon(), "pictures"),
		Always:   button(lang.L("Always show full articles"), theme.ConfirmIcon(), "always-full-text"),
		status:   button(lang.L("Feed status"), theme.InfoIcon(), "fares"),
	}
	b.Pictures.Hide()
	b.Always.Hide()
	b.status.NoName, b.status.Text = true, ""
	// A star and a dot say most by themselves; the labels are named by their button.
	least := []*widgets.ToolButton{b.Star, b.Read, b.Browse, b.Labels, b.Pictures, b.FullText, b.Always}
	b.Row = widgets.NewToolRow(least, b.Star, b.Labels, b.Read, b.Browse, b.FullText, b.Always, b.Pictures, b.status)
	b.Row.Hide()
	return b
}

// offerPictures shows or hides the button that loads the images.
func (b *bar) offerPictures(offer bool) { b.offer(b.Pictures, offer) }

// offerAlways shows or hides the button that shows all articles of the feed whole.
func (b *bar) offerAlways(offer bool) { b.offer(b.Always, offer) }

// offer shows or hides a button.
func (b *bar) offer(button *widgets.ToolButton, offer bool) {
	if offer == button.Visible() {
		return
	}
	button.Hidden = !offer
	b.Row.Refresh()
}

// barState is what the buttons say.
type barState struct {
	labels, star, read, fullText string
	starIcon                     fyne.Resource
	linked                       bool
}

// Update makes the buttons say what they do to a; fullText is whether the text of its page is shown, labels the names of
// its labels. It is asked to after every key, and redrawing the buttons takes longer than the text of the article.
func (b *bar) Update(a *reader.Article, fullText bool, labels string) {
	if labels == "" {
		labels = lang.L("Label")
	}
	s := barState{labels: widgets.Ellipsis(labels, maxLabelButton, theme.TextSize(), fyne.TextStyle{}), linked: a.Link != "",
		star: lang.L("Star"), starIcon: icon.StarOutline, read: lang.L("Mark unread"), fullText: lang.L("Show full article")}
	if a.Starred {
		s.star, s.starIcon = lang.L("Unstar"), icon.Star
	}
	if !a.Read {
		s.read = lang.L("Mark read")
	}
	if fullText {
		s.fullText = lang.L("Show feed version")
	}
	if s == b.says {
		return
	}
	b.says = s
	b.Labels.SetName(s.labels)
	if b.Star.Icon != s.starIcon {
		b.Star.SetIcon(s.starIcon)
	}
	b.Star.SetName(s.star)
	b.Read.SetName(s.read)
	b.Browse.Hidden, b.FullText.Hidden = !s.linked, !s.linked
	b.FullText.SetName(s.fullText)
	b.Row.Refresh()
}
