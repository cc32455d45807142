//go:build unix

package preparer

import "golang.org/x/sys/unix"

// freeBytes returns how much can be written to the disk of a folder; known is false if the system does not tell.
func freeBytes(dir string) (free int64, known bool) {
	var stat unix.Statfs_t
	if unix.Statfs(dir, &stat) != nil {
		return 0, false
	}
	return int64(stat.Bavail) * int64(stat.Bsize), true //nolint:unconvert // the types differ by system
}
