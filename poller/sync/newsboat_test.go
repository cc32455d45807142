package sync_test

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kairos/poller/sync/connect"
	"kairos/poller/sync/synctest"
	"kairos/reader"
)

// newsboat is another reader of the same account.
type newsboat struct {
	t   *testing.T
	dir string
}

func newNewsboat(t *testing.T, kind connect.Kind, server synctest.Server) *newsboat {
	t.Helper()
	for _, program := range []string{"newsboat", "script"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	if kind != connect.Miniflux {
		t.Skip("newsboat 2.21 speaks with Miniflux by its own protocol only")
	}
	config := fmt.Sprintf("urls-source miniflux\nminiflux-url %q\nminiflux-login %q\nminiflux-password %q\n", server.URL, server.User, server.Password)
	n := &newsboat{t, t.TempDir()}
	for name, text := range map[string]string{"config": config, "urls": ""} {
		if err := os.WriteFile(filepath.Join(n.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

const runNewsboat = "newsboat -q -C config -u urls -c cache.db"

// run runs it on a terminal of its own, and types keys.
func (n *newsboat) run(keys string) {
	n.t.Helper()
	command := exec.CommandContext(n.t.Context(), "script", "-qec", runNewsboat, "/dev/null")
	command.Dir, command.Stdin, command.Env = n.dir, strings.NewReader(keys), append(os.Environ(), "TERM=xterm")
	if said, err := command.CombinedOutput(); err != nil {
		n.t.Fatalf("newsboat: %v\n%s", err, said)
	}
}

// wantUnread reloads and expects so many unread articles.
func (n *newsboat) wantUnread(want int) {
	n.t.Helper()
	command := exec.CommandContext(n.t.Context(), "sh", "-c", runNewsboat+" -x reload print-unread")
	command.Dir = n.dir
	said, err := command.CombinedOutput()
	if got := strings.TrimSpace(string(said)); err != nil || got != fmt.Sprintf("%d unread articles", want) {
		n.t.Errorf("newsboat says %q, %v; want %d", got, err, want)
	}
}

// What Kairos marks newsboat shows, and the reverse.
func TestBesideNewsboat(t *testing.T) {
	eachServer(t, func(s *seat, server synctest.Server, feeds *synctest.Feeds) {
		account, err := s.store.Accounts.Get(t.Context(), s.account)
		s.check(err)
		n := newNewsboat(t, connect.Kind(account.Kind), server)
		for _, name := range []string{"a", "b"} {
			_, err := s.other.Subscribe(t.Context(), feeds.URL(name), "", "")
			s.check(err)
		}
		s.sync()
		n.wantUnread(6)

		_, ids := s.unread()
		s.write(func(tx *sql.Tx) error {
			_, err := reader.Mark(t.Context(), tx, ids[:1], reader.FlagRead, true)
			return err
		})
		s.sync()
		n.wantUnread(5)

		n.run("Aqqq") // marks the first feed as read, which waits for the server's answer
		s.sync()
		links, _ := s.unread()
		for _, link := range links {
			if !strings.Contains(link, "/b/") {
				t.Errorf("newsboat has marked feed a as read, here %s is unread", link)
			}
		}
		n.wantUnread(len(links))
	})
}
