package app

import (
	"context"

	"kairos/app/async"
	"kairos/app/library"
)

// libraryJobs runs what the library loads off Fyne's goroutine.
type libraryJobs struct {
	jobs        *async.Jobs
	load, count async.Request
}

// Load implements library.Jobs.
func (j *libraryJobs) Load(load func(context.Context) (*library.Snapshot, error), show func(*library.Snapshot)) {
	async.Load(j.jobs, &j.load, load, show)
}

// Count implements library.Jobs.
func (j *libraryJobs) Count(load func(context.Context) (map[int64]int, error), show func(map[int64]int)) {
	async.Load(j.jobs, &j.count, load, show)
}
