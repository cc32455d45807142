//go:build unix

package owner

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kairos/reader"
)

func TestForeign(t *testing.T) {
	dir := tempDir(t)
	below := filepath.Join(dir, "not", "yet")
	me, owner := os.Getuid(), "user 20001"
	if me == 0 { // what belongs to root is nobody's else
		if err := os.Chown(dir, 20001, 20001); err != nil {
			t.Skip("skipped: no file can be given away here")
		}
		if err := foreign(below, 20001); err != nil {
			t.Errorf("one's own: %v", err)
		}
	} else {
		u, err := user.Current()
		if err != nil {
			t.Skip(err)
		}
		owner = u.Username
		if err := foreign(below, me); err != nil {
			t.Errorf("one's own: %v", err)
		}
	}
	for _, where := range []string{dir, below} {
		var f *ForeignError
		if err := foreign(where, 20002); !errors.As(err, &f) || f.Folder != dir || f.User != owner {
			t.Errorf("%s of another: %v", where, err)
		}
	}
	if err := foreign("/", 20002); err != nil {
		t.Errorf("the folder of root: %v", err)
	}
}

// Root may write anywhere, but what root leaves in a user's folder the user cannot open.
func TestRootLeavesOthersFoldersAlone(t *testing.T) {
	home := tempDir(t)
	if os.Getuid() != 0 || os.Chown(home, 20001, 20001) != nil {
		t.Skip("skipped: only root can be kept out of its own accord")
	}
	dir := filepath.Join(home, ".local", "share", "kairos")
	_, err := Acquire(dir)
	if err == nil || !strings.HasPrefix(err.Error(), home+" belongs to user 20001. Run Kairos as user 20001,") {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// What keeps a folder from being owned is told as what a person can mend.
func TestFolderErrors(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ met, want error }{
		{syscall.ENOSPC, reader.ErrFull}, {syscall.EDQUOT, reader.ErrFull}, {syscall.EROFS, reader.ErrReadOnly}, {syscall.EIO, reader.ErrDisk},
		{syscall.ENOLCK, reader.ErrNoLocks}, {syscall.EOPNOTSUPP, reader.ErrNoLocks}, {syscall.ENOSYS, reader.ErrNoLocks},
	} {
		err := folderError(dir, &os.PathError{Op: "flock", Path: dir, Err: c.met})
		if fault := reader.FileError(err); fault == nil || !errors.Is(err, c.want) || !errors.Is(err, c.met) {
			t.Errorf("%v is told as %v", c.met, err)
		}
	}
}
