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
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/poller"
	"kairos/poller/fetch"
)

// command runs verbs on one data folder.
type command struct {
	t   testing.TB
	dir string
	cwd string
	now func() time.Time // nil: the real time
}

func newCommand(t testing.TB) *command {
	t.Helper()
	run, err := os.MkdirTemp("", "kr") // short, since the path of a socket must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(run) })
	switch t := t.(type) {
	case *testing.T:
		t.Setenv("XDG_RUNTIME_DIR", run)
	case *testing.B:
		t.Setenv("XDG_RUNTIME_DIR", run)
	}
	return &command{t: t, dir: filepath.Join(t.TempDir(), "data"), cwd: t.TempDir()}
}

type result struct {
	code     int
	out, err string
}

// try runs a verb in this process.
func (c *command) try(args ...string) result {
	return c.bare(append(args, "--data", c.dir)...)
}

func (c *command) bare(args ...string) result {
	c.t.Helper()
	var out, err bytes.Buffer
	client := fetch.New(fetch.Options{Now: c.now, Spacing: -1, Limits: fetch.Limits{Headers: 300 * time.Millisecond, Total: 5 * time.Second}})
	code := run(context.WithoutCancel(c.t.Context()), args, &env{cwd: c.cwd, out: &out, err: &err, options: home.Options{Client: client, Now: c.now}})
	return result{code, out.String(), err.String()}
}

// do runs a verb that must succeed and print nothing to standard error.
func (c *command) do(args ...string) string {
	c.t.Helper()
	r := c.try(args...)
	if r.code != 0 || r.err != "" {
		c.t.Fatalf("kairos %s: exit %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.err)
	}
	return r.out
}

// lines runs a verb with --json and returns its objects.
func (c *command) lines(args ...string) []map[string]any {
	c.t.Helper()
	return objects(c.t, c.do(append(args, "--json")...))
}

func objects(t testing.TB, text string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, v)
	}
	return all
}

// one runs a verb that prints one JSON value.
func (c *command) one(args ...string) map[string]any {
	c.t.Helper()
	all := c.lines(args...)
	if len(all) != 1 {
		c.t.Fatalf("kairos %s: %d JSON values", strings.Join(args, " "), len(all))
	}
	return all[0]
}

