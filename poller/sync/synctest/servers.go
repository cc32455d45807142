package synctest

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Kind is one of the real servers.
type Kind string

// The real servers, by the names that the script knows.
const (
	Miniflux    Kind = "miniflux"
	FreshRSS    Kind = "freshrss"
	TinyTinyRSS Kind = "ttrss" // with a folder Papers
)

// Server is a real server that runs.
type Server struct {
	Base        string // of its own interface at Miniflux, of Google Reader's at FreshRSS
	URL         string
	User        string
	Password    string // of the web page
	APIPassword string // of Google Reader's interface

	t      testing.TB
	kind   Kind
	script string
	dir    string
	port   int
}

// Start starts a real server on a free port, in a folder of the test, and stops it when the test ends. It skips the test
// where KAIROS_SERVERS does not name the folder with the script that does it.
func Start(t testing.TB, kind Kind) Server {
	t.Helper()
	folder := os.Getenv("KAIROS_SERVERS")
	if folder == "" {
		t.Skip("KAIROS_SERVERS is not set: it is to name the folder of servers to synchronize with")
	}
	if os.Geteuid() != 0 {
		t.Skip("the script that starts servers needs root")
	}
	dir, err := os.MkdirTemp("", "kairos-"+string(kind)) // not below the test's own folder, which the database's user cannot enter
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := Server{t: t, kind: kind, script: filepath.Join(folder, "start"), dir: dir, port: freePort(t)}
	t.Cleanup(func() {
		s.Stop()
		_ = os.RemoveAll(dir)
	})
	said := s.Run()
	var told struct {
		URL         string `json:"url"`
		Greader     string `json:"greader"`
		User        string `json:"user"`
		Password    string `json:"password"`
		APIPassword string `json:"api_password"`
	}
	line := said[strings.LastIndexByte(strings.TrimSpace(said), '\n')+1:]
	if err := json.Unmarshal([]byte(line), &told); err != nil {
		t.Fatalf("start %s: %v\n%s", kind, err, said)
	}
	s.Base, s.URL, s.User, s.Password, s.APIPassword = told.Greader, told.URL, told.User, told.Password, told.APIPassword
	return s
}

// unknownKind is the status with which the script ends that does not have a kind of server.
const unknownKind = 2

