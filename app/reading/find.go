package reading

// CanFind reports whether Ctrl+F is meant for the article: it has the focus, or words are being looked for in it.
func (p *Pane) CanFind() bool {
	focused := p.shell.Canvas.Focused()
	return p.session.Shown != nil && focused != nil && (focused == p.View || p.View.Finding())
}

// FindNext opens the field for words to find in the article, or goes to the next match.
func (p *Pane) FindNext() {
	if p.session.Shown != nil {
		p.View.FindNext(1)
	}
}
