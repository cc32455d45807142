package session

// Stop is a place that the user has been to, and the article that was read there.
type Stop struct {
	Place   Place
	Article int64    // 0: none
	At      Position // where in it a jump began or ended; its zero value where it was left
}

// Trail is where the user has been, to go back and forward as in a browser. Its zero value is empty.
type Trail struct {
	stops []Stop // the first ones are the oldest
	at    int    // the one that the user is at
	going bool   // and has not reached yet, since it was gone back or forward to
}

// maxStops bounds how far one can go back.
const maxStops = 200

// Note notes that the user has come to a stop. What was ahead is forgotten, unless going back or forward has led there. A place
// gives way to the first article that is opened in it.
func (t *Trail) Note(s Stop) {
	if len(t.stops) > 0 {
		now := &t.stops[t.at]
		same := now.Place.Key == s.Place.Key
		switch {
		case same && now.Article == s.Article:
			t.going = false
			return
		case t.going && same && s.Article == 0:
			return // its article is still to be opened
		case same && now.Article == 0:
			now.Article, t.going = s.Article, false
			return
		}
		t.at++
	}
	t.add(s)
}

// Jump notes that the user has jumped from one place of the article to another.
func (t *Trail) Jump(from, to Position) {
	if len(t.stops) == 0 || t.stops[t.at].Article != from.Article {
		return
	}
	t.stops[t.at].At = from
	s := t.stops[t.at]
	s.At = to
	t.at++
	t.add(s)
}

// add adds a stop in the place of what is ahead.
func (t *Trail) add(s Stop) {
	t.going = false
	t.stops = append(t.stops[:t.at], s)
	if over := len(t.stops) - maxStops; over > 0 {
		t.stops = t.stops[over:]
	}
	t.at = len(t.stops) - 1
}

// Arrived says that the user is at the stop that was gone to.
func (t *Trail) Arrived() { t.going = false }

// Back is the stop before; ok is false if there is none.
func (t *Trail) Back() (s Stop, ok bool) { return t.move(-1) }

// Forward is the stop from which the user has gone back; ok is false if there is none.
func (t *Trail) Forward() (s Stop, ok bool) { return t.move(1) }

func (t *Trail) move(by int) (s Stop, ok bool) {
	to := t.at + by
	if to < 0 || to >= len(t.stops) {
		return s, false
	}
	t.at, t.going = to, true
	return t.stops[to], true
}