// Run starts the server, again after Stop, and returns what the script has said.
func (s Server) Run() string {
	s.t.Helper()
	// Its output is a file: the server that goes on running would keep a pipe open.
	output, err := os.Create(filepath.Join(s.dir, "output"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer output.Close()
	command := exec.CommandContext(s.t.Context(), s.script, string(s.kind), s.dir, strconv.Itoa(s.port))
	command.Env = append(os.Environ(), "LC_ALL=C.UTF-8") // a database wants a language that is installed
	command.Stdout, command.Stderr = output, output
	failed := command.Run()
	if command.ProcessState != nil && command.ProcessState.ExitCode() == unknownKind {
		s.t.Skipf("%s cannot start %s", s.script, s.kind)
	}
	said, err := os.ReadFile(output.Name())
	if failed != nil || err != nil {
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		s.t.Fatalf("start %s: %v\n%s%s", s.kind, errors.Join(failed, err), said, log)
	}
	return string(said)
}

// Stop ends the server as if its machine lost its power.
func (s Server) Stop() { _ = exec.Command(s.script, "stop", s.dir).Run() }

// Save copies what the server, which is stopped, has stored. restore brings that back, when it is stopped again.
func (s Server) Save() (restore func()) {
	s.t.Helper()
	stored := filepath.Join(s.dir, map[Kind]string{Miniflux: "pg", FreshRSS: "www/data"}[s.kind])
	s.shell("cp -a " + stored + " " + stored + ".saved")
	return func() { s.shell("rm -r " + stored + " && cp -a " + stored + ".saved " + stored) }
}

// Refresh makes the server fetch all of its feeds now.
func (s Server) Refresh() {
	s.t.Helper()
	if s.kind == FreshRSS { // which keeps to intervals and caches
		s.shell("rm -f " + s.dir + "/www/data/cache/*.spc; sqlite3 " + s.dir + "/www/data/users/reader/db.sqlite 'update feed set lastUpdate = 1' && " +
			"php " + s.dir + "/www/cli/actualize-user.php --user reader")
		return
	}
	if s.kind == TinyTinyRSS {
		s.ForgetFetched()
		s.shell("cd " + s.dir + "/www && for id in $(psql -At '" + s.database() + "' -c 'select id from ttrss_feeds'); do " +
			"runuser -u www-data -- php update.php --update-feed=$id || exit 1; done")
		return
	}
	s.shell("for id in $(curl -sf -u reader:" + s.Password + " " + s.URL + "/v1/feeds | grep -o '\"id\":[0-9]*,\"user_id\"' | grep -o '[0-9]*'); do " +
		"curl -sf -X PUT -u reader:" + s.Password + " " + s.URL + "/v1/feeds/$id/refresh || exit 1; done")
}

// CleanUp makes the server remove the oldest article as it does when that is old enough, unread or not.
func (s Server) CleanUp() {
	s.t.Helper()
	if s.kind == FreshRSS {
		s.shell("sqlite3 " + s.dir + "/www/data/users/reader/db.sqlite 'delete from entry where id = (select id from entry order by date limit 1)'")
		return
	}
	database := s.database()
	if s.kind == TinyTinyRSS {
		s.shell("psql -q '" + database + "' -c 'delete from ttrss_user_entries where int_id = (select int_id from ttrss_user_entries join ttrss_entries on id = ref_id where unread and feed_id is not null order by updated limit 1)'")
		return
	}
	s.shell("psql -q '" + database + "' -c \"update entries set created_at = created_at - interval '2 years' where id = (select id from entries where status = 'unread' order by published_at limit 1)\" && " +
		"DATABASE_URL='" + database + "' " + s.dir + "/miniflux -run-cleanup-tasks")
}

// database is the address of the database of a server that has one of its own.
func (s Server) database() string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", s.port+1000, s.kind)
}

// ForgetFetched makes the server ask for feeds again that it has just fetched. Tiny Tiny RSS does not within 30 seconds.
func (s Server) ForgetFetched() {
	s.t.Helper()
	if s.kind == TinyTinyRSS {
		s.shell("rm -f " + s.dir + "/www/cache/feeds/*")
	}
}

func (s Server) shell(command string) {
	s.t.Helper()
	if said, err := exec.CommandContext(s.t.Context(), "sh", "-c", command).CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", command, err, said)
	}
}

// freePort returns a port that is free, as is the one a thousand above it, which the script gives the database.
func freePort(t testing.TB) int {
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		l.Close()
		other, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1000))
		if err != nil {
			continue
		}
		other.Close()
		return port
	}
	t.Fatal("no free port")
	return 0
}

// firstDay is the day before the first article of a feed.
var firstDay = time.Date(2026, 5, 1, 6, 0, 0, 0, time.UTC)

// document is a feed with n articles, one a day since, the newest first.
func document(name, address string, since time.Time, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<rss version="2.0"><channel><title>%s</title><link>%s/%s</link><description>Articles of a test</description>`, name, address, name)
	for i := n; i > 0; i-- {
		at := since.AddDate(0, 0, i)
		fmt.Fprintf(&b, `<item><title>Tom &amp;amp; Jerry %d</title><link>%s/%s/%d</link><guid isPermaLink="false">%s-%d</guid><pubDate>%s</pubDate>`,
			i, address, name, i, name, i, at.Format(time.RFC1123Z))
		fmt.Fprintf(&b, "<description>%s</description>", html.EscapeString(bodyOf(name, i)))
		fmt.Fprintf(&b, `<enclosure url="%s/%s/%d.mp3" type="audio/mpeg" length="1234"/></item>`, address, name, i)
	}
	b.WriteString("</channel></rss>")
	return b.String()
}
