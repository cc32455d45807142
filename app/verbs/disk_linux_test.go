package verbs

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	_ "modernc.org/sqlite"
)

// writingVerbs are verbs that write to the data folder.
func writingVerbs(site string) []string {
	return []string{"import --local second.opml", "add " + site + "/posts/b", "fetch", "mark 1 2 starred", "set 1 title=Other", "access"}
}

// checkWritesFail runs every writing verb and checks that each fails with one line that contains the
// words.
func (c *command) checkWritesFail(site, words string) {
	c.t.Helper()
	for _, line := range writingVerbs(site) {
		r := c.run(strings.Fields(line)...)
		if r.code != 1 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, words) || strings.Contains(r.err, "SQL") {
			c.t.Errorf("%s: exit %d, %q, want a line with %q", line, r.code, r.err, words)
		}
	}
}

// checkUnchanged checks that there is one feed with three articles, none of them starred.
func (c *command) checkUnchanged() {
	c.t.Helper()
	if feeds := c.lines("feeds"); len(feeds) != 1 || feeds[0]["title"] != "Alpha" || feeds[0]["error"] != "" {
		c.t.Errorf("feeds: %v", feeds)
	}
	articles := c.lines("articles")
	for _, a := range articles {
		if a["starred"] != false {
			c.t.Errorf("starred: %v", a)
		}
	}
	if len(articles) != 3 {
		c.t.Errorf("%d articles", len(articles))
	}
}

// checkWritesWork checks that every writing verb succeeds and the file is intact.
func (c *command) checkWritesWork(site string) {
	c.t.Helper()
	for _, line := range writingVerbs(site) {
		if r := c.run(strings.Fields(line)...); r.code != 0 || r.err != "" {
			c.t.Errorf("%s after the disk recovered: %+v", line, r)
		}
	}
	db := c.database()
	var is string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&is); err != nil || is != "ok" {
		c.t.Errorf("integrity: %s, %v", is, err)
	}
}

// database opens the file as another program does.
func (c *command) database() *sql.DB {
	c.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(c.dir, "kairos.db")+"?_pragma=busy_timeout(5000)") // the owner writes now and then
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { db.Close() })
	return db
}

// backdateFetches moves the last fetches back by an hour, since feeds are not fetched twice within a
// minute.
func (c *command) backdateFetches() {
	c.t.Helper()
	if _, err := c.database().Exec("UPDATE poll SET tried = tried - 3600"); err != nil {
		c.t.Fatal(err)
	}
}

// writeSecondList writes a list with another feed.
func (c *command) writeSecondList(site string) {
	c.file("second.opml", `<opml><body><outline xmlUrl="`+site+`/itemless" text="Itemless"/></body></opml>`)
}

// The disk fails while `poll` owns the folder.
func TestDiskFailsUnderAnOwner(t *testing.T) {
	c, site := newCommand(t), site(t)
	p := c.poller(site)
	c.writeSecondList(site)
	c.backdateFetches()
	limit := func(most uint64) {
		t.Helper()
		var was unix.Rlimit
		if err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, nil, &was); err != nil {
			t.Fatal(err)
		}
		was.Cur = min(most, was.Max)
		if err := unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &was, nil); err != nil {
			t.Fatal(err)
		}
	}
	limit(0)
	c.checkWritesFail(site, "cannot be read or written")
	c.checkUnchanged()
	limit(unix.RLIM_INFINITY)
	c.checkWritesWork(site)
	if code := p.end(os.Interrupt); code != 0 || p.err.String() != "" {
		t.Errorf("the poller ended with %d: %s", code, p.err.String())
	}
}

// The disk is full from the start of a verb to its end. It is a small file system in a namespace,
// where that is allowed.
func TestFullDisk(t *testing.T) {
	c, site := newCommand(t), site(t)
	name, err := build()
	if err != nil {
		t.Fatal(err)
	}
	c.file("first.opml", `<opml><body><outline xmlUrl="`+site+`/posts/a" text="Alpha"/></body></opml>`)
	c.writeSecondList(site)
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	fmt.Fprintf(&script, "mount -t tmpfs -o size=4m,mode=0700 kairos '%s' || exit 99\n", c.dir)
	verb := func(line, want string) {
		fmt.Fprintf(&script, `said=$('%s' --data '%s' %s 2>&1 | tr '\n' '|'); case $said in %s) ;; *) echo '%s:' "$said" ;; esac`+"\n",
			name, c.dir, line, want, line)
	}
	verb("import --local first.opml", "1\\ added*")
	verb("fetch", "Alpha*3\\ new*")
	fmt.Fprintf(&script, "cat /dev/zero >'%s/fill' 2>/dev/null\n", c.dir)
	for _, line := range writingVerbs(site) {
		verb(line, "kairos:\\ The\\ disk\\ that\\ holds*is\\ full*again.'|'")
	}
	verb("articles", "*Alpha\\ 0*Alpha\\ 1*Alpha\\ 2*")
	fmt.Fprintf(&script, "rm '%s/fill'\n", c.dir)
	for i, line := range writingVerbs(site) {
		verb(line, []string{"1\\ added*", "*Beta*", "Alpha*", "2\\ changed*", "*Other*", "logged*"}[i])
	}
	cmd := exec.Command("sh", "-c", script.String())
	cmd.Dir = c.cwd
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code == 99 || code < 0 {
		t.Skipf("skipped: no file system can be mounted here: %v", err)
	}
	if len(out) > 0 || err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Another program has locked the file: writing verbs fail, reading verbs work.
func TestFileLockedUnderAnOwner(t *testing.T) {
	c, site := newCommand(t), site(t)
	p := c.poller(site)
	other := c.database()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	if r := c.run("mark", "1", "starred"); r.code != 1 || !strings.Contains(r.err, "Another program is using") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("%+v", r)
	}
	c.checkUnchanged()
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	c.writeSecondList(site)
	c.checkWritesWork(site)
	if code := p.end(os.Interrupt); code != 0 || p.err.String() != "" {
		t.Errorf("the poller ended with %d: %s", code, p.err.String())
	}
}

// A folder that cannot be written to.
func TestReadOnlyFolder(t *testing.T) {
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a")
	c.writeSecondList(site)
	if _, err := build(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{c.dir, filepath.Dir(c.dir), filepath.Dir(filepath.Dir(c.dir)), buildDir} {
		if err := os.Chmod(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(c.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if err := os.Chmod(name, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(c.dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(c.dir, 0o755)
	asNobody := func(line string) result {
		cmd := c.command(strings.Fields(line)...)
		if os.Getuid() == 0 { // who stands above all rights of files
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR=")
			cmd.Dir = "/"
		}
		var out, err bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &err
		cmd.Run() //nolint:errcheck // the exit code says it
		return result{cmd.ProcessState.ExitCode(), out.String(), err.String()}
	}
	if r := asNobody("feeds --json"); r.code != 0 || len(objects(t, r.out)) != 1 {
		if strings.Contains(r.err, "permission denied") || r.code < 0 {
			t.Skip("skipped: the rights of root cannot be laid down")
		}
		t.Errorf("%+v", r)
	}
	for _, line := range append(writingVerbs(site), "poll --for 1s") {
		if r := asNobody(line); r.code != 2 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "cannot write to") {
			t.Errorf("%s: %+v", line, r)
		}
	}
	c.checkUnchanged()
}
