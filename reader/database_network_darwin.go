package reader

import (
	"slices"

	"golang.org/x/sys/unix"
)

var networkTypes = []string{"nfs", "smbfs", "afpfs", "webdav"}

func onNetwork(dir string) bool {
	var stat unix.Statfs_t
	return unix.Statfs(dir, &stat) == nil && slices.Contains(networkTypes, unix.ByteSliceToString(stat.Fstypename[:]))
}
