package text

import (
	"time"

	"kairos/poller"
)

// Cause describes why a request was made, by the clock of zone: "by hand", "the icon of a.example", "ready for your usual
// 07:30 visit". A sentence that an earlier version stored is shown as it is.
func (p *Printer) Cause(code poller.Code, c poller.Cause, zone *time.Location) string {
	site := V{"Site": c.Site}
	switch {
	case c.Text != "":
		return c.Text
	case code == poller.First:
		return p.L("first fetch")
	case code == poller.Manual:
		return p.L("by hand")
	case code == poller.Probe:
		return p.L("to see whether the network or the website is back")
	case code == poller.Icon:
		return p.L("the icon of {{.Site}}", site)
	case code == poller.Picture:
		return p.L("for the article shown, from {{.Site}}", site)
	case code == poller.File:
		return p.L("to save a file, from {{.Site}}", site)
	case code == poller.Page:
		return p.L("for the full text, from {{.Site}}", site)
	case code == poller.Prepare:
		return p.L("prepared for your next visit, from {{.Site}}", site)
	case code == poller.Take:
		return p.L("to take along, from {{.Site}}", site)
	case code == poller.Robots:
		return p.L("what {{.Site}} asks of programs", site)
	case code == poller.Older:
		return p.L("older articles, from {{.Site}}", site)
	case code == poller.Episode:
		return p.L("to be heard without a network, from {{.Site}}", site)
	case code == poller.CatchUp:
		return p.L("catching up: {{.Why}}", V{"Why": p.Reason(c.Reason, zone)})
	}
	return p.Reason(c.Reason, zone)
}
