package text

import "kairos/poller"

// OlderEnd describes how loading older articles of a feed ended, or stands.
func (p *Printer) OlderEnd(page poller.OlderPage) string {
	found := p.N("{{.PluralCount}} older articles were loaded.", page.Found)
	switch page.End {
	case poller.OlderAll:
		if page.Found == 0 {
			return p.L("There are no older articles.")
		}
		return p.Sentences(found, p.L("There are no more."))
	case poller.OlderReached, poller.OlderPaused:
		return found
	case poller.OlderNone:
		return p.L("This feed does not tell where its older articles are.")
	}
	failed := p.L("Older articles cannot be loaded now.")
	if page.Found > 0 {
		failed = p.Sentences(found, p.L("The rest cannot be loaded now."))
	}
	if page.End == poller.OlderFailed {
		return p.Sentences(failed, p.Message(page.Message))
	}
	return p.Sentences(failed, p.Message(page.Message), p.L("Kairos tries again by itself."))
}
