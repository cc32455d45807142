package verbs

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/poller"
	"kairos/reader/imports"
	"kairos/reader/opml"
)

func TestAddListMarkSetRemove(t *testing.T) {
	c, site := newCommand(t), site(t)
	added := c.one("add", site+"/posts/a", "--folder", " News / Local", "--weight", "high")
	keys(t, "add", added, "id title url new")
	if added["title"] != "Alpha" || added["new"] != 3.0 {
		t.Errorf("%v", added)
	}
	f := c.one("feeds")
	keys(t, "feeds", f, "id title url site folder weight unread articles lastFetch nextFetch nextReason error")
	if f["folder"] != "News / Local" || f["weight"] != 2.0 || f["unread"] != 3.0 || f["articles"] != 3.0 ||
		f["site"] != "https://site.test/" || f["error"] != "" || f["url"] != site+"/posts/a" {
		t.Errorf("%v", f)
	}
	for _, name := range []string{"lastFetch", "nextFetch"} {
		if _, err := time.Parse(time.RFC3339, fmt.Sprint(f[name])); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}

	articles := c.lines("articles")
	if len(articles) != 3 || articles[0]["title"] != "Alpha 0" || articles[2]["title"] != "Alpha 2" {
		t.Fatalf("%v", articles)
	}
	keys(t, "articles", articles[0], "id feed title link published read starred")
	if _, there := articles[0]["content"]; there {
		t.Error("content that nobody asked for")
	}
	html := fmt.Sprint(c.lines("articles", "--content", "--limit", "1")[0]["content"])
	if !strings.Contains(html, "<b>0</b>") || strings.Contains(html, "script") || strings.Contains(html, "x()") {
		t.Errorf("content %q", html)
	}
	id := fmt.Sprint(articles[1]["id"])
	for _, status := range []string{"read", "starred"} {
		if changed := c.one("mark", id, status)["changed"]; changed != 1.0 {
			t.Errorf("%s changed %v", status, changed)
		}
	}
	if a := c.lines("articles")[1]; a["read"] != true || a["starred"] != true {
		t.Errorf("%v", a)
	}
	if n := len(c.lines("articles", "--unread")); n != 2 {
		t.Errorf("%d unread", n)
	}
	for search, want := range map[string]int{"alpha 2": 1, "alph": 3, "alpha is:unread": 2, "is:starred": 1, `"alpha`: 3, "alpha -2": 2, "before:2000": 0} {
		if n := len(c.lines("articles", "--search", search)); n != want {
			t.Errorf("%s: %d found, want %d", search, n, want)
		}
	}
	c.do("mark", id, "unstarred")
	c.do("mark", id, "unread")
	if n := len(c.lines("articles", "--unread", "--feed", "1")); n != 3 {
		t.Errorf("%d unread", n)
	}

	set := c.one("set", "1", "title=Mine = yours", "folder=", "weight=0.25", "interest=80%", "every=2d", "paused=on", "fulltext=yes", "url="+site+"/posts/b")
	if set["title"] != "Mine = yours" || set["folder"] != "" || set["weight"] != 0.25 || set["interest"] != 0.8 || set["every"] != "48h0m0s" ||
		set["paused"] != true || set["fulltext"] != true || set["url"] != site+"/posts/b" {
		t.Errorf("%v", set)
	}
	if f := c.one("feeds"); f["interest"] != 0.8 || f["interestSet"] != true || f["read"] != 0.0 || f["passed"] != 0.0 {
		t.Errorf("%v", f)
	}
	if out := c.do("set", "1", "title=", "every=0", "paused=off", "interest=auto"); out != "1  Alpha\n      how much of it you read is learned\n      fetched as it is planned, without a longest interval\n      not paused\n" {
		t.Errorf("%q", out)
	}
	if out := c.do("set", "1", "every=6h"); out != "1  Alpha\n      fetched at least every 6 h\n" {
		t.Errorf("%q", out)
	}
	c.do("set", "1", "every=0")
	if f := c.one("feeds"); f["interestSet"] != false || f["interest"] == 0.8 {
		t.Errorf("%v", f)
	}
	if f := c.one("feeds"); f["title"] != "Alpha" || f["paused"] == true {
		t.Errorf("%v", f)
	}
	c.do("remove", "1")
	if out := c.do("feeds") + c.do("articles"); out != "" {
		t.Errorf("left: %q", out)
	}
	if again := c.one("add", site+"/posts/b"); again["id"] != 1.0 {
		t.Errorf("came back as %v", again)
	}
}

