package text

import (
	"net/http"

	"kairos/poller"
)

var fetchReasons = table[poller.Code]{
	poller.Planned:  "planned",
	poller.TopUp:    "when you opened Kairos",
	poller.CatchUp:  "catching up",
	poller.Presence: "before your visit",
	poller.Burst:    "during a burst",
	poller.Retry:    "trying again",
	poller.First:    "first fetch",
	poller.Manual:   "by hand",
	poller.InUse:    "while you use Kairos",
	poller.Probe:    "to see whether it is back",
	poller.Icon:     "for its icon",
	poller.Picture:  "for the article shown",
	poller.File:     "to save a file",
	poller.Page:     "for the full text",
	poller.Prepare:  "prepared for your next visit",
	poller.Take:     "to take along",
	poller.Robots:   "to see whether a page may be read",
	poller.Older:    "for older articles",
	poller.Episode:  "to be heard without a network",
	poller.Refresh:  "so that its server fetches it",
}

// fetchReason describes why a fetch happens, as part of a sentence.
func (p *Printer) fetchReason(c poller.Code) string { return say(p, fetchReasons, c) }

// Outcome words in a few words what a fetch came to: "3 new". A failure is a sentence.
func (p *Printer) Outcome(o *poller.Outcome) string {
	switch {
	case o.Reason == poller.Icon && o.Result == poller.Stored:
		return p.L("an icon")
	case o.Reason == poller.Icon && o.Result == poller.None && o.Message.IsZero():
		return p.L("the page that may name it")
	case (o.Reason == poller.Prepare || o.Reason == poller.Take) && o.Result == poller.Stored:
		return p.L("a page or a picture")
	case o.Reason == poller.Picture && o.Result == poller.Stored:
		return p.L("a picture")
	case o.Reason == poller.Refresh && o.Result == poller.Stored:
		return p.L("fetched by its server")
	case o.Reason == poller.Page && o.Result == poller.Stored:
		return p.L("a page")
	case (o.Reason == poller.File || o.Reason == poller.Episode) && o.Result == poller.Stored:
		return p.L("a file of {{.Size}}", V{"Size": p.Size(o.Bytes)})
	case o.Result == poller.Stored && o.Updated > 0:
		return p.L("{{.N}} new, {{.M}} edited", V{"N": o.New, "M": o.Updated})
	case o.Result == poller.Stored && o.New > 0:
		return p.L("{{.N}} new", V{"N": o.New})
	case o.Result == poller.Stored:
		return p.L("nothing new")
	case o.Result != poller.Unchanged, !o.Message.IsZero():
		return p.Message(o.Message)
	case o.Status == http.StatusNotModified:
		return p.L("unchanged (304)")
	}
	return p.L("unchanged (same content)")
}
