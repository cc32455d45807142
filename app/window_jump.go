package app

import (
	"cmp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/jump"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/sidebar"
	"kairos/reader/search"
)

// jump asks for a feed, a folder, a page of the settings or a command by a part of its name, and goes there.
func (w *window) jump() {
	w.going = jump.Open(w.shell, w.targets)
}

// targets are what can be gone to.
func (w *window) targets() []jump.Target {
	items := w.sidebar.Places()
	targets := w.placeTargets(items)
	views := map[string]int{} // the targets that commands go to as well, by name
	for i, item := range items {
		if placeKind(item.Place) == "" {
			views[item.Name] = i
		}
	}
	menus := w.win.MainMenu().Items
	under := map[string]string{}
	for _, menu := range menus {
		noteMenus(under, menu.Label, menu)
	}
	for _, g := range w.groups {
		for _, c := range g.commands {
			if view, ok := views[c.title]; ok {
				targets[view].Detail = w.firstKey(c.id)
				continue
			}
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
	here := fyne.NewMenu("", w.itemMenu(w.session.Place)...)
	targets = append(targets, w.choices(under, w.session.Place.Name, here)...)
	return append(targets, w.choices(under, "", menus...)...)
}

// placeTargets are the places of the sidebar. What reads alike says what it is, too.
func (w *window) placeTargets(items []sidebar.Item) []jump.Target {
	targets := make([]jump.Target, len(items))
	alike := map[string]int{}
	reads := func(t jump.Target) string { return search.Plain(t.Name) + "\n" + t.Detail }
	for i, item := range items {
		targets[i] = jump.Target{Name: item.Name, Detail: w.detailOf(item.Place), Go: func() { w.sidebar.Reveal(item.Place) }}
		alike[reads(targets[i])]++
	}
	for i, item := range items {
		if t := &targets[i]; alike[reads(*t)] > 1 {
			t.Detail = strings.Trim(t.Detail+" · "+placeKind(item.Place), " ·")
		}
	}
	return targets
}

// placeKind says what a place is: a feed by its address.
func placeKind(p session.Place) string {
	switch {
	case p.Feed != nil:
		_, address, _ := strings.Cut(p.Feed.URL, "://")
		return cmp.Or(address, p.Feed.URL)
	case p.Account:
		return lang.L("Account")
	case p.Folder != "":
		return lang.L("Folder")
	case p.Label != nil:
		return lang.L("Label")
	case p.Saved != nil:
		return lang.L("Saved search")
	}
	return ""
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

// choices are the entries of menus that are no commands, and so have no key: what can be chosen in a submenu, and, unless its name
// is "", in the menu of what is chosen.
func (w *window) choices(under map[string]string, name string, menus ...*fyne.Menu) (targets []jump.Target) {
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
			case item.Action != nil && in != "" && !item.IsSeparator && !item.Disabled && !known[item.Label]:
				targets = append(targets, jump.Target{Name: item.Label, Detail: in, Also: cmp.Or(under[item.Label], in+" "+name), Change: true, Go: item.Action})
			}
		}
	}
	for _, menu := range menus {
		of(name, menu)
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