func (c *command) file(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.cwd, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// keys fails the test for each name that an object lacks.
func keys(t testing.TB, object string, v map[string]any, names string) {
	t.Helper()
	for _, name := range strings.Fields(names) {
		if _, ok := v[name]; !ok {
			t.Errorf("%s: no %q in %v", object, name, v)
		}
	}
}

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
	c.do("set", "1", "title=", "every=0", "paused=off", "interest=auto")
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
	if out := c.do("label"); out != "" {
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
	if got := other.one("import", "--local", filepath.Join(c.cwd, "out.opml")); got["added"] != 0.0 || got["known"] != 2.0 {
		t.Errorf("%v", got)
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
	if out := c.do("plan"); !strings.Contains(out, "Alpha") || !strings.Contains(out, "expected") {
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
	if _, err := h.Subscriptions.Import(t.Context(), strings.NewReader(`<opml><body><outline xmlUrl="https://a.test/"/></body></opml>`), false); err != nil {
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
	if out := c.do("plan"); !strings.HasPrefix(out, "method kairos\n") || !strings.Contains(out, "articles ready") {
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

func TestWrongUsage(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a", site+"/posts/b")
	for _, line := range []string{
		"add", "add x --weight heavy", "add x --weight NaN", "add x --weight -1", "add x --weight 1e9", "add x --nonsense",
		"set", "set 1", "set x title=y", "set 0 title=y", "set -- -1 title=y", "set 99 title=y", "set 1 title", "set 1 colour=red", "set 1 weight=0", "set 1 interest=0", "set 1 interest=NaN", "set 1 interest=1.5", "set 1 interest=often",
		"set 1 every=1m", "set 1 every=8d", "set 1 every=9999999999999d", "set 1 every=soon", "set 1 paused=perhaps", "set 1 url=", "set 1 url=ftp://x.test",
		"remove", "remove x", "remove 99", "remove 1 2", "mark", "mark 1", "mark 1 red", "mark x read", "mark 999 read", "label x", "label add", "label add x", "label add x y", "label add x 999", "label remove x 1", "label rename x", "label rename x y", "label delete x", "label delete", "articles --label x", "mark 99999999999999999999 read",
		"import", "import a b", "export a b", "feeds x", "feeds 0", "feeds 99", "feeds 1 99", "articles x", "articles --feed 99", "articles --feed -1", "articles --feed 0", "articles --limit 0",
		"articles --limit x", "fetch x", "fetch 99", "poll x", "poll --for x", "poll --for -1s", "access x", "access --list --clear", "access --import missing",
		"budget x", "budget 1.5", "budget 1 2", "budget saver", "budget saver perhaps", "budget 99999999999", "plan x", "plan --method best", "plan --method best --use", "plan --use", "plan --method missing", "plan --method exact --use --rates x", "plan --rates=", "show",
		"fetchh", "feds --json", "add1 http://a.test", "--nonsense", "nonsense and more", "/no/such/file",
	} {
		r := c.try(strings.Fields(line)...)
		want := 2
		if line == "show" {
			want = 1
		}
		if r.code != want || strings.Count(r.err, "\n") != 1 || !strings.HasPrefix(r.err, "kairos: ") || r.out != "" {
			t.Errorf("kairos %s: exit %d, %q %q, want exit %d and one line", line, r.code, r.out, r.err, want)
		}
	}
	if r := c.try("mark", "1", "999", "read"); r.code != 1 || !strings.Contains(r.err, "999") {
		t.Errorf("%+v", r)
	}
	if r := c.try("set", "1", "url="+site+"/posts/b"); r.code != 2 || !strings.Contains(r.err, "already subscribed") {
		t.Errorf("%+v", r)
	}
	if f := c.lines("feeds")[0]; f["title"] != "Alpha" || f["weight"] != 1.0 || f["url"] != site+"/posts/a" {
		t.Errorf("wrong usage changed %v", f)
	}
}

func TestOddInput(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a")
	long := strings.Repeat("日本 ", 5000)
	if f := c.one("set", "1", "title="+long, "folder=a\n\tb / / c"); f["title"] != strings.TrimSpace(long) || f["folder"] != "a b / c" {
		t.Errorf("folder %q", f["folder"])
	}
	c.do("feeds")
	for _, search := range []string{"%", "_", `\`, "'", `"`, "\xff", strings.Repeat("x", 40_000), "é É"} {
		if r := c.try("articles", "--search", search); r.code != 0 || r.out != "" {
			t.Errorf("search %.20q: %+v", search, r)
		}
	}
	if r := c.try("articles", "--search", long); r.code == 0 && r.out != "" {
		t.Errorf("found %q", r.out)
	}
}

func TestHelpAndVersion(t *testing.T) {
	c := newCommand(t)
	for _, line := range []string{"--help", "help", "help add", "add --help", "plan -h", "--version"} {
		if r := c.try(strings.Fields(line)...); r.code != 0 || r.out == "" || r.err != "" {
			t.Errorf("kairos %s: %+v", line, r)
		}
	}
	if said, built := c.do("--version"), home.Built(); said != "kairos "+built.String()+"\n" || built.Go == "" {
		t.Errorf("--version says %q", said)
	}
	if built := c.one("--version"); built["version"] != home.Version || built["go"] == nil {
		t.Errorf("--version --json says %v", built)
	}
	help := c.do("--help")
	for _, verb := range strings.Fields("add set remove mark import export feeds articles fetch poll access budget plan insights") {
		if !strings.Contains(help, "\n  "+verb+" ") {
			t.Errorf("help does not name %s", verb)
		}
	}
	if _, err := os.Stat(c.dir); err == nil {
		t.Error("asking for help made a data folder")
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
		window := func(_ context.Context, dir, argument string, hidden bool) error {
			got, asHidden = argument, hidden
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

// TestMisspelledVerb proposes the verb that was meant, and says what else an argument may be.
func TestMisspelledVerb(t *testing.T) {
	c := newCommand(t)
	for argument, want := range map[string]string{
		"acess":      "did you mean access?",
		"artcles":    "did you mean articles?",
		"zzz zzz":    "“kairos --help” lists the verbs",
		"ftp://a.b/": "“kairos --help” lists the verbs",
	} {
		if r := c.try(argument); r.code != exitUsage || !strings.Contains(r.err, want) || !strings.Contains(r.err, "not a verb, a file or a web address") {
			t.Errorf("kairos %s: exit %d, %s", argument, r.code, r.err)
		}
	}
}

// TestHelpOfSetNamesValues holds that each property stands in the help with values that it takes.
func TestHelpOfSetNamesValues(t *testing.T) {
	help := newCommand(t).do("set", "--help")
	for _, name := range []string{"title", "url", "folder", "weight", "interest", "every", "paused", "fulltext", "account"} {
		if !strings.Contains(help, "  "+name+"=") {
			t.Errorf("%s is not in the help", name)
		}
	}
	for _, value := range []string{"low, normal, high", "30m to 7d", "on or off", "auto"} {
		if !strings.Contains(help, value) {
			t.Errorf("the help does not name %q", value)
		}
	}
}
