package text

import (
	"errors"

	"kairos/poller"
)

// Message describes what a fetch tells beside its result; "" if it tells nothing.
func (p *Printer) Message(m poller.Message) string {
	switch m.Code {
	case "":
		return ""
	case poller.RequestFailed:
		if m.Fetch != nil {
			return p.FetchError(m.Fetch)
		}
	case poller.NotAFeed:
		if m.Parse != nil {
			return p.ParseError(m.Parse)
		}
	case poller.BadImage:
		if m.Image != nil {
			return p.imageError(m.Image)
		}
	case poller.FileFailed:
		if m.File != nil {
			return p.fileError(m.File)
		}
	case poller.NotSynced:
		if m.Sync != nil {
			return p.SyncError(m.Sync)
		}
	case poller.NotStored:
		if m.Store != nil {
			return p.readerError(m.Store)
		}
	case poller.PageUnread:
		if m.Page != nil {
			return p.pageError(m.Page)
		}
	case poller.ListUnread:
		return p.L("This is no longer a list of feeds. Nothing was changed.")
	case poller.ListEmpty:
		return p.L("The list names no feeds. Nothing was changed.")
	case poller.RobotsForbid:
		return p.L("The site asks programs not to read this page.")
	case poller.NetworkLost:
		return p.L("The network was lost meanwhile.")
	case poller.SignInPage:
		return p.L("The network may want you to sign in: a web page came instead of the feed.")
	case poller.OtherSite:
		return p.L("Another site answered. The network may want you to sign in.")
	case poller.FeedRepaired:
		if len(m.Warnings) > 0 {
			return p.parseWarnings(m.Warnings)
		}
	case poller.JustChecked:
		v := V{"Span": p.Span(m.Ago)}
		if m.Last != nil {
			return p.Sentences(p.L("Checked {{.Span}} ago.", v), p.Message(*m.Last))
		}
		return p.L("Checked {{.Span}} ago.", v)
	case poller.FeedMoved:
		return p.L("The feed has moved to {{.Address}}.", V{"Address": m.Address})
	case poller.FeedsMerged:
		return p.L("The feed has moved to {{.Address}}, which you already follow. The two feeds were merged.", V{"Address": m.Address})
	case poller.ServerFailed:
		if m.Text == "" {
			return p.L("Its server cannot fetch the feed.")
		}
		return p.L("Its server says: “{{.Words}}”.", V{"Words": WithoutStop(m.Text)})
	case poller.FeedChanged:
		return p.L("The feed was removed or changed while it was fetched.")
	}
	if m.Text != "" {
		return Technical(errors.New(m.Text))
	}
	return p.L("The fetch failed.")
}

var fileErrors = table[poller.FileErrorCode]{
	poller.FileMissing:    "The file {{.Path}} does not exist.",
	poller.FileForbidden:  "You are not allowed to read the file {{.Path}}.",
	poller.FileUnreadable: "The file {{.Path}} cannot be read.",
	poller.NotAFile:       "{{.Path}} is not a file.",
	poller.FileElsewhere:  "{{.Path}} is on another computer.",
	poller.FileBadAddress: "“{{.Path}}” is not the address of a file.",
}

// fileError describes why a local file cannot be read.
func (p *Printer) fileError(e *poller.FileError) string {
	return say(p, fileErrors, e.Code, V{"Path": e.Path})
}
