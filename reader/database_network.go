package reader

// isNetworkFolder reports whether a folder is on a file system that other machines serve. SQLite's log (WAL) is not for
// these: its index is shared memory, which every machine has for itself (sqlite.org/wal.html). It is a variable for tests.
var isNetworkFolder = onNetwork

// journal returns how changes of the file in a folder are made safe against a crash. On a network the journal is the older
// one, which needs nothing but locks: readers and the writer then wait for each other, for busyTimeout at most.
func journal(dir string) (options []string) {
	if isNetworkFolder(dir) {
		return []string{"_pragma=journal_mode(DELETE)", "_pragma=synchronous(FULL)"}
	}
	return []string{"_pragma=journal_mode(WAL)", "_pragma=synchronous(NORMAL)"}
}
