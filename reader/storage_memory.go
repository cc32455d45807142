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
