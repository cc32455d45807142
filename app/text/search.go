package text

import "kairos/reader/search"

// UnknownFilter tells that a filter of a search does not exist, and which do.
func (p *Printer) UnknownFilter(u search.Unknown) string {
	values := map[string]any{"Filter": u.Name + ":" + u.Value, "Value": u.Value, "Name": u.Name + ":"}
	switch {
	case u.IsDay():
		return p.L("“{{.Value}}” is not a date. Write a day as in {{.Name}}2026-01-31 or {{.Name}}yesterday, a month as in {{.Name}}2026-01, a year, or how long ago as in {{.Name}}7d, 2w, 3m or 1y.", values)
	case u.IsOperator():
		return p.L("There is no filter {{.Filter}}. There are is:unread, is:read, is:starred, is:snoozed, is:ended, is:begun, is:heard, is:queued, is:story and is:incomplete.", values)
	}
	return p.L("There is no filter {{.Name}}. There are title:, author:, feed:, folder:, label:, category:, is:, before: and after:.", values)
}
