package verbs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

func TestSnoozeQuietAndEnds(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a", "--folder", "News / Local")
	ids := c.lines("articles")
	first, second := fmt.Sprint(ids[0]["id"]), fmt.Sprint(ids[1]["id"])
	put := c.one("snooze", first, second, "2d")
	keys(t, "snooze", put, "articles until visit synced")
	if n := len(put["articles"].([]any)); n != 2 || put["visit"] != false || put["synced"] != false {
		t.Errorf("%v", put)
	}
	if at, err := time.Parse(time.RFC3339, fmt.Sprint(put["until"])); err != nil || !at.After(time.Now()) {
		t.Errorf("%v, %v", put, err)
	}
	if n := len(c.lines("articles")); n != 1 {
		t.Errorf("%d are listed", n)
	}
	away := c.lines("articles", "--search", "is:snoozed")
	if len(away) != 2 || away[0]["snoozedUntil"] != put["until"] {
		t.Errorf("%v", away)
	}
	if v := c.one("snooze", second, "visit"); v["visit"] != true {
		t.Errorf("%v", v)
	}
	c.do("snooze", first, "now")
	c.do("access")
	if all := c.lines("articles"); len(all) != 3 || all[0]["back"] != true || all[1]["back"] != true || all[2]["back"] != nil {
		t.Errorf("%v", all)
	}

	if set := c.one("set", "1", "quiet=on", "unread-ends=newer"); set["quiet"] != true || set["unreadEnds"] != "newer" {
		t.Errorf("%v", set)
	}
	for args, want := range map[string]int{"": 0, "--quiet": 3, "--feed=1": 3, "--search=alpha": 3} {
		all := []string{"articles"}
		if args != "" {
			all = append(all, args)
		}
		if n := len(c.lines(all...)); n != want {
			t.Errorf("%s lists %d, want %d", args, n, want)
		}
	}
	if f := c.one("feeds", "--unread-ends"); f["quiet"] != true || f["unreadEnds"] != "newer" {
		t.Errorf("%v", f)
	}
	c.do("set", "1", "quiet=off", "unread-ends=")
	if n := len(c.lines("feeds", "--unread-ends")); n != 0 {
		t.Errorf("of %d feeds unread articles end", n)
	}
	if set := c.one("set", "folder:News", "quiet=on", "unread-ends=7d,20"); set["quiet"] != true || set["unreadEnds"] != "7d,20" || set["folder"] != "News" {
		t.Errorf("%v", set)
	}
	if f := c.one("feeds", "--unread-ends"); f["quiet"] != true || f["unreadEnds"] != "7d,20" {
		t.Errorf("%v", f)
	}
	if text := c.do("set", "folder:News", "quiet=on"); !strings.Contains(text, "quiet: not in All, Unread and Today") || strings.Contains(text, "end") {
		t.Errorf("it says %q", text)
	}
	c.do("set", "folder:News", "quiet=off", "unread-ends=default")
	c.do("set", "all", "unread-ends=1")
	if n := len(c.lines("articles", "--search", "is:ended")); n != 1 { // the other two came back
		t.Errorf("%d have ended", n)
	}
	if set := c.one("set", "all", "unread-ends=default"); set["endedBefore"] != 1.0 || set["broughtBack"] != nil {
		t.Errorf("%v", set)
	}
	if set := c.one("set", "all", "unread-ends=default", "--bring-back"); set["broughtBack"] != 1.0 || len(c.lines("articles", "--search", "is:ended")) != 0 {
		t.Errorf("%v", set)
	}
	if text := c.do("set", "1", "unread-ends=newer"); !strings.Contains(text, "1 article expired unread now") {
		t.Errorf("it says %q", text)
	}
	if text := c.do("set", "1", "unread-ends=default", "--bring-back"); !strings.Contains(text, "1 article that had expired: unread again") {
		t.Errorf("it says %q", text)
	}
}

func TestParseEnds(t *testing.T) {
	never := reader.Ends{Days: reader.EndNever, Number: reader.EndNever}
	for text, want := range map[string]reader.Ends{"": {}, "default": {}, "7d": {Days: 7}, "20": {Number: 20}, "newer": {Number: 1}, "7d,20": {Days: 7, Number: 20}, "never": never} {
		got, err := parseEnds(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if again, err := parseEnds(endsText(want)); err != nil || again != want {
			t.Errorf("%+v is written %q", want, endsText(want))
		}
	}
	for _, text := range []string{"soon", "-1", "0d", "d", "7d,", "7d;20", "99999999999999999999"} {
		if _, err := parseEnds(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
