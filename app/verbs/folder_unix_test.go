//go:build unix

package verbs

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	_ "modernc.org/sqlite"
)

// foreignFolders are data folders in which others have put something, by what it is, and what of it has to stay as it is.
var foreignFolders = map[string]func(dir string) (kept string, err error){
	"a folder that all can write to": func(dir string) (string, error) { return "", os.Chmod(dir, 0o777) },
	"a linked database": func(dir string) (string, error) {
		target := filepath.Join(dir, "target")
		return target, errors.Join(os.WriteFile(target, nil, 0o600), os.Symlink(target, filepath.Join(dir, "kairos.db")))
	},
	"a linked log": func(dir string) (string, error) {
		target := filepath.Join(dir, "target")
		return target, errors.Join(os.WriteFile(target, []byte("x"), 0o600), os.Symlink(target, filepath.Join(dir, "kairos.db-wal")))
	},
	"a linked lock": func(dir string) (string, error) {
		target := filepath.Join(dir, "target")
		return target, errors.Join(os.WriteFile(target, []byte("x"), 0o600), os.Symlink(target, filepath.Join(dir, "kairos.lock")))
	},
	"a pipe":            func(dir string) (string, error) { return "", syscall.Mkfifo(filepath.Join(dir, "kairos.db"), 0o600) },
	"a pipe for a lock": func(dir string) (string, error) { return "", syscall.Mkfifo(filepath.Join(dir, "kairos.lock"), 0o600) },
	"a database of another program": func(dir string) (string, error) {
		return filepath.Join(dir, "kairos.db"), database(filepath.Join(dir, "kairos.db"), "CREATE TABLE bookmarks (url TEXT)")
	},
	"a marked database of another program": func(dir string) (string, error) {
		return filepath.Join(dir, "kairos.db"), database(filepath.Join(dir, "kairos.db"), "PRAGMA application_id = 252006675; CREATE TABLE migration (room TEXT, number INTEGER)")
	},
}

func database(file, statements string) error {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return err
	}
	_, err = db.Exec(statements)
	return errors.Join(err, db.Close())
}

// Where others have put something into the data folder, a verb says so and changes nothing; it does not hang either.
func TestForeignFolder(t *testing.T) {
	for name, prepare := range foreignFolders {
		t.Run(name, func(t *testing.T) {
			c := newCommand(t)
			if err := os.Mkdir(c.dir, 0o700); err != nil {
				t.Fatal(err)
			}
			kept, err := prepare(c.dir)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(kept)
			files, _ := os.ReadDir(c.dir)
			verbs := []string{"budget", "feeds"}
			if strings.Contains(name, "lock") || strings.Contains(name, "log") || strings.Contains(name, "folder") {
				verbs = verbs[:1] // reading needs none of these
			}
			for _, verb := range verbs {
				args := []string{verb}
				if verb == "budget" {
					args = append(args, "100")
				}
				r := c.run(args...)
				if r.code != exitUsage || r.out != "" || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, c.dir) || strings.Contains(r.err, "reader") {
					t.Errorf("%s: %+v", verb, r)
				}
			}
			after, _ := os.ReadFile(kept)
			if now, _ := os.ReadDir(c.dir); string(after) != string(before) || len(now) != len(files) {
				t.Errorf("%v and %d bytes, before %v and %d bytes", now, len(after), files, len(before))
			}
		})
	}
}