func TestLabels(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a")
	articles := c.lines("articles")
	first, second := fmt.Sprint(articles[0]["id"]), fmt.Sprint(articles[1]["id"])
	if out := c.do("label"); out != "There are no labels yet.\n" {
		t.Errorf("at first: %q", out)
	}
	if got := c.one("label", "add", "Read later", first, second); got["changed"] != 2.0 {
		t.Errorf("%v", got)
	}
	if got := c.one("label", "add", "read LATER", first); got["changed"] != 0.0 {
		t.Errorf("again: %v", got)
	}
	c.do("label", "add", "Work", first)
	if got := c.one("label", "remove", "Read later", first); got["changed"] != 1.0 {
		t.Errorf("%v", got)
	}
	c.do("mark", second, "read")
	all := c.lines("label")
	if len(all) != 2 || all[0]["name"] != "Read later" || all[0]["articles"] != 1.0 || all[0]["unread"] != 0.0 || all[1]["name"] != "Work" {
		t.Errorf("%v", all)
	}
	keys(t, "label", all[0], "id name articles unread")
	if got := c.one("articles", "--label", "work"); fmt.Sprint(got["id"]) != first || fmt.Sprint(got["labels"]) != "[Work]" {
		t.Errorf("%v", got)
	}
	if got := c.one("articles", "--search", `label:"read later"`); fmt.Sprint(got["id"]) != second {
		t.Errorf("%v", got)
	}
	if got := c.one("label", "rename", "work", "Job"); got["name"] != "Job" {
		t.Errorf("%v", got)
	}
	if r := c.try("label", "rename", "Job", "read later"); r.code == 0 || !strings.Contains(r.err, "Another label has this name") {
		t.Errorf("%+v", r)
	}
	c.do("label", "delete", "Job")
	if all := c.lines("label"); len(all) != 1 || len(c.lines("articles")) != 3 {
		t.Errorf("%v", all)
	}
	if r := c.try("label", "add", "Later", first, "999"); r.code != 1 || !strings.Contains(r.err, "999") {
		t.Errorf("%+v", r)
	}
}

