package preparer

import "golang.org/x/sys/windows"

// freeBytes returns how much can be written to the disk of a folder; known is false if the system does not tell.
func freeBytes(dir string) (free int64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var available uint64
	if windows.GetDiskFreeSpaceEx(name, &available, nil, nil) != nil {
		return 0, false
	}
	return int64(min(available, 1<<62)), true
}
