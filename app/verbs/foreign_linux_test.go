package verbs

import (
	"bytes"
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// contents returns the digests of all files below a folder.
func contents(t *testing.T, dir string) map[string][sha256.Size]byte {
	t.Helper()
	found := map[string][sha256.Size]byte{}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		found[path] = sha256.Sum256(b)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// What one user subscribed to, another neither changes nor is misled about, whether or not the folder can be looked into.
func TestFolderOfAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("skipped: only root can run Kairos as two users")
	}
	const first, second = 20001, 20002
	c, site := newCommand(t), site(t)
	c.do("add", site+"/posts/a")
	c.writeSecondList(site)
	if _, err := build(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Dir(c.dir), filepath.Dir(filepath.Dir(c.dir)), buildDir, c.cwd} {
		if err := os.Chmod(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := filepath.WalkDir(c.dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, first, first)
	}); err != nil {
		t.Skip("skipped: no file can be given away here")
	}
	as := func(uid uint32, line string) result {
		cmd := c.command(strings.Fields(line)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR=")
		var out, err bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &err
		cmd.Run() //nolint:errcheck // the exit code says it
		return result{cmd.ProcessState.ExitCode(), out.String(), err.String()}
	}
	for _, mode := range []os.FileMode{0o700, 0o755} {
		if err := os.Chmod(c.dir, mode); err != nil {
			t.Fatal(err)
		}
		before := contents(t, c.dir)
		for _, line := range append(writingVerbs(site), "poll --for 1s", "feeds", "restore") {
			if r := as(second, line); r.code != 2 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, c.dir+" belongs to user 20001. Run Kairos as user 20001") {
				t.Errorf("%v: %s: %+v", mode, line, r)
			}
		}
		after := contents(t, c.dir)
		for name, was := range before {
			if after[name] != was {
				t.Errorf("%v: %s was changed", mode, name)
			}
			delete(after, name)
		}
		for name := range after {
			t.Errorf("%v: %s was made", mode, name)
		}
	}
	if r := as(first, "feeds --json"); r.code != 0 || len(objects(t, r.out)) != 1 {
		t.Errorf("the user whose folder it is: %+v", r)
	}
}