func TestImportAndExport(t *testing.T) {
	c, asked := newCommand(t), 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer s.Close()
	list := `<opml version="2.0"><body><outline text="News"><outline text="A &amp; B" xmlUrl="` + s.URL + `/a"/></outline>
<outline text="B" xmlUrl="` + s.URL + `/b"/><outline text="Mail" type="rss" xmlUrl="mailto:x@y.test"/></body></opml>`
	c.file("list.opml", list)
	r := c.try("import", "--local", "list.opml", "--json")
	got := objects(t, r.out)[0]
	if r.code != 1 || got["added"] != 2.0 || got["known"] != 0.0 || len(got["refused"].([]any)) != 1 || !strings.Contains(r.err, "Mail") {
		t.Errorf("%+v", r)
	}
	if asked != 0 {
		t.Errorf("importing asked %d times", asked)
	}
	exported := c.do("export")
	if out := c.one("export", "out.opml"); out["feeds"] != 2.0 || out["file"] != filepath.Join(c.cwd, "out.opml") {
		t.Errorf("%v", out)
	}
	text, err := os.ReadFile(filepath.Join(c.cwd, "out.opml"))
	if err != nil || !strings.Contains(exported, "A &amp; B") || len(text) != len(exported) {
		t.Errorf("%s (%v)", text, err)
	}
	other := newCommand(t)
	other.cwd = c.cwd
	if got := other.one("import", "--local", "out.opml"); got["added"] != 2.0 || len(got["refused"].([]any)) != 0 {
		t.Errorf("%v", got)
	}
	if got := other.one("import", "--local", filepath.Join(c.cwd, "out.opml")); got["added"] != 0.0 || got["known"] != 2.0 || got["id"] != 0.0 {
		t.Errorf("%v", got)
	}
	if got := objects(t, other.try("import", "--preview", "list.opml", "--json").out)[0]; got["reader"] != "opml" || got["known"] != 2.0 || got["folders"] != 1.0 || got["local"] != nil {
		t.Errorf("%v", got)
	}
	if out := other.do("import", "--list"); !strings.HasPrefix(out, "1  ") || !strings.HasSuffix(out, "  OPML: 2 feeds\n") || strings.Count(out, "\n") != 1 {
		t.Errorf("listed: %s", out)
	}
	if other.do("import", "--undo", "1"); other.do("feeds") != "" {
		t.Error("the feeds of a list were not taken back")
	}
	c.file("cut.opml", list[:len(list)-80])
	if r := other.try("import", "--local", "cut.opml"); r.code != 1 || !strings.Contains(r.err, "early") {
		t.Errorf("%+v", r)
	}
	c.file("words.txt", "these are words")
	for _, name := range []string{"words.txt", "missing.opml", "."} {
		if r := other.try("import", name); r.code != 2 || r.err == "" || r.out != "" {
			t.Errorf("import %s: %+v", name, r)
		}
	}
	for _, name := range []string{"no/such/folder/x.opml", "."} {
		if r := other.try("export", name); r.code != 2 || r.err == "" {
			t.Errorf("export %s: %+v", name, r)
		}
	}
}

func TestExportEverything(t *testing.T) {
	c := newCommand(t)
	c.file("list.opml", `<opml><body><outline text="A" xmlUrl="https://a.test/"/><outline text="B" xmlUrl="http://localhost/b"/></body></opml>`)
	c.try("import", "list.opml")
	if out := c.one("export", "--all", "out"); out["feeds"] != 2.0 || out["articles"] != 0.0 || out["folder"] != filepath.Join(c.cwd, "out") {
		t.Errorf("%v", out)
	}
	for _, args := range [][]string{{"export", "--all", "out"}, {"export", "x.opml", "--all", "y"}, {"export", "--all", "no/such/folder"}} {
		if r := c.try(args...); r.code == 0 || r.err == "" || r.out != "" {
			t.Errorf("%v: %+v", args, r)
		}
	}
	other := newCommand(t)
	other.cwd = c.cwd
	in := other.try("import", "out", "--json")
	var got map[string]any
	if err := json.Unmarshal([]byte(in.out), &got); err != nil || in.code != 0 || !strings.Contains(in.err, "It is paused") || got["added"] != 2.0 || got["problems"] != nil || got["reader"] != "kairos-export" {
		t.Errorf("%+v %v", in, err)
	}
	if got := other.one("import", "out/kairos.json"); got["added"] != 0.0 || got["known"] != 2.0 {
		t.Errorf("%v", got)
	}
	c.file("out/log/access.csv", "at\nyesterday\n")
	if r := other.try("import", "out"); r.code != 1 || !strings.Contains(r.err, "access.csv") {
		t.Errorf("%+v", r)
	}
}

func TestFetch(t *testing.T) {
	c, site := newCommand(t), site(t)
	if out := c.do("fetch"); !strings.Contains(out, "no feeds") {
		t.Error(out)
	}
	c.do("add", site+"/posts/a", site+"/posts/b")
	all := c.lines("fetch")
	if len(all) != 2 || all[0]["result"] != "unchanged" || all[0]["reason"] != "manual" {
		t.Errorf("%v", all)
	}
	if one := c.one("fetch", "2"); one["title"] != "Beta" {
		t.Errorf("%v", one)
	}
	c.do("set", "1", "url="+site+"/nothing")
	r := c.try("fetch")
	if r.code != 1 || !strings.Contains(r.err, "Alpha") || !strings.Contains(r.err, "404") || !strings.Contains(r.out, "Beta: Checked ") {
		t.Errorf("%+v", r)
	}
	if f := c.lines("feeds")[0]; !strings.Contains(fmt.Sprint(f["error"]), "404") || f["articles"] != 3.0 {
		t.Errorf("%v", f)
	}
	c.do("set", "1", "paused=true")
	c.do("set", "2", "paused=true")
	if out := c.do("fetch"); !strings.Contains(out, "all feeds are paused") {
		t.Error(out)
	}
	if r := c.try("fetch", "1", "99"); r.code != 2 || !strings.Contains(r.err, "99") {
		t.Errorf("%+v", r)
	}
}

