//go:build unix

package owner

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// nobody owns what comes from outside: of the users of another system (user_namespaces(7)), or root on a network file system.
const nobody = 65534

// Foreign returns a ForeignError if the folder, or the nearest one above it that can be seen, belongs neither to this user
// nor to root. dir is an absolute path.
func Foreign(dir string) error { return foreign(dir, os.Getuid()) }

func foreign(dir string, me int) error {
	info, err := os.Stat(dir)
	for err != nil && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		info, err = os.Stat(dir)
	}
	if err != nil {
		return nil
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) == me || stat.Uid == 0 || stat.Uid == nobody {
		return nil
	}
	id := strconv.FormatUint(uint64(stat.Uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return &ForeignError{dir, u.Username}
	}
	return &ForeignError{dir, "user " + id}
}

// isShared reports whether other users can write to a folder. The group of the user is often theirs alone, and has that right then.
func isShared(folder string) bool {
	info, err := os.Stat(folder)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	mode := info.Mode().Perm()
	return mode&0o002 != 0 || mode&0o020 != 0 && ok && int(stat.Gid) != os.Getgid()
}
