//go:build unix

package owner

import (
	"fmt"
	"os"
	"syscall"
)

// private refuses a folder in which somebody else could put a socket in our
// socket's place.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is not this user's alone", dir)
	}
	return nil
}
