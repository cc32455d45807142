package reading

import "kairos/app/session"

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
	switch at, known := p.View.Place(); {
	case !known:
	case at.Text == 0 && at.Offset == 0:
		p.positions.Drop(a.ID)
	default:
		p.positions.Set(session.Position{Article: a.ID, Text: at.Text, Offset: at.Offset, Wanted: !a.Read || a.Starred})
	}
}
