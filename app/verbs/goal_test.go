package verbs

import (
	"strings"
	"testing"
)

// A goal finds its budget; any other budget unsets it, and what is no goal is told in a sentence.
func TestBudgetGoal(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a", site+"/posts/b")
	got := c.one("budget", "goal", "60%")
	goal, ok := got["goal"].(map[string]any)
	if !ok {
		t.Fatalf("%v", got)
	}
	keys(t, "goal", goal, "goal ready lateSeconds ceiling perFeed kept expectedReady expectedLateSeconds expectedLow expectedHigh guess foundAt")
	if goal["goal"] != "60%" || goal["ready"] != 0.6 || goal["kept"] != true || !(goal["expectedReady"].(float64) >= 0.6) || !(got["budget"].(float64) > 0) {
		t.Errorf("%v", got)
	}
	if out := c.do("budget"); !strings.Contains(out, "At least 60 % ready when you come: ") || !strings.Contains(out, " late on average") {
		t.Error(out)
	}
	got = c.one("budget", "goal", "99.9%", "--ceiling", "3")
	if goal := got["goal"].(map[string]any); goal["kept"] != false || goal["ceiling"] != 3.0 || got["budget"] != 3.0 {
		t.Errorf("%v", got)
	}
	if out := c.do("budget"); !strings.Contains(out, "out of reach with 3 fetches a day") {
		t.Error(out)
	}
	if got := c.one("budget", "saver", "on"); got["goal"] == nil || got["budget"].(float64) > 4 {
		t.Errorf("%v", got)
	}
	c.do("budget", "saver", "off")
	if got := c.one("budget", "balanced"); got["goal"] != nil || got["budget"] != 16.0 {
		t.Errorf("%v", got)
	}
	for _, bad := range []string{"0%", "100%", "200%", "95", "most", "10s", ""} {
		if r := c.try("budget", "goal", bad); r.code != 2 || !strings.Contains(r.err, "A goal ") {
			t.Errorf("goal %q: %+v", bad, r)
		}
	}
	for _, bad := range [][]string{{"goal", "--ceiling", "5"}, {"goal", "95%", "98%"}, {"goal", "95%", "--ceiling", "0"}, {"fresh", "--ceiling", "5"}, {"--ceiling", "5"}} {
		if r := c.try(append([]string{"budget"}, bad...)...); r.code != 2 || r.err == "" {
			t.Errorf("%v: %+v", bad, r)
		}
	}
	if got := c.one("budget"); got["normal"] != "balanced" {
		t.Errorf("after what failed: %v", got)
	}
}

// The verb tells the goal and how to leave it.
func TestGoalIsShownAndLeft(t *testing.T) {
	c := newCommand(t)
	if out := c.try("budget", "goal").out; !strings.Contains(out, "No goal is set.") {
		t.Error(out)
	}
	c.do("budget", "goal", "2", "h")
	if out := c.do("budget", "goal"); !strings.Contains(out, "at most 2 h late") || !strings.Contains(out, "kairos budget goal off") {
		t.Error(out)
	}
	if got := c.one("budget", "goal", "off"); got["goal"] != nil || got["normal"] != "balanced" {
		t.Errorf("%v", got)
	}
	for _, before := range []string{"0", "fresh", "77"} {
		c.do("budget", before)
		c.do("budget", "goal", "80%")
		c.do("budget", "goal", "90%")
		if got := c.one("budget", "goal", "off"); got["goal"] != nil || got["normal"] != before {
			t.Errorf("after %s and a goal: %v", before, got)
		}
	}
}

// While fetching is paused the verbs say so, and nothing of what was planned before.
func TestPausedIsTold(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a")
	c.do("budget", "fresh")
	c.do("budget", "0")
	if out := c.do("budget"); !strings.HasPrefix(out, "Fetching is paused: ") || strings.Contains(out, "Next") || strings.Contains(out, "a day") {
		t.Error(out)
	}
	if got := c.one("budget", "00"); got["normal"] != "0" {
		t.Errorf("00 is %v", got["normal"])
	}
	if got := c.one("budget"); got["planned"] != 0.0 || got["nextFetch"] != "" {
		t.Errorf("%v", got)
	}
	if out := c.do("plan"); !strings.HasPrefix(out, "Fetching is paused: ") || strings.Contains(out, "late") {
		t.Error(out)
	}
}

