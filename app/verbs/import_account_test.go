package verbs

import (
	"os"
	"path/filepath"
	"testing"
)

// A list, or the feeds that another reader has, can be subscribed to with an account, which is named as feeds are.
func TestImportIntoAccount(t *testing.T) {
	c := newAccountCommand(t)
	c.server.AcceptsFeeds = true
	if r := c.with("secret\n", "account", "add", "rss.test", "--user", "ann", "--name", "At home", "--password-stdin"); r.code != exitDone {
		t.Fatalf("%+v", r)
	}
	dir := filepath.Join(c.cwd, ".newsboat")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	urls := filepath.Join(dir, "urls")
	if err := os.WriteFile(urls, []byte("# mine\nhttps://b.test/feed News\nhttps://a.test/feed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.want(exitUsage, `there is no account "work"`, "import", urls, "--account", "work")
	c.want(exitDone, "2 feeds", "import", dir, "--preview") // nothing but the list is there
	c.want(exitDone, "At home: 1 added, 1 already subscribed, 0 refused", "import", urls, "--account", "home")
	feeds := objects(t, c.with("", "feeds", "--json").out)
	if len(feeds) != 2 || feeds[1]["account"] != 1.0 || feeds[1]["folder"] != "News" || len(c.server.Subscribed) != 2 {
		t.Errorf("%v; the server has %+v", feeds, c.server.Subscribed)
	}
	c.want(exitUsage, "account", "import", urls, "--account", "home", "--preview")
}
