package app

// canFind reports whether Ctrl+F is meant for the article: it has the focus, or words are being looked for in it.
func (p *articlePane) canFind() bool {
	focused := p.shell.Canvas.Focused()
	return p.session.Shown != nil && focused != nil && (focused == p.view || p.view.Finding())
}

// findNext opens the field for words to find in the article, or goes to the next match.
func (p *articlePane) findNext() {
	if p.session.Shown != nil {
		p.view.FindNext(1)
	}
}