// What is no budget is told in a sentence.
func TestBadBudgets(t *testing.T) {
	c := newCommand(t)
	for want, args := range map[string][]string{
		"less than 0":            {"-5"},
		"A goal is the share":    {"goal", "-5%"},
		"A goal needs its unit":  {"goal", "95"},
		"at most 1000000":        {"99999999999"},
		"is at most 1000000":     {"99999999999999999999999"},
		"unknown shorthand flag": {"-x"},
	} {
		if r := c.try(append([]string{"budget"}, args...)...); r.code != 2 || !strings.Contains(r.err, want) {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

// Hints are listed and removed; what is not one is refused with a sentence.
func TestAccessHint(t *testing.T) {
	c := newCommand(t)
	if out := c.try("access", "hint").out; !strings.HasPrefix(out, "There are no hints.") {
		t.Error(out)
	}
	added := c.one("access", "hint", "7:30 workdays")
	keys(t, "hint", added, "id hint given")
	c.do("access", "hint", "21:00", "weekends")
	list := c.lines("access", "hint")
	if len(list) != 2 || list[0]["hint"] != "7:30 workdays" || list[1]["hint"] != "21:00 weekends" {
		t.Errorf("%v", list)
	}
	if out := c.do("access", "hint"); !strings.Contains(out, "07:30 on workdays") {
		t.Error(out)
	}
	if r := c.try("access", "hint", "--remove", "abc"); r.code != 2 || !strings.Contains(r.err, "There is no such hint.") {
		t.Errorf("%+v", r)
	}
	c.do("access", "hint", "--remove", "1")
	if list := c.lines("access", "hint"); len(list) != 1 || list[0]["id"] != 2.0 {
		t.Errorf("%v", list)
	}
	for _, bad := range [][]string{{"noon"}, {"25:00"}, {"7:30 sometimes"}, {"7:30", "mon", "tue"}, {"--remove", "9"}, {"--remove", "2", "7:30"}} {
		if r := c.try(append([]string{"access", "hint"}, bad...)...); r.code != 2 || r.err == "" {
			t.Errorf("%v: %+v", bad, r)
		}
	}
}

// Forgetting sets the accesses of these days aside, and can be taken back; what cannot be forgotten is told in a sentence.
func TestAccessForget(t *testing.T) {
	c := newCommand(t)
	for _, day := range []string{"01", "02", "03", "04"} {
		c.do("access", "--at", "2024-01-"+day+"T08:00:00Z")
	}
	if got := c.one("access", "forget", "2024-01-02T00:00:00Z", "2024-01-04T00:00:00Z"); got["forgotten"] != 2.0 {
		t.Errorf("%v", got)
	}
	if n := len(c.lines("access", "--list")); n != 2 {
		t.Errorf("%d accesses are left", n)
	}
	if out := c.do("access", "forget"); !strings.Contains(out, "2 Jan 2024 to 3 Jan 2024 do not count (2 visits)") {
		t.Error(out)
	}
	if list := c.lines("access", "forget"); len(list) != 1 || list[0]["accesses"] != 2.0 {
		t.Errorf("%v", list)
	}
	if got := c.one("access", "forget", "--restore", "2024-01-02T00:00:00Z"); got["restored"] != 2.0 {
		t.Errorf("%v", got)
	}
	if n := len(c.lines("access", "--list")); n != 4 || len(c.lines("access", "forget")) != 0 {
		t.Errorf("%d accesses count again", n)
	}
	c.do("access", "forget", "2024-01-02T00:00:00Z", "2024-01-04T00:00:00Z")
	for args, want := range map[string]string{
		"--restore 2024-01-03":  "No forgotten period begins then",
		"2024-02-05 2024-02-01": "ends before",
		"2024-02-05 2999-01-01": "not over yet",
		"yesterday 2024-02-01":  "such as 2026-07-31",
		"2024-01-03 2024-01-09": "forgotten before",
		"2020-01-01 2020-01-02": "nothing to forget",
		"2024-01-03":            "",
	} {
		if r := c.try(append([]string{"access", "forget"}, strings.Fields(args)...)...); r.code != 2 || !strings.Contains(r.err, want) || r.err == "" {
			t.Errorf("%s: %+v", args, r)
		}
	}
}
