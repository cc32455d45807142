package accessible

import (
	"context"
	"sync"
	"time"
)

// Service tells assistive technology what is in the window, as AT-SPI 2 over D-Bus. It waits until the desktop says
// that accessibility is used and a client asks or listens, and then asks the window for trees. Its methods may be
// called from any goroutine and never wait.
type Service struct {
	name  string // of the program
	app   App
	retry func(n int) <-chan time.Time // what to wait before the n-th attempt to reach a bus, counted from 1

	stop    context.CancelFunc
	stopped chan struct{}

	mu      sync.Mutex
	wake    chan struct{} // something below has changed
	wanted  bool          // somebody listens
	latest  *Tree         // from the window, not yet served
	notices []notice      // not yet told
	now     *served       // what clients see; nil if nothing was made yet
	arrived chan struct{} // closed when now is set

	calls chan struct{} // a place for each call of app that may be under way
}

// notice is an announcement.
type notice struct {
	text string
	how  Politeness
}

const (
	mostNotices = 20              // that wait: more than a person listens to
	mostCalls   = 16              // of App at the same time: a client that floods waits for nobody
	answerIn    = 2 * time.Second // what libatspi waits for a program is 0.8 s (2 s for the first call)
)

// served is a tree with what clients ask about it.
type served struct {
	*Tree
	*shape
	flow func() map[ID][2]ID // the nodes with text before and after each in its document
}

func newServed(t *Tree) *served {
	s := &served{Tree: t, shape: newShape(t)}
	s.flow = sync.OnceValue(s.findFlow)
	return s
}

// findFlow chains the texts of each document, so that reading goes on from one to the next.
func (s *served) findFlow() map[ID][2]ID {
	flow := map[ID][2]ID{}
	s.walk(FrameID, func(doc *Node, _ ID) {
		if doc.Role != RoleDocument {
			return
		}
		var previous ID
		s.walk(doc.ID, func(n *Node, _ ID) {
			if n.Text == nil || n.Role == RoleLink || n.ID == doc.ID {
				return
			}
			if previous != 0 {
				flow[previous] = [2]ID{flow[previous][0], n.ID}
			}
			flow[n.ID] = [2]ID{previous, 0}
			previous = n.ID
		})
	})
	return flow
}

// Start serves the window of the program called name. It returns at once; Close ends it.
func Start(name string, app App) *Service {
	return start(name, app, retryAfter)
}

func start(name string, app App, retry func(n int) <-chan time.Time) *Service {
	ctx, stop := context.WithCancel(context.Background())
	s := &Service{
		name: name, app: app, retry: retry, stop: stop, stopped: make(chan struct{}),
		wake: make(chan struct{}, 1), arrived: make(chan struct{}), calls: make(chan struct{}, mostCalls),
	}
	go func() {
		defer close(s.stopped)
		s.watch(ctx)
	}()
	return s
}

// Close ends the service and returns when nothing of it is left.
func (s *Service) Close() {
	s.stop()
	<-s.stopped
}

// Update tells what the window shows now. It costs nothing while nobody listens.
func (s *Service) Update(t *Tree) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted {
		s.latest = t
		s.prod()
	}
}

// Announce has a screen reader say something that is not where the focus is.
func (s *Service) Announce(text string, how Politeness) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted && len(s.notices) < mostNotices {
		s.notices = append(s.notices, notice{text, how})
		s.prod()
	}
}

// prod wakes the session; s.mu is held.
func (s *Service) prod() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// want says whether somebody listens.
func (s *Service) want(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted == on {
		return
	}
	s.wanted = on
	if !on {
		s.latest, s.notices, s.now = nil, nil, nil
		s.arrived = make(chan struct{})
	}
	s.prod()
}

// due is what the window has handed in since the last call.
func (s *Service) due() (wanted bool, latest *Tree, notices []notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	latest, notices = s.latest, s.notices
	s.latest, s.notices = nil, nil
	return s.wanted, latest, notices
}

// serve lets clients see a tree and returns the one before.
func (s *Service) serve(t *Tree) (before *Tree, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.wanted {
		return nil, false
	}
	if s.now == nil {
		close(s.arrived)
	} else {
		before = s.now.Tree
	}
	s.now = newServed(t)
	return before, true
}

// tree is what clients see. Until the window has made the first one it waits, but not for ever.
func (s *Service) tree(ctx context.Context) *served {
	s.mu.Lock()
	now, arrived := s.now, s.arrived
	s.mu.Unlock()
	if now == nil {
		ctx, done := context.WithTimeout(ctx, answerIn)
		defer done()
		select {
		case <-arrived:
		case <-ctx.Done():
		}
	}
	return s.peek()
}

// peek is what clients see at the moment; an empty tree if there is none.
func (s *Service) peek() *served {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		return newServed(&Tree{})
	}
	return s.now
}

// ask calls the window; it returns false when the window does not answer in time, or too many calls wait already.
func (s *Service) ask(ctx context.Context, what func(context.Context, App) bool) bool {
	select {
	case s.calls <- struct{}{}:
		defer func() { <-s.calls }()
	default:
		return false
	}
	ctx, done := context.WithTimeout(ctx, answerIn)
	defer done()
	return what(ctx, s.app)
}

// insist runs what until ctx ends, again each time when it returns, after the time that retry says.
func insist(ctx context.Context, retry func(n int) <-chan time.Time, what func(context.Context) (worked bool)) {
	for n := 1; ; n++ {
		if what(ctx) {
			n = 1
		}
		select {
		case <-ctx.Done():
			return
		case <-retry(n):
		}
	}
}

func retryAfter(n int) <-chan time.Time { return time.After(delay(n)) }

// delay is a second before the first attempt, twice as much after each failure, at most a minute.
func delay(n int) time.Duration { return min(time.Second<<min(n-1, 6), time.Minute) }
