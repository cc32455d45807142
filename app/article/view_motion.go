package article

import (
	"image"
	"time"

	"fyne.io/fyne/v2"

	"kairos/reader/picture"
)

// maxMotion limits the memory of all animated pictures of a view, in bytes. What is beyond it stands still.
const maxMotion = 3 * picture.MaxMotion / 2

// motion moves the animated pictures that are in sight, by one timer. Without any there is none.
type motion struct {
	still bool      // battery saver is on
	stop  func()    // the timer; nil: there is none
	due   time.Time // when it runs out
	large *playback // the picture that is shown over the whole window, which moves alone; nil: none is
}

// playback is how far an animated picture is.
type playback struct {
	frames *picture.Motion // nil: it has none
	show   func(*image.RGBA)
	frame  int
	turn   int       // how often all frames were shown
	due    time.Time // when the next frame is to be shown; zero: it stands
	asked  bool      // the user asked for it where pictures stand still
}

// SetStill says whether pictures stand still until they are clicked, as while battery saver is on. They do, too, where the desktop asks
// for no animations.
func (v *View) SetStill(on bool) {
	v.motion.still = on
	v.MovePictures()
}

func (v *View) standsStill() bool {
	return v.motion.still || !fyne.CurrentApp().Settings().ShowAnimations()
}

// MovePictures shows the frames that are due, and comes back for the next one if one is in sight.
func (v *View) MovePictures() {
	if v.After == nil {
		return
	}
	var next time.Time
	if v.InSight() {
		now, still := v.page.now(), v.standsStill()
		for _, p := range v.moving() {
			p.advance(now, still)
			if !p.due.IsZero() && (next.IsZero() || p.due.Before(next)) {
				next = p.due
			}
		}
	}
	v.motion.wait(v, next)
}

// wait sets the timer to a time; the zero value ends it.
func (m *motion) wait(v *View, until time.Time) {
	if m.stop != nil {
		if m.due.Equal(until) {
			return
		}
		m.stop()
		m.stop = nil
	}
	if m.due = until; until.IsZero() {
		return
	}
	m.stop = v.After(until.Sub(v.page.now()), func() {
		if m.due.Equal(until) { // it was not stopped when it had run out already
			m.stop = nil
			v.MovePictures()
		}
	})
}

// moving returns the animated pictures in sight.
func (v *View) moving() (all []*playback) {
	if large := v.motion.large; large != nil {
		if large.frames == nil { // a picture that does not move
			return nil
		}
		return []*playback{large}
	}
	for _, p := range v.pages() {
		if p.lay == nil {
			continue
		}
		top, bottom := p.frame.viewport()
		for _, f := range p.pictures.figures() {
			if f.state == shown && f.playback.frames != nil && f.y < bottom && f.y+f.h > top {
				all = append(all, &f.playback)
			}
		}
	}
	return all
}

// motionBytes is the memory of the animated pictures of a view.
func (v *View) motionBytes() (n int) {
	for _, p := range v.pages() {
		for _, f := range p.pictures.figures() {
			n += f.playback.frames.Bytes()
		}
	}
	return n
}

// begin plays frames from where it is, as they have come in another resolution.
func (p *playback) begin(m *picture.Motion, show func(*image.RGBA)) {
	if p.frames == nil || m == nil || len(m.Frames) != len(p.frames.Frames) {
		*p = playback{}
	}
	p.frames, p.show = m, show
}

// once plays it once more where pictures stand still. It is false if it plays, or was played already: then a click does something else.
func (p *playback) once() bool {
	if p.frames == nil || p.asked {
		return false
	}
	p.asked, p.frame, p.turn, p.due = true, 0, 0, time.Time{}
	return true
}

// times is how often all frames are to be shown; 0: without end.
func (p *playback) times(still bool) int {
	switch {
	case still && p.asked:
		return 1
	case still:
		return -1 // not at all
	}
	return p.frames.Times
}

// advance shows the next frame if it is due. One that is long overdue, as it was out of sight, goes on from where it was.
func (p *playback) advance(now time.Time, still bool) {
	times := p.times(still)
	if times < 0 || times > 0 && p.turn >= times {
		p.due = time.Time{}
		return
	}
	if p.due.IsZero() {
		p.show(p.frames.Frames[p.frame])
		p.due = now.Add(p.frames.Delays[p.frame])
	}
	if now.Before(p.due) {
		return
	}
	if p.frame+1 == len(p.frames.Frames) {
		if p.turn++; times > 0 && p.turn >= times { // it stands at its last frame
			p.due = time.Time{}
			return
		}
	}
	p.frame = (p.frame + 1) % len(p.frames.Frames)
	p.show(p.frames.Frames[p.frame])
	if p.due = p.due.Add(p.frames.Delays[p.frame]); p.due.Before(now) {
		p.due = now.Add(p.frames.Delays[p.frame])
	}
}
