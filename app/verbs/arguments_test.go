package verbs

import "testing"

// Wrong arguments are answered with how the verb is used, and what there is none of with a sentence.
func TestUsageAndEmptyLists(t *testing.T) {
	c := newAccountCommand(t)
	c.want(exitUsage, "usage: kairos mark ID… read|unread|starred|unstarred", "mark", "2154")
	c.want(exitUsage, "usage: kairos label rename NAME NEW", "label", "rename", "a")
	c.want(exitDone, "There are no labels yet.", "label")
	c.want(exitDone, "There are no accounts yet.", "account")
}
