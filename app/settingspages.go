package app

import (
	"context"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/article"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
)

// Preferences that are needed before the data folder is open.
const (
	prefLook     = "look"
	prefLanguage = "language"
)

// languageNames are the languages' own names for themselves.
var languageNames = map[string]string{"en": "English", "de": "Deutsch", "zh_Hans": "简体中文"}

func (s *settingsDialog) general() fyne.CanvasObject {
	w := s.w
	prefs := w.app.Preferences()
	looks := widgets.NewChoice([]widgets.Option{widgets.Opt("", lang.L("Follow system")), widgets.Opt("light", lang.L("Light")), widgets.Opt("dark", lang.L("Dark")), widgets.Opt("sepia", lang.L("Sepia"))},
		prefs.String(prefLook), func(value string) {
			prefs.SetString(prefLook, value)
			w.app.Settings().SetTheme(look.New(look.Variants[value]))
			s.repaint()
		})
	tongues := []widgets.Option{widgets.Opt("", lang.L("Follow system"))}
	for _, name := range language.Known() {
		tongues = append(tongues, widgets.Opt(name, languageNames[name]))
	}
	tongue := widgets.NewChoice(tongues, prefs.String(prefLanguage), func(value string) {
		prefs.SetString(prefLanguage, value)
		s.said.SetText(lang.L("The language changes when Kairos is started again."), widgets.Muted)
	})
	keep := widgets.NewCheck(lang.L("Keep fetching when the window is closed"))
	keep.SetChecked(s.now.stored[settingKeepRunning] != "no")
	keep.OnChanged = func(on bool) {
		if on {
			s.put(settingKeepRunning, "yes")
		} else {
			s.put(settingKeepRunning, "no")
		}
	}
	login := widgets.NewCheck(lang.L("Start Kairos when I log in"))
	login.SetChecked(s.now.login)
	login.OnChanged = func(on bool) {
		s.apply(func(context.Context) error { return setAutostart(w.home.Dir, on) })
	}
	return widgets.Rows(
		s.row(lang.L("Appearance"), looks, ""),
		s.row(lang.L("Language"), tongue, ""),
		s.row(lang.L("In the background"), keep, lang.L("Starting Kairos again brings the window back.")),
		s.row("", login, ""))
}

func (s *settingsDialog) reading() fyne.CanvasObject {
	w := s.w
	marks := widgets.NewChoice([]widgets.Option{
		widgets.Opt(openMarksAtOnce, lang.L("as soon as it is shown")),
		widgets.Opt(openMarksLater, lang.L("when it was shown for two seconds")),
		widgets.Opt(openMarksNever, lang.L("only by hand")),
	}, s.now.stored[settingOpenMarks], func(value string) {
		s.put(settingOpenMarks, value)
		w.article.opensMark = value
	})
	days := s.number(s.now.firstDays, 0, 36500, func(n int) {
		s.apply(func(ctx context.Context) error {
			return w.home.Store.Settings.Set(ctx, reader.SettingFirstUnreadDays, strconv.Itoa(n))
		})
	})
	order := widgets.NewChoice([]widgets.Option{widgets.Opt("", lang.L("Newest first")), widgets.Opt("oldest", lang.L("Oldest first"))},
		map[bool]string{true: "oldest"}[w.timeline.order.oldestFirst], func(value string) { w.sort(value != "") })
	group := widgets.NewChoice([]widgets.Option{widgets.Opt(string(groupNone), lang.L("Do not group")), widgets.Opt(string(groupByDay), lang.L("Group by day")), widgets.Opt(string(groupByFeed), lang.L("Group by feed"))},
		string(w.timeline.order.group), func(value string) { w.group(grouping(value)) })
	hide := widgets.NewCheck(lang.L("Hide read articles"))
	hide.SetChecked(w.timeline.order.hideRead)
	hide.OnChanged = func(on bool) {
		if on != w.timeline.order.hideRead {
			w.toggleHideRead()
		}
	}
	return widgets.Rows(
		s.row(lang.L("Text size"), s.styled(article.MinSize, article.MaxSize, 1, func(st *article.Style) *float32 { return &st.Size }), ""),
		s.row(lang.L("Column width"), s.styled(article.MinMeasure, article.MaxMeasure, 1, func(st *article.Style) *float32 { return &st.Measure }), ""),
		s.row(lang.L("Line spacing"), s.styled(article.MinLeading, article.MaxLeading, 0.1, func(st *article.Style) *float32 { return &st.Leading }), ""),
		s.row(lang.L("Typeface"), s.typeface(), ""),
		s.row(lang.L("Images"), s.pictures(), lang.L("Not while battery saver is on; a click on its place loads one all the same.")),
		s.row(lang.L("An article is read"), marks, ""),
		s.row(lang.L("Order of the list"), order, ""),
		s.row("", group, ""),
		s.row("", hide, lang.L("Starred articles are always shown.")),
		s.row("", s.thumbs(), ""),
		s.row(lang.L("Unread at first"), days, lang.L("Days: what is older arrives read when a feed is added.")))
}

// styled is a slider for a number of how articles look.
func (s *settingsDialog) styled(least, most, step float64, of func(*article.Style) *float32) fyne.CanvasObject {
	style := s.w.article.view.Style()
	slider := widgets.NewSlider(least, most)
	slider.Step = step
	slider.SetValue(float64(*of(&style)))
	slider.OnChanged = func(value float64) {
		now := s.w.article.view.Style()
		*of(&now) = float32(value)
		s.w.style.set(now)
	}
	return slider
}

