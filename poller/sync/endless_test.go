package sync

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// endless is a server whose first synchronization does not end.
type endless struct {
	*large
	next func(n int) string
	n    int
}

func (e *endless) Page(context.Context, string, time.Time) (Page, error) {
	e.n++
	return Page{Articles: e.all[:1], Next: e.next(e.n)}, nil
}

// A first synchronization that never ends, or goes in a circle, ends with a fault that is stored; what came stays.
func TestEndlessFirstSynchronizationEnds(t *testing.T) {
	was := maxFirstPages
	defer func() { maxFirstPages = was }()
	maxFirstPages = 100
	for name, test := range map[string]struct {
		next func(int) string
		code Code
	}{
		"always another": {func(n int) string { return fmt.Sprint(n) }, TooLarge},
		"in a circle":    {func(n int) string { return fmt.Sprint(n % 3) }, Garbled},
	} {
		t.Run(name, func(t *testing.T) {
			e := &endless{large: newLarge(1, 10, false), next: test.next}
			d := openDevice(t, "d", t.TempDir(), e, nil, e.now)
			r, err := d.engine.Sync(t.Context(), d.account, true)
			var fault *Error
			if !errors.As(err, &fault) || fault.Code != test.code || r.New != 1 || e.n > 101 {
				t.Errorf("after %d pages: %+v, %v", e.n, r, err)
			}
			s, err := d.engine.State(t.Context(), d.account)
			if err != nil || s.Error == nil || s.Error.Code != test.code || s.Error.Host == "" {
				t.Errorf("%+v, %v", s.Error, err)
			}
		})
	}
}