func TestAccess(t *testing.T) {
	c := newCommand(t)
	if got := c.one("access"); got["logged"] != true {
		t.Errorf("%v", got)
	}
	if got := c.one("access", "--at", "2026-01-31T08:15:00+01:00"); got["logged"] != true {
		t.Errorf("%v", got)
	}
	if got := c.one("access", "--at", "2026-01-31T07:15:00Z"); got["logged"] != false {
		t.Errorf("the same instant again: %v", got)
	}
	c.file("log", "\ufeff2026-01-30T08:15:00+01:00\r\n\n2026-01-31T07:15:00Z\n")
	if got := c.one("access", "--import", "log"); got["added"] != 1.0 || got["known"] != 1.0 {
		t.Errorf("%v", got)
	}
	log := c.lines("access", "--list")
	if len(log) != 3 || log[0]["at"] != "2026-01-30T08:15:00+01:00" {
		t.Errorf("%v", log)
	}
	c.file("bad", "2026-01-29T08:15:00+01:00\nyesterday\n")
	if r := c.try("access", "--import", "bad"); r.code != 2 || !strings.Contains(r.err, "line 2") {
		t.Errorf("%+v", r)
	}
	for _, at := range []string{"now", "2026-01-31", "2999-01-01T00:00:00Z", "0001-01-01T00:00:00Z"} {
		if r := c.try("access", "--at", at); r.code != 2 || r.err == "" {
			t.Errorf("at %s: %+v", at, r)
		}
	}
	if n := len(c.lines("access", "--list")); n != 3 {
		t.Errorf("%d accesses after what failed", n)
	}
	if got := c.one("access", "--clear"); got["cleared"] != 3.0 {
		t.Errorf("%v", got)
	}
	if out := c.do("access", "--list"); out != "" {
		t.Error(out)
	}
}

func TestBudgetAndPlan(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a", site+"/posts/b")
	for _, b := range []struct {
		args   string
		budget float64
		saver  string
	}{{"", 16, "off"}, {"fresh", 48, "off"}, {"12", 12, "off"}, {"saver on", 4, "on"}, {"3", 3, "on"}, {"balanced", 4, "on"}, {"saver off", 16, "off"}, {"saver auto", -1, "auto"}, {"saver off", 16, "off"}, {"0", 0, "off"}} {
		got := c.one(append([]string{"budget"}, strings.Fields(b.args)...)...)
		keys(t, "budget", got, "normal saver saving savingReasons offline budget spent left")
		if b.budget >= 0 && got["budget"] != b.budget || got["saver"] != b.saver {
			t.Errorf("budget %s: %v", b.args, got)
		}
	}
	if p := c.one("plan"); len(p["feeds"].([]any)) != 2 || p["budget"] != 0.0 {
		t.Errorf("%v", p)
	}
	c.do("budget", "balanced")
	for _, method := range []string{"exact", "he-parker", "sia", "uniform"} {
		p := c.one("plan", "--method", method)
		keys(t, "plan", p, "delay price feeds warnings warningFacts budget from access accessesPerDay")
		f := p["feeds"].([]any)[0].(map[string]any)
		keys(t, "plan's feed", f, "id title postsPerDay posting fetchesPerDay every instants delay")
		if instants := f["instants"].([]any); len(instants) == 0 {
			t.Errorf("%s: no instants: %v", method, f)
		} else {
			keys(t, "instant", instants[0].(map[string]any), "at reason residual")
		}
	}
	if out := c.do("plan"); !strings.Contains(out, "Alpha") || !strings.Contains(out, "times a day – it is not known yet when you read") {
		t.Error(out)
	}
}

