package app

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"github.com/go-gl/glfw/v3.4/glfw"

	"kairos/app/jump"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/settings"
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
		if to.Article != 0 {
			w.timeline.Open(to.Article)
		} else {
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

// jump asks for a feed, a folder, a page of the settings or a command by a part of its name, and goes there.
func (w *window) jump() {
	w.going = jump.Open(w.shell, w.targets)
}

// targets are what can be gone to.
func (w *window) targets() []jump.Target {
	var targets []jump.Target
	for _, item := range w.sidebar.Places() {
		targets = append(targets, jump.Target{Name: item.Name, Detail: w.detailOf(item.Place), Go: func() { w.sidebar.Reveal(item.Place) }})
	}
	menus := w.win.MainMenu().Items
	under := map[string]string{}
	for _, menu := range menus {
		noteMenus(under, menu.Label, menu)
	}
	for _, g := range w.groups {
		for _, c := range g.commands {
			if c.id == "jump" {
				continue
			}
			targets = append(targets, jump.Target{Name: w.title(c.id), Detail: w.firstKey(c.id), Also: strings.TrimSpace(under[c.title] + " " + c.also), Change: true, Go: func() { w.perform(c.id) }})
		}
	}
	for _, p := range settings.Pages {
		words := lang.L("Settings") + " " + strings.Join(p.Words(), " ")
		targets = append(targets, jump.Target{Name: p.Title(), Detail: lang.L("Settings"), Also: words, Change: true, Go: func() { newSettings(w).Open(p) }})
	}
	return append(targets, w.choices(under, menus...)...)
}

// noteMenus notes in which menus, below path, each entry is: people look for it by their names, too.
func noteMenus(under map[string]string, path string, menu *fyne.Menu) {
	for _, item := range menu.Items {
		if item.ChildMenu != nil {
			noteMenus(under, path+" "+item.Label, item.ChildMenu)
		} else if under[item.Label] == "" {
			under[item.Label] = path
		}
	}
}

// choices are the entries of menus that are no commands, and so have no key: what can be chosen in a submenu.
func (w *window) choices(under map[string]string, menus ...*fyne.Menu) (targets []jump.Target) {
	known := map[string]bool{}
	for _, c := range w.commands {
		known[c.title] = true
	}
	var of func(in string, menu *fyne.Menu)
	of = func(in string, menu *fyne.Menu) {
		for _, item := range menu.Items {
			switch {
			case item.ChildMenu != nil:
				of(item.Label, item.ChildMenu)
			case item.Action != nil && in != "" && !item.Disabled && !known[item.Label]:
				targets = append(targets, jump.Target{Name: item.Label, Detail: in, Also: under[item.Label], Change: true, Go: item.Action})
			}
		}
	}
	for _, menu := range menus {
		of("", menu)
	}
	return targets
}

// detailOf says where a feed or a folder is.
func (w *window) detailOf(p session.Place) string {
	path := library.PlaceOf(p.Branch().Path(w.library.Snapshot)).Path
	if p.Feed == nil {
		path = strings.TrimSuffix(strings.TrimSuffix(path, p.Name), " / ")
	}
	return path
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
