package verbs

import (
	"context"
	"fmt"
	"slices"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/reader"
)

// changedKeys are the properties that `set` was given.
type changedKeys []string

// text tells what is now chosen of quiet and unread-ends, if that was changed; otherwise says when unread articles end where nothing is
// chosen.
func (k changedKeys) text(quiet bool, ends reader.Ends, otherwise string) (lines string) {
	if slices.Contains(k, "quiet") {
		lines += "\n      " + map[bool]string{true: quietPhrase, false: "not quiet: listed in All, Unread and Today"}[quiet]
	}
	switch {
	case !slices.Contains(k, "unread-ends"):
	case ends == reader.Ends{}:
		lines += "\n      " + otherwise
	default:
		lines += "\n      unread articles expire " + endsPhrase(ends)
	}
	return lines
}

// feedText tells what is now chosen of the other properties of a feed that were changed.
func (k changedKeys) feedText(f reader.Feed, episodes int) (lines string) {
	p := text.English()
	for _, c := range []struct {
		key             string
		none            bool
		otherwise, says string
	}{
		{"url", false, "", f.URL},
		{"folder", f.Folder == "", "in no folder", fmt.Sprintf("in the folder %q", f.Folder)},
		{"weight", false, "", fmt.Sprintf("weight %g", f.Weight)},
		{"interest", f.Interest == 0, "how much of it you read is learned", fmt.Sprintf("taken as read: %g%%", 100*f.Interest)},
		{"every", f.Every == 0, "fetched as it is planned, without a longest interval", "fetched at least every " + p.Span(f.Every)},
		{"paused", !f.Paused, "not paused", "paused"},
		{"fulltext", !f.FullText, "articles are as the feed has them", "articles are read whole from their pages"},
		{"episodes", episodes == 0, "no episodes are brought before they are played", fmt.Sprintf("up to %d of the next episodes are brought before they are played", episodes)},
		{"account", f.Account == 0, "on this computer", fmt.Sprintf("in the account %d", f.Account)},
	} {
		if !slices.Contains(k, c.key) {
			continue
		}
		if c.none {
			c.says = c.otherwise
		}
		lines += "\n      " + c.says
	}
	return lines
}

// endedBySet is what a choice of unread-ends does to the articles that are there.
type endedBySet struct {
	Ended   int `json:"ended,omitempty"`       // by it, now
	Back    int `json:"broughtBack,omitempty"` // that had ended before
	Waiting int `json:"endedBefore,omitempty"` // and would not end by it, but stay as they are
}

// endBySet ends the unread articles whose time has come by a choice that is stored, if there was one, and brings back those that ended
// before and would not end now, if that is wanted.
func endBySet(ctx context.Context, h *home.Home, told changedKeys, c reader.EndsChoice, bringBack bool) (e endedBySet, err error) {
	if !slices.Contains(told, "unread-ends") {
		if bringBack {
			return e, fmt.Errorf("--bring-back goes with unread-ends")
		}
		return e, nil
	}
	before, err := h.EndedBefore(ctx, c)
	if err != nil {
		return e, err
	}
	if bringBack {
		e.Back = len(before)
		if err := h.BringBack(ctx, before); err != nil {
			return e, err
		}
	} else {
		e.Waiting = len(before)
	}
	ended, err := h.EndUnread(ctx)
	e.Ended = len(ended)
	return e, err
}

func (e endedBySet) text() (lines string) {
	articles := text.English().Articles
	if e.Ended > 0 {
		lines += "\n      " + articles(e.Ended) + " expired unread now; unread-ends=default with --bring-back takes that back"
	}
	if e.Back > 0 {
		lines += "\n      " + articles(e.Back) + " that had expired: unread again"
	}
	if e.Waiting > 0 {
		lines += "\n      " + articles(e.Waiting) + " expired before and stay so; --bring-back makes them unread again"
	}
	return lines
}
