package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/widgets"
	"kairos/reader"
)

// articleBar is the buttons above an article.
type articleBar struct {
	row                                            *fyne.Container
	star, labels, read, browse, fullText, pictures *widgets.ToolButton
	status                                         *widgets.ToolButton // of the article's feed
	says                                           barState
}

// maxLabelButton is how wide the names of labels on their button can be.
const maxLabelButton = 160

// newArticleBar returns the bar.
func newArticleBar(buttons commandButtons) *articleBar {
	button := buttons.button
	b := &articleBar{
		star:     button(lang.L("Star"), starIcon, "star"),
		labels:   button(lang.L("Label"), tagIcon, "label"),
		read:     button(lang.L("Mark unread"), unreadIcon, "read"),
		browse:   button(lang.L("Open in browser"), theme.ComputerIcon(), "browse"),
		fullText: button("", theme.DocumentIcon(), "full-text"),
		pictures: button(lang.L("Load images"), theme.MediaPhotoIcon(), "pictures"),
		status:   button(lang.L("Feed status"), theme.InfoIcon(), "fares"),
	}
	b.pictures.Hide()
	b.status.NoName, b.status.Text = true, ""
	// A star and a dot say most by themselves; the labels are named by their button.
	least := []*widgets.ToolButton{b.star, b.read, b.browse, b.labels, b.pictures, b.fullText}
	b.row = widgets.NewToolRow(least, b.star, b.labels, b.read, b.browse, b.fullText, b.pictures, b.status)
	b.row.Hide()
	return b
}

// offerPictures shows or hides the button that loads the images.
func (b *articleBar) offerPictures(offer bool) {
	switch {
	case offer == b.pictures.Visible():
	case offer:
		b.pictures.Show()
		b.row.Refresh()
	default:
		b.pictures.Hide()
		b.row.Refresh()
	}
}

// barState is what the buttons say.
type barState struct {
	labels, star, read, fullText string
	starIcon                     fyne.Resource
	linked                       bool
}

// update makes the buttons say what they do to a; fullText is whether the text of its page is shown, labels the names of
// its labels. It is asked to after every key, and drawing the buttons anew takes longer than the text of the article.
func (b *articleBar) update(a *reader.Article, fullText bool, labels string) {
	if labels == "" {
		labels = lang.L("Label")
	}
	s := barState{labels: widgets.Ellipsis(labels, maxLabelButton, theme.TextSize(), fyne.TextStyle{}), linked: a.Link != "",
		star: lang.L("Star"), starIcon: starOutline, read: lang.L("Mark unread"), fullText: lang.L("Show full article")}
	if a.Starred {
		s.star, s.starIcon = lang.L("Unstar"), starIcon
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
	b.labels.SetName(s.labels)
	if b.star.Icon != s.starIcon {
		b.star.SetIcon(s.starIcon)
	}
	b.star.SetName(s.star)
	b.read.SetName(s.read)
	b.browse.Hidden, b.fullText.Hidden = !s.linked, !s.linked
	b.fullText.SetName(s.fullText)
	b.row.Refresh()
}
