package shell

import (
	"context"

	"kairos/app/async"
	"kairos/app/library"
)

// LibraryJobs runs what a library loads off Fyne's goroutine.
type LibraryJobs struct {
	Jobs        *async.Jobs
	load, count async.Request
}

var _ library.Jobs = (*LibraryJobs)(nil)

// Loads counts how often the library was loaded.
func (j *LibraryJobs) Loads() int { return j.load.Number() }

// Load implements library.Jobs.
func (j *LibraryJobs) Load(load func(context.Context) (*library.Snapshot, error), show func(*library.Snapshot)) {
	async.Load(j.Jobs, &j.load, load, show)
}

// Count implements library.Jobs.
func (j *LibraryJobs) Count(load func(context.Context) (map[int64]int, error), show func(map[int64]int)) {
	async.Load(j.Jobs, &j.count, load, show)
}
