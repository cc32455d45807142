package verbs

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	accounts "kairos/poller/sync"
	"kairos/poller/sync/synctest"
)

// accountCommand runs verbs with a server and a keyring.
type accountCommand struct {
	*command
	server *hometest.Server
	ring   *hometest.Ring
}

func newAccountCommand(t *testing.T) *accountCommand {
	return &accountCommand{newCommand(t), hometest.NewServer(), hometest.NewRing()}
}

func (c *accountCommand) options() home.Options { return c.server.Accounts(c.ring) }

// with runs a verb that is typed input to.
func (c *accountCommand) with(input string, args ...string) result {
	c.t.Helper()
	var out, err bytes.Buffer
	code := run(context.WithoutCancel(c.t.Context()), append(args, "--data", c.dir), &env{cwd: c.cwd, in: strings.NewReader(input), out: &out, err: &err, options: c.options()})
	return result{code, out.String(), err.String()}
}

func (c *accountCommand) want(code int, out string, args ...string) {
	c.t.Helper()
	if r := c.with("", args...); r.code != code || !strings.Contains(r.out+r.err, out) {
		c.t.Errorf("kairos %s: exit %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.err)
	}
}

// Without a keyring, passwords go into a file once that is allowed; what has to be allowed is said.
func TestPasswordFile(t *testing.T) {
	c := newAccountCommand(t)
	c.ring.Err = fmt.Errorf("failed to unlock")
	add := []string{"account", "add", "rss.test", "--user", "ann", "--password-stdin"}
	r := c.with("secret\n", add...)
	if r.code != exitUsage || !strings.Contains(r.err, "is locked. Unlock it and try again. Or use --password-file") || !strings.Contains(r.err, filepath.Join(c.dir, "passwords.json")) {
		t.Errorf("locked: %+v", r)
	}
	c.want(exitDone, "There are no accounts yet.", "account")
	if r := c.with("secret\n", append(add, "--password-file")...); r.code != exitDone || !strings.Contains(r.out, "2 new") {
		t.Errorf("allowed: %+v", r)
	}
	if info, err := os.Stat(filepath.Join(c.dir, "passwords.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	c.want(exitDone, "0 new", "account", "sync")
	if r := c.with("secret\n", add...); r.code != exitDone { // it is allowed already
		t.Errorf("another time: %+v", r)
	}
}

func TestAccounts(t *testing.T) {
	c := newAccountCommand(t)
	if r := c.with("wrong\n", "account", "add", "rss.test", "--user", "ann", "--password-stdin"); r.code != exitUsage || !strings.Contains(r.err, "rss.test does not accept the user name and password") {
		t.Errorf("wrong password: %+v", r)
	}
	c.want(exitUsage, "Use --user", "account", "add", "rss.test")
	c.want(exitUsage, "--password-stdin", "account", "add", "rss.test", "--user", "ann")
	if r := c.with("\n", "account", "add", "rss.test", "--user", "ann", "--password-stdin"); r.code != exitUsage || !strings.Contains(r.err, "empty") {
		t.Errorf("no password: %+v", r)
	}
	if r := c.with("secret\n", "account", "add", "rss.test", "--user", "ann", "--name", "Mine", "--password-stdin"); r.code != 0 || !strings.Contains(r.out, "Mine: 2 new") {
		t.Fatalf("added: %+v", r)
	}
	for name, value := range c.ring.Items {
		if !strings.Contains(name, "/account/1") || !strings.Contains(value, "secret") {
			t.Errorf("the keyring has %s", name)
		}
	}
	lines := objects(t, c.with("", "account", "--json").out)
	if len(lines) != 1 || lines[0]["name"] != "Mine" || lines[0]["feeds"] != 1.0 || lines[0]["unread"] != 2.0 || lines[0]["phase"] != "ready" || lines[0]["waiting"] != 0.0 {
		t.Errorf("%v", lines)
	}
	feeds := objects(t, c.with("", "feeds", "--json").out)
	if len(feeds) != 1 || feeds[0]["account"] != 1.0 || feeds[0]["folder"] != "News" || feeds[0]["nextCode"] != "account" || feeds[0]["lastFetch"] == "" {
		t.Errorf("%v", feeds)
	}
	if r := c.with("", "feeds"); strings.Contains(r.out, "Never fetched") {
		t.Errorf("a feed that was synced: %s", r.out)
	}
	c.want(exitDone, "account 1  Mine: articles", "plan")
	if p := objects(t, c.with("", "plan", "--json").out)[0]["feeds"].([]any)[0].(map[string]any); p["id"] != 0.0 || p["account"] != 1.0 || p["title"] != "Mine" {
		t.Errorf("the plan of the account: %v", p)
	}

	c.want(exitUsage, "only Miniflux", "account", "refresh", "1", "on")
	c.want(exitDone, "Mine", "account", "refresh", "1", "off")
	c.want(exitUsage, "is not on, off or a number", "account", "refresh", "1", "often")
	c.want(exitDone, "changed", "mark", "1", "read")
	c.want(exitDone, "1 to be sent", "account", "list")
	c.want(exitDone, "1 sent", "fetch", "1") // a feed of an account
	if !c.server.Stored[0].Read && !c.server.Stored[1].Read {
		t.Error("the mark did not arrive")
	}
	c.want(exitDone, "", "set", "1", "title=Renamed")
	c.want(exitDone, "Mine: 0 new", "fetch")
	if c.server.Subscribed[0].Title != "Renamed" {
		t.Errorf("%+v", c.server.Subscribed)
	}

	address := site(t)
	c.want(exitSome, "does not accept this change", "add", address+"/posts/a", "--account", "1")
	withLogin := strings.Replace(address, "http://", "http://ann:hunter2@", 1) + "/posts/a"
	if r := c.with("", "add", withLogin, "--account", "1"); r.code != exitSome || !strings.Contains(r.err, "cannot pass a feed's password on to a server") {
		t.Errorf("a feed with a password: %+v", r)
	}
	c.want(exitUsage, "there is no account 5", "add", address+"/posts/a", "--account", "5")
	if feeds := objects(t, c.with("", "feeds", "--json").out); len(feeds) != 1 {
		t.Errorf("a refused feed stays: %v", feeds)
	}
	c.want(exitDone, "Renamed", "set", "1", "account=0")
	if feeds := objects(t, c.with("", "feeds", "--json").out); len(feeds) != 1 || feeds[0]["account"] != 0.0 || feeds[0]["articles"] != 2.0 {
		t.Errorf("moved here: %v", feeds)
	}
	c.want(exitUsage, "there is no account 5", "set", "1", "account=5")
	c.want(exitDone, "Renamed", "set", "1", "account=1")
	c.want(exitDone, "Mine", "account", "sync")
	if feeds := objects(t, c.with("", "feeds", "--json").out); len(feeds) != 1 || feeds[0]["account"] != 1.0 || feeds[0]["articles"] != 2.0 {
		t.Errorf("moved back: %v", feeds)
	}

	c.server.Fault = &accounts.Error{Code: accounts.Faulty, Host: "rss.test", Status: 500}
	c.want(exitSome, "rss.test reported an internal error", "account", "sync")
	c.want(exitDone, "reported an internal error", "account")
	c.server.Fault = nil
	c.want(exitDone, "paused", "account", "pause", "1")
	c.want(exitDone, "", "account", "sync")
	c.want(exitDone, "Mine", "account", "resume", "1")
	c.want(exitUsage, "there is no account 7", "account", "sync", "7")

	c.want(exitDone, "removed Mine", "account", "remove", "1")
	if len(c.ring.Items) > 0 {
		t.Error("the password is still there")
	}
	if r := c.with("", "feeds", "--json"); r.out != "" {
		t.Errorf("feeds: %s", r.out)
	}
}

// A command beside the owner of the folder sends it the password, and neither prints it.
func TestAccountThroughTheOwner(t *testing.T) {
	c := newAccountCommand(t)
	c.server.Fault = nil
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	defer stop()
	started, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var out, err bytes.Buffer
		e := &env{cwd: c.cwd, dir: c.dir, out: &out, err: &err, options: c.options()}
		e.owning(ctx, func(ctx context.Context, _ *home.Home) error { //nolint:errcheck // it is interrupted
			close(started)
			<-ctx.Done()
			return nil
		})
		if strings.Contains(out.String()+err.String(), "secret") {
			t.Error("the owner printed the password")
		}
	}()
	<-started
	r := c.with("secret\n", "account", "add", "rss.test", "--user", "ann", "--password-stdin")
	if r.code != 0 || !strings.Contains(r.out, "2 new") || strings.Contains(r.out+r.err, "secret") {
		t.Errorf("%+v", r)
	}
	stop()
	<-ended
}

func TestKeptFeedsOfAnAccount(t *testing.T) {
	c := newAccountCommand(t)
	c.file("here.opml", `<opml version="2.0"><body><outline xmlUrl="https://a.test/feed"/></body></opml>`)
	c.want(exitDone, "", "import", "here.opml")
	if r := c.with("secret\n", "account", "add", "rss.test", "--user", "ann", "--password-stdin"); r.code != 0 {
		t.Fatalf("added: %+v", r)
	}
	c.want(exitDone, "1 feed joined what this computer had already", "account", "remove", "1", "--keep-feeds")
	feeds := objects(t, c.with("", "feeds", "--json").out)
	if len(feeds) != 1 || feeds[0]["account"] != 0.0 || feeds[0]["articles"] != 2.0 {
		t.Errorf("%v", feeds)
	}
}

// Neither the password nor what the server gives for it is in what is printed or logged, in the data folder, of which a backup is
// a copy, or in an export; also not where requests fail.
func TestAccountSecretsStayInTheKeyring(t *testing.T) {
	for _, kind := range []string{"/v1", ""} {
		c := newAccountCommand(t)
		server := synctest.NewFake(t, time.Now)
		server.Subscribe("http://feeds.test/one", "News")
		address := server.URL + kind
		if kind == "" { // the one with the Google Reader API alone
			server.SetFault(func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) bool {
				if strings.HasPrefix(r.URL.Path, "/v1/") {
					http.NotFound(w, r)
				}
				return strings.HasPrefix(r.URL.Path, "/v1/")
			})
		}
		var log bytes.Buffer
		said := ""
		do := func(code int, args ...string) {
			t.Helper()
			var out, failed bytes.Buffer
			options := home.Options{Keyring: c.ring, Logger: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
			got := run(context.WithoutCancel(t.Context()), append(args, "--data", c.dir), &env{cwd: c.cwd, in: strings.NewReader(synctest.FakePassword + "\n"),
				out: &out, err: &failed, options: options})
			said += out.String() + failed.String()
			if got != code {
				t.Errorf("kairos %s: exit %d\n%s%s", strings.Join(args, " "), got, out.String(), failed.String())
			}
		}
		do(exitDone, "account", "add", address, "--user", "anna", "--password-stdin", "--json")
		do(exitDone, "mark", "1", "read")
		do(exitDone, "account", "sync", "--json")
		server.Restart()
		server.SetFault(func(w http.ResponseWriter, r *http.Request, _ http.HandlerFunc) bool {
			w.Header().Set("WWW-Authenticate", r.Header.Get("Authorization"))
			http.Error(w, fmt.Sprint(r.Header, r.FormValue("Passwd")), http.StatusUnauthorized) // it says what it was sent
			return true
		})
		do(exitSome, "account", "sync", "--json")
		server.Close()
		do(exitSome, "account", "sync")
		do(exitDone, "account", "list", "--json")
		do(exitDone, "feeds", "--json")
		do(exitDone, "export", "all.opml")
		for _, folder := range []string{c.dir, c.cwd} {
			err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				data, err := os.ReadFile(path)
				said += string(data)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		said += log.String()
		if !strings.Contains(said, "Tom &") || !strings.Contains(log.String(), "refused") {
			t.Errorf("nothing was looked through: %s", log.String())
		}
		for name, secret := range map[string]string{
			"password": synctest.FakePassword, "password in a form": url.QueryEscape(synctest.FakePassword), "session": "5e5510a", "token": "70ce4",
			"password in a header": base64.StdEncoding.EncodeToString([]byte("anna:" + synctest.FakePassword)),
		} {
			if i := strings.Index(said, secret); i >= 0 {
				t.Errorf("%s: the %s is told: %q", address, name, said[max(0, i-200):min(len(said), i+100)])
			}
		}
	}
}

// What fails at a server is listed with the server's words, and the server is told to fetch it again by the verb fetch.
func TestFeedsThatFailAtTheirServer(t *testing.T) {
	c := newAccountCommand(t)
	c.server.Refreshed = func(string) error { return &accounts.Error{Code: accounts.Faulty, Status: 500} }
	c.server.Subscribed[0].Health = accounts.Health{Checked: time.Now().Add(-time.Minute), Failures: 3, Message: "The requested\x1b[31m resource is not found."}
	if r := c.with("secret\n", "account", "add", "rss.test", "--user", "ann", "--name", "Mine", "--password-stdin"); r.code != 0 {
		t.Fatalf("added: %+v", r)
	}
	c.want(exitDone, "failing at its server (3 errors in a row)\n      Its server says: “The requested[31m resource is not found”. The server may have stopped", "feeds")
	c.want(exitDone, "Problem       failing at its server (3 errors in a row): Its server says", "feeds", "1")
	c.want(exitDone, "Posts         ", "feeds", "1")
	line := objects(t, c.with("", "feeds", "1", "--json").out)[0]
	if line["errorCode"] != "server-failed" || line["faults"] != 3.0 || line["attention"] != true || line["adviceCode"] != "given-up" || line["lastArticle"] == "" || line["serverFetched"] == "" {
		t.Errorf("%v", line)
	}
	if r := c.with("", "feeds", "1"); strings.Contains(r.out, "Limits") || strings.Contains(r.out, "no fetches") {
		t.Errorf("fetches that there never are: %s", r.out)
	}
	c.want(exitSome, "A: Its server says: “The requested", "fetch", "1")
	c.server.Refreshed = func(string) error { c.server.Subscribed[0].Health = accounts.Health{Checked: time.Now()}; return nil }
	c.want(exitDone, "Mine: 0 new", "fetch", "1")
	if r := c.with("", "feeds"); strings.Contains(r.out, "failing") {
		t.Error(r.out)
	}
}

// A feed that is added while its server is away is added, and the server is told later.
func TestAddWhileTheServerIsAway(t *testing.T) {
	c := newAccountCommand(t)
	if r := c.with("secret\n", "account", "add", "rss.test", "--user", "ann", "--name", "Mine", "--password-stdin"); r.code != 0 {
		t.Fatalf("added: %+v", r)
	}
	c.server.Fault = &accounts.Error{Code: accounts.Unreachable, Host: "rss.test"}
	address := site(t)
	c.want(exitDone, "added; the server will be told later: rss.test cannot be reached", "add", address+"/posts/a", "--account", "1")
	c.want(exitDone, "1 to be sent", "account", "list")
}
