package reading

import (
	"kairos/app/article"
	"kairos/app/session"
)

// prefPositions is the preference that holds where articles were left.
const prefPositions = "article.positions"

// StorePositions stores where articles were left, and where in the present one the user is.
func (p *Pane) StorePositions() {
	p.keepPosition()
	p.shell.Preferences.SetString(prefPositions, p.positions.String())
}

// keepPosition remembers where in the article the user is. In the stream the article at the top is the current one, wherever it is
// scrolled to.
func (p *Pane) keepPosition() {
	a := p.session.Reading()
	if a == nil || p.Stream.On {
		return
	}
	switch at, end, known := p.View.Place(); {
	case !known:
	case end || at == article.Place{}:
		p.positions.Drop(a.ID)
	default:
		p.positions.Set(session.Position{Article: a.ID, Text: at.Text, Offset: at.Offset, Wanted: !a.Read || a.Starred})
	}
}

// Left is where in which article the user is, for the next start.
func (p *Pane) Left() session.Position {
	if p.session.Shown == nil {
		return session.Position{}
	}
	at, _, _ := p.View.Place()
	return session.Position{Article: p.session.Shown.ID, Text: at.Text, Offset: at.Offset}
}

// ReturnTo has an article open where the window was left, its end and the stream included.
func (p *Pane) ReturnTo(at session.Position) { p.left = at }

// scrollToLeft scrolls an article that has just been shown to where it was left.
func (p *Pane) scrollToLeft(id int64) {
	at, ok := p.positions.In(id)
	if p.left.Article == id {
		at, ok = p.left, true
	} else if p.Stream.On {
		return
	}
	p.left = session.Position{}
	if ok {
		p.ScrollTo(at)
	}
}

// ScrollTo scrolls to a position in the article shown.
func (p *Pane) ScrollTo(at session.Position) {
	p.View.ScrollTo(article.Place{Text: at.Text, Offset: at.Offset})
}

// jumped reports a jump within the article shown.
func (p *Pane) jumped(from, to article.Place) {
	if a := p.session.Shown; a != nil {
		p.Jumped(session.Position{Article: a.ID, Text: from.Text, Offset: from.Offset}, session.Position{Article: a.ID, Text: to.Text, Offset: to.Offset})
	}
}
