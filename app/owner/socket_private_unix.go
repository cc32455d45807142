//go:build unix

package owner

import (
	"fmt"
	"os"
	"syscall"
)

// checkPrivate refuses a folder in which another user could replace our socket.
func checkPrivate(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is writable for other users", dir)
	}
	return nil
}
