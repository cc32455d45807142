package text

// Ending tells how many of so many unread articles would end now by a choice.
func (p *Printer) Ending(ending, unread int) string {
	if ending == 0 {
		return p.L("No unread article would expire now.")
	}
	return p.N("{{.N}} of {{.PluralCount}} unread articles would expire now.", unread, V{"N": ending})
}
