package verbs

import (
	"os"
	"strings"
	"testing"

	"kairos/app/home"
)

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
	if f := c.one("set", "1", "folder=News/Local"); f["folder"] != "News / Local" {
		t.Errorf("folder %q", f["folder"])
	}
	if f := c.one("set", "1", "folder=News/Local"); f["folder"] != "News / Local" {
		t.Errorf("folder %q, the second time", f["folder"])
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
