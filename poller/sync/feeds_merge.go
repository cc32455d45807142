package sync

import (
	"cmp"

	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/discover"
)

// feedChange is what a three-way merge of a feed asks for.
type feedChange struct {
	kind   changeKind
	ours   reader.ServerFeed
	theirs Feed
}

type changeKind string

const (
	addHere          changeKind = "add"         // it is new there
	archiveHere      changeKind = "archive"     // it vanished there
	linkHere         changeKind = "link"        // it is there, too, under an id that is not known here
	replaceHere      changeKind = "replace"     // the server has given its id to another feed
	forgetHere       changeKind = "forget"      // unsubscribed here and there
	compareBoth      changeKind = "compare"     // it is here and there: titles and folders may differ
	subscribeThere   changeKind = "subscribe"   // it is new here
	unsubscribeThere changeKind = "unsubscribe" // by the user
)

// mergeFeeds compares the feeds here with those of the server. What the user has done here wins.
func mergeFeeds(ours []reader.ServerFeed, theirs []Feed) []feedChange {
	byID, byAddress := map[string]Feed{}, map[string]Feed{}
	var order []string
	for _, t := range theirs {
		if _, twice := byID[t.ID]; twice || t.ID == "" {
			continue
		}
		order = append(order, t.ID)
		byID[t.ID] = t
	}
	moved := renumbered(ours, byID)
	taken := map[string]bool{}
	for _, o := range ours {
		if t, is := moved[o.ID]; is {
			taken[t.ID] = true
		} else {
			taken[o.Remote] = true
		}
	}
	for _, id := range order {
		if !taken[id] && byID[id].URL != "" {
			byAddress[discover.SameFeed(byID[id].URL)] = byID[id]
		}
	}
	elsewhere := func(o reader.ServerFeed) bool {
		t, ok := byAddress[discover.SameFeed(o.URL)]
		return ok && !taken[t.ID]
	}
	var changes []feedChange
	for _, o := range ours {
		c := feedChange{ours: o, theirs: byID[o.Remote]}
		_, there := byID[o.Remote]
		t, has := moved[o.ID]
		switch {
		case has && !o.Unsubscribed:
			c.kind, c.theirs = linkHere, t
		case o.Unsubscribed && there && !has && !isOtherFeed(o, c.theirs):
			c.kind = unsubscribeThere
		case o.Unsubscribed:
			c.kind = forgetHere
		case there && isOtherFeed(o, c.theirs):
			c.kind = replaceHere
		case there:
			c.kind = compareBoth
		case elsewhere(o):
			c.kind, c.theirs = linkHere, byAddress[discover.SameFeed(o.URL)]
			taken[c.theirs.ID] = true
		case o.Remote == "", o.ServerTitle == nil, o.ServerFolder == nil:
			// If it had an id, a request had no answer: perhaps to unsubscribe, and the user has taken that back.
			c.kind = subscribeThere
		default:
			c.kind = archiveHere
		}
		changes = append(changes, c)
	}
	for _, id := range order {
		if !taken[id] {
			changes = append(changes, feedChange{kind: addHere, theirs: byID[id]})
		}
	}
	return changes
}

// renumbered returns the feeds of ours that the server has under another id than before, by their id here: what had theirs has another
// address now, as after a server was set up again with the same feeds.
func renumbered(ours []reader.ServerFeed, byID map[string]Feed) map[int64]Feed {
	byAddress := map[string]Feed{}
	for _, t := range byID {
		if t.URL != "" {
			byAddress[discover.SameFeed(t.URL)] = t
		}
	}
	same := func(o reader.ServerFeed, t Feed) bool { return discover.SameFeed(o.URL) == discover.SameFeed(t.URL) }
	stays := map[string]bool{}
	for _, o := range ours {
		if t, there := byID[o.Remote]; there && same(o, t) {
			stays[t.ID] = true
		}
	}
	moved := map[int64]Feed{}
	for _, o := range ours {
		before, there := byID[o.Remote]
		t, found := byAddress[discover.SameFeed(o.URL)]
		if there && found && o.URL != "" && !same(o, before) && !stays[t.ID] {
			moved[o.ID], stays[t.ID] = t, true
		}
	}
	return moved
}

// isOtherFeed recognizes another feed under a known id: a server that was set up again counts from 1 again. An address or a title
// may change, but hardly both at once with the site.
func isOtherFeed(o reader.ServerFeed, t Feed) bool {
	return discover.SameFeed(o.URL) != discover.SameFeed(t.URL) && o.ServerTitle != nil && *o.ServerTitle != titleOf(t) && discover.SameFeed(o.Site) != discover.SameFeed(t.Site)
}

// vanished reports whether so many feeds are gone at the server that it is more likely to have failed than its user to have
// unsubscribed from them: all, or at least manyFeeds and a fifth of all.
func vanished(changes []feedChange) bool {
	there, gone := 0, 0
	for _, c := range changes {
		switch c.kind {
		case compareBoth, unsubscribeThere, addHere, linkHere:
			there++
		case archiveHere, replaceHere:
			gone++
		}
	}
	return gone > 0 && (there == 0 || 4*gone >= there && gone >= manyFeeds)
}

// manyFeeds is how many feeds a person seldom unsubscribes from at once.
const manyFeeds = 5

// textMerge is what to do with a title or a folder.
type textMerge struct {
	take bool // theirs is stored here
	send bool // ours is sent
}

// mergeText compares what is here with what is there, by what the server had last; nil: that is not known.
func mergeText(ours string, base *string, theirs string) textMerge {
	switch {
	case ours == theirs:
		return textMerge{}
	case base != nil && ours == *base:
		return textMerge{take: true}
	}
	return textMerge{send: true}
}

// titleOf returns the title of a feed at the server as it is shown here.
func titleOf(f Feed) string {
	return cmp.Or(content.Line(f.Title), f.URL, f.ID)
}
