package poller

import (
	"cmp"
	"errors"
	"sync"
	"time"
)

// failurePause is how long nothing is fetched after something could not be stored.
const failurePause = 10 * time.Minute

// committedPause is how long that is if something else could be stored since, as on a disk that has room again. That may have been
// smaller, so servers are not asked at once.
const committedPause = time.Minute

// storeFailure keeps the loop from asking servers again and again for what cannot be
// stored, on a full disk say.
type storeFailure struct {
	mu    sync.Mutex // guards what follows
	until time.Time  // nothing is fetched before; zero if the last storing succeeded
	at    time.Time  // when it failed
	err   error      // why
}

// note notes how storing went at now: err is nil if it succeeded.
func (f *storeFailure) note(err error, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.until, f.at, f.err = time.Time{}, now, err
	if err != nil {
		f.until = now.Add(failurePause)
	}
}

// committed notes that something else was stored, and reports whether the pause ends sooner for that.
func (f *storeFailure) committed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	sooner := f.at.Add(committedPause)
	if !sooner.Before(f.until) {
		return false
	}
	f.until = sooner
	return true
}

// Committed tells the poller that something was stored by others: what kept it from storing what it fetches may have passed.
func (p *Poller) Committed() {
	if p.failure.committed() {
		p.signals.lookNow()
	}
}

// pause returns until when nothing is fetched, and why; zero and nil if nothing has
// failed.
func (f *storeFailure) pause() (until time.Time, why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.until, f.err
}

// why returns what failed last, errNotStored if nothing is known of it.
func (f *storeFailure) why() error {
	_, err := f.pause()
	return cmp.Or(err, errNotStored)
}

var errNotStored = errors.New("it could not be stored")

// setBack mends what lies ahead of a clock that was set back.
func (f *storeFailure) setBack(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if last := now.Add(failurePause); f.until.After(last) {
		f.until, f.at = last, now
	}
}
