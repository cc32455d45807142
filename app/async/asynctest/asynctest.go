// Package asynctest stands in for Fyne's goroutine in tests: the test's own goroutine runs what
// is handed over to it.
package asynctest

import (
	"testing"
	"time"
)

// Queue holds the functions that wait for Fyne's goroutine.
type Queue struct {
	t       testing.TB
	waiting chan func()
}

// NewQueue returns an empty queue. Its methods but Add belong to the test's goroutine.
func NewQueue(t testing.TB) *Queue { return &Queue{t: t, waiting: make(chan func(), 1000)} }

// Add hands f over. It may be called from any goroutine.
func (q *Queue) Add(f func()) { q.waiting <- f }

// Len returns how many functions wait.
func (q *Queue) Len() int { return len(q.waiting) }

// Next returns the next function, which then belongs to the caller.
func (q *Queue) Next() func() { return <-q.waiting }

// tooLate is when a test gives up; no test that passes waits for it.
const tooLate = 20 * time.Second

// Until runs functions until done reports true; what names that in the test's failure.
func (q *Queue) Until(what string, done func() bool) {
	q.t.Helper()
	timeout := time.NewTimer(tooLate)
	defer timeout.Stop()
	for !done() {
		select {
		case f := <-q.waiting:
			f()
		case <-timeout.C:
			q.t.Fatal("never happened: " + what)
		}
	}
}