// The owner knows the power state, and `budget` prints why it saves.
func TestBudgetSavingReasons(t *testing.T) {
	dir := t.TempDir()
	h, err := home.Open(t.Context(), dir, home.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.Subscriptions.ImportSource(t.Context(), 0, imports.New(imports.List, "", []imports.Feed{{Subscribed: true, Outline: opml.Outline{URL: "https://a.test/"}}}, nil)); err != nil {
		t.Fatal(err)
	}
	budget := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := run(t.Context(), append([]string{"budget"}, args...), &env{home: h, dir: dir, out: &out, err: &errs}); code != 0 {
			t.Fatalf("exit %d: %s", code, &errs)
		}
		return out.String()
	}
	h.Poller.SetPowerState(poller.PowerState{Metered: true, PowerSaver: true})
	if got := objects(t, budget("--json"))[0]; got["saving"] != false || fmt.Sprint(got["savingReasons"]) != "[]" || got["offline"] != false {
		t.Errorf("%v", got)
	}
	if out := budget("saver", "auto"); !strings.Contains(out, "2 fetches a day;") ||
		!strings.Contains(out, "battery saver automatic (the system saves power, metered network)\n") {
		t.Error(out)
	}
	if got := objects(t, budget("--json"))[0]; got["saving"] != true || fmt.Sprint(got["savingReasons"]) != "[the system saves power metered network]" {
		t.Errorf("%v", got)
	}
	h.Poller.SetPowerState(poller.PowerState{NoNetwork: true})
	if out := budget(); !strings.Contains(out, "8 fetches a day;") || !strings.Contains(out, "battery saver automatic\n") || !strings.Contains(out, "no network") {
		t.Error(out)
	}
	if got := objects(t, budget("--json"))[0]; got["saving"] != false || got["offline"] != true {
		t.Errorf("%v", got)
	}
}

func TestPlanMethod(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a", site+"/posts/b")
	if out := c.do("plan"); !strings.HasPrefix(out, "method kairos\n") || !strings.Contains(out, "articles ready") ||
		!regexp.MustCompile(`(?m)^      \d{4}-\d\d-\d\d \d\d:\d\d  \S`).MatchString(out) {
		t.Error(out)
	}
	if out := c.do("plan", "--method", "he-parker"); !strings.HasPrefix(out, "method he-parker, for comparison; kairos is in use\n") {
		t.Error(out)
	}
	if p := c.one("plan", "--method", "he-parker", "--use"); p["method"] != "he-parker" || p["inForce"] != "he-parker" {
		t.Errorf("%v", p)
	}
	if p := c.one("plan"); p["method"] != "he-parker" || p["inForce"] != "he-parker" {
		t.Errorf("%v", p)
	}
	if p := c.one("plan", "--method", "exact"); p["method"] != "exact" || p["inForce"] != "he-parker" {
		t.Errorf("%v", p)
	}
	if out := c.do("plan", "--method", "exact", "--use"); !strings.HasPrefix(out, "method exact\n") || !strings.Contains(out, "less late in all") {
		t.Error(out)
	}
	for method, unit := range map[string]string{"kairos": "articles", "exact": "hours"} {
		p := c.one("plan", "--method", method)
		value, bound := p["value"].(float64), p["bound"].(float64)
		if p["unit"] != unit || !(bound <= value) || value == 0 {
			t.Errorf("%s: %v %v, at least %v", method, value, p["unit"], bound)
		}
	}
}

func TestReadingAMissingFolder(t *testing.T) {
	c := newCommand(t)
	for _, line := range []string{"feeds", "articles", "access --list", "budget", "plan", "insights", "export"} {
		r := c.try(append(strings.Fields(line), "--json")...)
		if r.code != 0 || !strings.Contains(r.err, "nothing in "+c.dir) {
			t.Errorf("%s: %+v", line, r)
		}
		if line == "budget" && objects(t, r.out)[0]["normal"] != "balanced" {
			t.Error(r.out)
		}
	}
	if r := c.try("articles", "--feed", "1"); r.code != 2 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(c.dir); err == nil {
		t.Error("asking made the folder")
	}
}

