package app

import (
	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/session"
)

// note notes where the user has come to, so that one can go back there.
func (w *window) note(article int64) {
	w.trail.Note(session.Stop{Place: w.session.Place, Article: article})
}

// travel goes back or forward to a place and its article, unless it has come to an end.
func (w *window) travel(to session.Stop, ok bool) {
	if !ok {
		return
	}
	if to.Place.Key == w.session.Place.Key {
		switch {
		case to.At != session.Position{} && to.Article == w.session.List.Current:
			w.article.ScrollTo(to.At)
			w.trail.Arrived()
		case to.Article != 0:
			w.timeline.Open(to.Article)
		default:
			w.trail.Arrived()
		}
		return
	}
	if to.Place.Key == session.Away { // also after it was left
		w.session.IsAway = true
	}
	w.session.ReturnTo(session.Left{Place: to.Place.Key, Article: to.Article})
	w.sidebar.Reveal(to.Place)
}

// watchMouseButtons goes back and forward by the buttons of a mouse that browsers have for it. Fyne takes them for no button.
func (w *window) watchMouseButtons() {
	in, ok := w.win.(interface{ RunWithContext(func()) })
	if !ok {
		return
	}
	in.RunWithContext(func() {
		if native := glfw.GetCurrentContext(); native != nil {
			var others glfw.MouseButtonCallback
			others = native.SetMouseButtonCallback(func(at *glfw.Window, button glfw.MouseButton, action glfw.Action, held glfw.ModifierKey) {
				command, extra := map[glfw.MouseButton]string{glfw.MouseButton4: "go-back", glfw.MouseButton5: "go-forward"}[button]
				switch {
				case !extra && others != nil:
					others(at, button, action, held)
				case extra && action == glfw.Press:
					w.shell.Used()
					w.perform(command)
				}
			})
		}
	})
}
