package poller

import (
	"context"
	"errors"
	"strings"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/opml"
)

// answer is what came of a request.
type answer struct {
	resp *fetch.Response // never nil
	err  error           // why there is none, or not all of it
	at   time.Time       // of the request

	lease  *fetch.Lease // of the body's memory
	digest int64        // of the body
	portal bool         // it may be the sign-in page of the network

	source reader.Source // how the body is read
	list   *opml.List    // that was read of it
}

// isPartial reports whether an answer broke off but brought something.
func (a *answer) isPartial() bool {
	return a.err != nil && a.resp.Truncated && len(a.resp.Body) > 0
}

// wasAsked reports whether a server was.
func (a *answer) wasAsked() bool { return !a.resp.StartedAt.IsZero() }

// requests makes all requests, and notes what they say about the network.
type requests struct {
	*env
	queue    *dispatch.Queue
	signals  *signals
	network  *network
	activity *activity
}

// do makes a request now.
func (r *requests) do(ctx context.Context, what fetch.Request) *answer {
	a := &answer{lease: what.Lease}
	a.resp, a.err = r.client.Do(ctx, what)
	if a.at = a.resp.StartedAt; a.at.IsZero() {
		a.at = r.now()
	}
	a.portal = a.err == nil && isPortal(what.URL, a.resp)
	var fe *fetch.Error
	if a.resp.Status == 0 || a.portal || errors.As(a.err, &fe) && fe.BlamesMachine() {
		return a
	}
	r.answered(what.URL, a.at)
	return a
}

// answered notes that a server answered a request made at that time.
func (r *requests) answered(address string, asked time.Time) {
	if r.network.answered(address, asked) {
		r.activity.tell(Activity{At: asked, Code: NetworkBack})
		r.signals.networkBack()
	}
}

// doInTurn makes an urgent request when the spacing of its host allows it. The error is the
// context's.
func (r *requests) doInTurn(ctx context.Context, what fetch.Request) (*answer, error) {
	done := make(chan *answer, 1)
	r.queue.Add(dispatch.Task{Context: ctx, Group: groupOf(what.URL), Priority: dispatch.ByUser, Run: func() bool {
		if ctx.Err() != nil {
			return false
		}
		a := r.do(ctx, what)
		done <- a
		return a.resp.Status != 0
	}})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case a := <-done:
		return a, nil
	}
}

// isPortal reports whether an answer to a request without encryption is a page of another
// site, as a captive portal's is (RFC 8952 §2).
func isPortal(address string, resp *fetch.Response) bool {
	return strings.HasPrefix(address, "http:") && resp.MovedTo == "" && strings.HasPrefix(resp.ContentType, "text/html") &&
		groupOf(resp.URL) != groupOf(address)
}

// groupOf is the group of hosts that an address is asked with (fetch.Group).
func groupOf(address string) string {
	if host := fetch.Host(address); host != "" {
		return fetch.Group(host)
	}
	return address // a file, which waits for no other
}

// spacing returns the time between two requests to a group of hosts.
func (e *env) spacing(group string) time.Duration {
	if isFile(group) {
		return 0
	}
	return e.client.Spacing(group)
}

// noNetwork reports whether a request failed because there is no network.
func noNetwork(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && fe.BlamesMachine() && !fe.Code.Unresolved()
}
