package reader

import "context"

// idleReaders is how many reading connections are kept open while nobody reads.
const idleReaders = 2

// Rest gives the memory back that reading and writing have left behind, some 2 MB a
// connection: nobody will read for a while.
func (s *Store) Rest(ctx context.Context) {
	s.read.SetMaxIdleConns(0)
	s.read.SetMaxIdleConns(idleReaders)
	if s.write != nil {
		s.write.ExecContext(ctx, "PRAGMA shrink_memory") //nolint:errcheck // it is only slower to be given back
	}
}
