package reader

import "context"

// ReleaseMemory gives back the memory that reading and writing have left behind, some 2 MB a
// connection, for when nothing will be read for a while.
func (s Storage) ReleaseMemory(ctx context.Context) {
	s.db.read.SetMaxIdleConns(0)
	s.db.read.SetMaxIdleConns(idleReaders)
	if s.db.write != nil {
		s.db.write.ExecContext(ctx, "PRAGMA shrink_memory") //nolint:errcheck // the memory is given back later then
	}
}

// Of what is written much at a time, more of the file stays in memory than SQLite's default of 2 MB, and its log is moved into the
// file less often: each new article changes another page of the indexes by date.
const (
	writeCache      = "PRAGMA cache_size = -65536" // kB
	writeLog        = "PRAGMA wal_autocheckpoint = 4000"
	usualWriteCache = "PRAGMA cache_size = -2000"
	usualWriteLog   = "PRAGMA wal_autocheckpoint = 1000"
)

// cacheMore prepares for much that is written, until restore is called.
func (db *database) cacheMore(ctx context.Context) (restore func()) {
	if db.write == nil {
		return func() {}
	}
	set := func(ctx context.Context, all ...string) {
		for _, one := range all {
			db.write.ExecContext(ctx, one) //nolint:errcheck // it is slower then
		}
	}
	set(ctx, writeCache, writeLog)
	return func() { set(context.WithoutCancel(ctx), usualWriteCache, usualWriteLog, "PRAGMA shrink_memory") }
}