// thumbs is the switch for pictures in the list.
func (s *settingsDialog) thumbs() fyne.CanvasObject {
	show := widgets.NewCheck(lang.L("Show thumbnails"))
	show.SetChecked(s.w.timeline.thumbs.on)
	show.OnChanged = func(on bool) {
		s.w.timeline.thumbs.setVisible(on)
		s.w.bindKeys()
	}
	return show
}

func (s *settingsDialog) typeface() fyne.CanvasObject {
	const sans, serif = "sans", "serif"
	now := map[bool]string{true: serif, false: sans}[s.w.article.view.Style().Serif]
	return widgets.NewChoice([]widgets.Option{widgets.Opt(sans, lang.L("Sans serif")), widgets.Opt(serif, lang.L("Serif"))}, now, func(value string) {
		style := s.w.article.view.Style()
		style.Serif = value == serif
		s.w.style.set(style)
	})
}

func (s *settingsDialog) pictures() fyne.CanvasObject {
	load := widgets.NewCheck(lang.L("Load images automatically"))
	load.SetChecked(s.w.article.pictures.automatic)
	load.OnChanged = func(on bool) {
		s.w.article.pictures.setAutomatic(on)
		s.w.bindKeys()
	}
	return load
}

func (s *settingsDialog) fetching() fyne.CanvasObject {
	w := s.w
	const own = "own"
	kinds := []widgets.Option{widgets.Opt(poller.Fresh, lang.L("Fresh: 24 a feed")), widgets.Opt(poller.Balanced, lang.L("Balanced: 8 a feed")),
		widgets.Opt(own, lang.L("A number of your own")), widgets.Opt("0", lang.L("Pause fetching"))}
	normal := s.now.budget.Normal
	kind := normal
	if n, err := strconv.Atoi(normal); err == nil && n > 0 {
		kind = own
	}
	set := func(value string) {
		s.now.budget.Normal = value
		s.apply(func(ctx context.Context) error { return w.home.Poller.SetBudget(ctx, value) })
	}
	start := 100
	if n, err := strconv.Atoi(normal); err == nil && n > 0 {
		start = n
	}
	number := s.number(start, 1, 1_000_000, func(n int) { set(strconv.Itoa(n)) })
	number.Hidden = kind != own
	budget := widgets.NewChoice(kinds, kind, func(value string) {
		number.Hidden = value != own
		s.body.Refresh()
		if value == own {
			value = number.Text
		}
		set(value)
	})
	saver := widgets.NewChoice([]widgets.Option{widgets.Opt(string(poller.SaverOff), lang.L("Off")), widgets.Opt(string(poller.SaverOn), lang.L("On")),
		widgets.Opt(string(poller.SaverAuto), lang.L("Automatic: on battery, low power, metered network"))},
		string(s.now.budget.Saver), func(value string) {
			s.apply(func(ctx context.Context) error { return w.home.Poller.SetSaver(ctx, poller.Saver(value)) })
		})
	return widgets.Rows(
		s.row(lang.L("Fetches a day"), widgets.NewColumn(6, budget, number),
			lang.L("They are spent where they matter: just before you read, on the feeds that have posted. What you fetch by hand is not counted.")),
		s.row(lang.L("Battery saver"), saver, saverHint(s.now.budget)))
}

// saverHint says when auto saves, and why it does now.
func saverHint(b poller.Budget) string {
	if why := language.Printer().SavingReasons(b); why != "" {
		return lang.L("Saving now: {{.Why}}", map[string]any{"Why": why})
	}
	return lang.L("While it is on, two fetches a feed a day.")
}

func (s *settingsDialog) privacy() fyne.CanvasObject {
	learn := s.toggle(lang.L("Learn when I read"), home.SettingLearn, "on", "off")
	forget := widget.NewButton(lang.L("Forget when I read…"), s.w.forgetDialog)
	return widgets.Rows(
		s.row(lang.L("Learning"), learn,
			lang.L("Kairos notes when you open it and which feeds you open articles of, and learns from that when to fetch what. It never leaves this machine.")),
		s.row("", container.NewHBox(forget), lang.N("{{.PluralCount}} readings are noted.", s.now.accesses)),
		s.row(lang.L("Images"), widgets.NewText(lang.L("Pictures are loaded from where the article names them, tracking pixels never. Scripts and styles of articles are thrown away on arrival."), widgets.Plain), ""),
		s.row(lang.L("Kept in"), widgets.NewText(s.w.home.Dir, widgets.Plain), lang.L("Everything Kairos knows is in this folder; passwords are in the keyring of the system.")))
}

func (s *settingsDialog) about() fyne.CanvasObject {
	return widgets.Rows(widgets.NewText("Kairos "+home.Version, widgets.Title), widgets.NewText(aboutText(), widgets.Plain))
}

func aboutText() string {
	return lang.L("A feed reader that learns when you read and fetches just before. Everything is kept on this machine.")
}

func (w *window) forgetDialog() {
	w.dialogs.Show(dialog.NewConfirm(lang.L("Forget when I read"),
		lang.L("The log of your readings and everything learned from it will be cleared. Kairos then starts from a usual waking day."),
		func(yes bool) {
			if yes {
				w.Work(w.home.Visits.Clear, func(err error) {
					if err != nil {
						w.say(errorText(err))
						return
					}
					w.say(lang.L("Forgotten."))
				})
			}
		}, w.win), nil)
}

// loadOpenMarks reads when an article that is opened counts as read.
func (w *window) loadOpenMarks() {
	var value string
	w.Work(func(ctx context.Context) (err error) {
		value, err = w.home.Store.Settings.Get(ctx, settingOpenMarks, openMarksAtOnce)
		return err
	}, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		w.article.opensMark = value
	})
}
