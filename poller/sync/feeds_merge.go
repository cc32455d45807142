package sync

import (
	"cmp"
	"slices"

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
	// Where two of ours have one address, the server's feed is that of the one that is subscribed to.
	ours = slices.Clone(ours)
	slices.SortStableFunc(ours, func(a, b reader.ServerFeed) int { return cmp.Compare(rank(a), rank(b)) })
	moved := renumbered(ours, byID)
	taken, claimed := map[string]bool{}, map[string]bool{} // claimed by feeds that had other ids
	for _, t := range moved {
		taken[t.ID], claimed[t.ID] = true, true
	}
	for _, o := range ours {
		if _, is := moved[o.ID]; !is && (!o.Unsubscribed || !isOtherFeed(o, byID[o.Remote])) {
			taken[o.Remote] = true
		}
	}
	for _, id := range order {
		if !taken[id] && byID[id].URL != "" {
			byAddress[discover.SameFeed(byID[id].URL)] = byID[id]
		}
	}
	elsewhere := func(o reader.ServerFeed) (Feed, bool) {
		t, ok := byAddress[discover.SameFeed(o.URL)]
		return t, ok && !taken[t.ID]
	}
	var changes []feedChange
	for _, o := range ours {
		c := feedChange{ours: o}
		t, under := moved[o.ID]
		there := false
		if !claimed[o.Remote] {
			c.theirs, there = byID[o.Remote]
		}
		same := there && !isOtherFeed(o, c.theirs)
		if !under && !same {
			t, under = elsewhere(o)
		}
		if under {
			c.theirs, taken[t.ID] = t, true
		}
		switch {
		case o.Unsubscribed && (same || under):
			c.kind = unsubscribeThere
		case o.Unsubscribed:
			c.kind = forgetHere
		case under:
			c.kind = linkHere
		case same:
			c.kind = compareBoth
		case there:
			c.kind = replaceHere
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

// losesID reports whether the id that a feed had at the server is another one's now, claimed by a feed of ours or new there.
func (c *feedChange) losesID(claimed map[string]bool) bool {
	switch {
	case c.ours.Remote == "" || c.kind != forgetHere && c.theirs.ID == c.ours.Remote:
		return false
	case c.kind == forgetHere && c.theirs.ID != "", c.kind == linkHere, c.kind == unsubscribeThere:
		return true
	}
	return claimed[c.ours.Remote]
}

// rank orders feeds: those that are unsubscribed come last.
func rank(f reader.ServerFeed) int {
	if f.Unsubscribed {
		return 1
	}
	return 0
}

// renumbered returns the feeds of ours that the server has under another id than before, by their id here: what had theirs has another
// address now, or what has their address has the id of another one, as after a server was set up again with the same feeds.
func renumbered(ours []reader.ServerFeed, byID map[string]Feed) map[int64]Feed {
	byAddress := map[string]Feed{}
	for _, t := range byID {
		if t.URL != "" {
			byAddress[discover.SameFeed(t.URL)] = t
		}
	}
	same := func(o reader.ServerFeed, t Feed) bool { return discover.SameFeed(o.URL) == discover.SameFeed(t.URL) }
	stays, another := map[string]bool{}, map[string]bool{}
	for _, o := range ours {
		if t, there := byID[o.Remote]; there {
			stays[t.ID] = stays[t.ID] || same(o, t)
			another[t.ID] = isOtherFeed(o, t)
		}
	}
	moved := map[int64]Feed{}
	for _, o := range ours {
		before, there := byID[o.Remote]
		t, found := byAddress[discover.SameFeed(o.URL)]
		if found && o.URL != "" && !stays[t.ID] && (there && !same(o, before) || !there && another[t.ID]) {
			moved[o.ID], stays[t.ID] = t, true
		}
	}
	return moved
}

// isOtherFeed recognizes another feed under a known id: a server that was set up again counts from 1 again. An address or a title
// may change, but hardly both at once with the site.
func isOtherFeed(o reader.ServerFeed, t Feed) bool {
	title := o.ServerTitle
	if title == nil && o.Unsubscribed { // a request to unsubscribe had no answer, and must not be repeated for another feed
		title = &o.Title
	}
	return discover.SameFeed(o.URL) != discover.SameFeed(t.URL) && title != nil && *title != titleOf(t) && discover.SameFeed(o.Site) != discover.SameFeed(t.Site)
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

// renamedFolders returns the folders at the server all of whose feeds are in one new folder here, and its name. A folder that is there
// already takes in feeds one by one.
func renamedFolders(changes []feedChange) map[string]string {
	to := map[string]string{}
	for _, c := range changes {
		there := reader.NormalizeFolder(c.theirs.Folder)
		if c.theirs.ID == "" || there == "" || c.kind == unsubscribeThere {
			continue
		}
		now := there
		if c.kind == compareBoth && mergeText(c.ours.Folder, c.ours.ServerFolder, there).send {
			now = c.ours.Folder
		}
		if before, known := to[there]; known && before != now {
			now = ""
		}
		to[there] = now
	}
	sources := map[string]int{}
	for _, now := range to {
		sources[now]++
	}
	for there, now := range to {
		if _, is := to[now]; is || now == "" || sources[now] > 1 {
			delete(to, there)
		}
	}
	return to
}

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