func TestDataFolders(t *testing.T) {
	c, site := newCommand(t), site(t)
	for _, dir := range []string{"with blanks in it", "日本 ünï", "a?b#c%d", "deep/er/still", filepath.Join(c.cwd, "absolute")} {
		if r := c.bare("add", site+"/posts/a", "--data", dir); r.code != 0 {
			t.Errorf("%s: %+v", dir, r)
		}
		if r := c.bare("feeds", "--data="+dir); r.code != 0 || !strings.Contains(r.out, "Alpha") {
			t.Errorf("%s: %+v", dir, r)
		}
		path := dir
		if !filepath.IsAbs(dir) {
			path = filepath.Join(c.cwd, dir)
		}
		if _, err := os.Stat(filepath.Join(path, "kairos.db")); err != nil {
			t.Error(err)
		}
	}
	c.file("file", "")
	for _, verb := range [][]string{{"add", site + "/posts/a"}, {"feeds"}} {
		if r := c.bare(append(verb, "--data", "file")...); r.code != 2 || r.err == "" {
			t.Errorf("%v: %+v", verb, r)
		}
	}
}

func TestDamagedAndNewerFiles(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a")
	db, err := sql.Open("sqlite", filepath.Join(c.dir, "kairos.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("INSERT INTO migration VALUES ('reader', 99, 0)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, verb := range [][]string{{"feeds"}, {"add", site + "/posts/b"}, {"export"}, {"poll", "--for", "1s"}} {
		want := "kairos: A newer version of Kairos has written " + c.dir + ". Install that version, or choose another folder with --data.\n"
		if r := c.try(verb...); r.code != 2 || r.err != want || r.out != "" {
			t.Errorf("%v: %+v", verb, r)
		}
	}
	name := filepath.Join(c.dir, "kairos.db")
	garbage := []byte(strings.Repeat("garbage ", 1000))
	if err := os.WriteFile(name, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, verb := range [][]string{{"feeds"}, {"add", site + "/posts/b"}, {"export"}, {"poll", "--for", "1s"}} {
		if r := c.try(verb...); r.code != 2 || !strings.Contains(r.err, "damaged") || strings.Count(r.err, "\n") != 1 || r.out != "" {
			t.Errorf("%v: %+v", verb, r)
		}
	}
	if text, err := os.ReadFile(name); err != nil || !slices.Equal(text, garbage) {
		t.Errorf("the file was touched (%v)", err)
	}
}

// Without a home folder, or with one that cannot be written to, a sentence says so; with --data neither is asked for.
func TestWithoutAHomeFolder(t *testing.T) {
	c, site := newCommand(t), site(t)
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("LOCALAPPDATA", "")
	t.Setenv("USERPROFILE", "")
	file := c.file("file", "")
	for home, says := range map[string]string{"": "choose a folder with --data", filepath.Join(file, "ada"): "the data folder"} {
		t.Setenv("HOME", home)
		if r := c.bare("add", site+"/posts/a"); r.code != 2 || !strings.Contains(r.err, says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("HOME=%s: %+v", home, r)
		}
		c.do("access")
	}
}

func TestWindowGetsTheArgument(t *testing.T) {
	c := newCommand(t)
	c.file("list.opml", "x")
	for _, a := range []struct{ given, want string }{{"", ""}, {"https://a.test/feed", "https://a.test/feed"}, {"a.test", "a.test"},
		{"feed:https://a.test/", "feed:https://a.test/"}, {"list.opml", filepath.Join(c.cwd, "list.opml")},
		{"file://" + filepath.ToSlash(filepath.Join(c.cwd, "list.opml")), filepath.Join(c.cwd, "list.opml")}} {
		got, asHidden := "never opened", false
		window := func(_ context.Context, dir string, start home.Start, hidden bool) error {
			got, asHidden = start.Argument, hidden
			if dir != c.dir {
				t.Errorf("folder %s", dir)
			}
			return nil
		}
		args := []string{"--hidden", "--data", c.dir}
		if a.given != "" {
			args = append(args, a.given)
		}
		code := run(t.Context(), args, &env{cwd: c.cwd, out: &bytes.Buffer{}, err: &bytes.Buffer{}, window: window})
		if code != 0 || got != a.want || !asHidden {
			t.Errorf("%q: exit %d, opened with %q (hidden %t)", a.given, code, got, asHidden)
		}
	}
}

func TestWindowGetsTheCommand(t *testing.T) {
	c := newCommand(t)
	for _, a := range []struct {
		do   string
		code int
		says string
	}{{home.StartAdd, 0, ""}, {home.StartRefresh, 0, ""}, {home.StartSaver, 0, ""}, {"quit", 2, "add-feed, refresh, battery-saver"}} {
		got := ""
		window := func(_ context.Context, _ string, start home.Start, _ bool) error {
			got = start.Command
			return nil
		}
		var said bytes.Buffer
		code := run(t.Context(), []string{"--data", c.dir, "--do", a.do}, &env{cwd: c.cwd, out: &bytes.Buffer{}, err: &said, window: window})
		if code != a.code || (got == a.do) != (code == 0) || !strings.Contains(said.String(), a.says) {
			t.Errorf("%s: exit %d, told to do %q: %s", a.do, code, got, &said)
		}
	}
	if code := run(t.Context(), []string{"--data", c.dir, "--hidden", "--do", "refresh"}, &env{cwd: c.cwd, out: &bytes.Buffer{}, err: &bytes.Buffer{}}); code != 2 {
		t.Errorf("hidden, with a command: exit %d", code)
	}
}

// What another reader has left is imported with its marks, once, and taken back.
func TestImportOfAnotherReader(t *testing.T) {
	c := newCommand(t)
	c.now = func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) }
	source, err := filepath.Abs("../../reader/imports/testdata/liferea")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.one("import", "--preview", source); got["reader"] != "liferea" || got["source"].(map[string]any)["articles"] != 19.0 {
		t.Errorf("%v", got)
	}
	r := c.try("import", source, "--json")
	got := objects(t, r.out)[0]
	if stored := got["stored"].(map[string]any); r.code != 0 || got["added"] != 3.0 || stored["articles"] != 19.0 || stored["starred"] != 1.0 || stored["read"] != 2.0 {
		t.Errorf("%+v", r)
	}
	if r := c.try("import", "--local", source); r.code != 0 || !strings.HasPrefix(r.out, "added 0 feeds and 0 articles; 3 feeds and 19 articles were here already, 0 refused\n") {
		t.Errorf("%+v", r)
	}
	if feeds := objects(t, c.do("feeds", "--json")); len(feeds) != 3 || feeds[2]["folder"] != "Travel" || feeds[2]["articles"] != 8.0 {
		t.Errorf("%v", feeds)
	}
	if starred := objects(t, c.do("articles", "--json", "--search", "is:starred")); len(starred) != 1 || starred[0]["title"] != "Trains of the Alps no. 7 & more" {
		t.Errorf("%v", starred)
	}
	if r := c.try("import", "--undo", "99"); r.code != 2 || !strings.Contains(r.err, "there is no import 99") {
		t.Errorf("%+v", r)
	}
	c.file("cut.db", "SQLite format 3\x00 but nothing more")
	if r := c.try("import", "cut.db"); r.code != 2 || !strings.Contains(r.err, "This file is damaged or cannot be read: "+filepath.Join(c.cwd, "cut.db")) {
		t.Errorf("%+v", r)
	}
	c.do("import", "--undo", "1")
	if out := c.do("feeds", "--json") + c.do("articles", "--json") + c.do("import", "--list", "--json"); out != "" {
		t.Errorf("left: %s", out)
	}
	for _, args := range [][]string{{"import"}, {"import", "--undo", "1"}, {"import", "--from", "paper", source}, {"import", "--list", source}} {
		if r := c.try(args...); r.code != 2 || r.err == "" {
			t.Errorf("%v: %+v", args, r)
		}
	}
}
