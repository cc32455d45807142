package app

import (
	"context"
	"encoding/json"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/async"
)

// settingStyle is how articles are set, as JSON.
const settingStyle = "view.style"

// viewSettings are what is stored of the view.
type viewSettings struct {
	style    article.Style
	pictures bool
}

func (w *window) loadViewSettings(ctx context.Context) (s viewSettings, err error) {
	text, err := w.home.Store.Settings.Get(ctx, settingStyle, "{}")
	if err != nil {
		return s, err
	}
	if bad := json.Unmarshal([]byte(text), &s.style); bad != nil {
		s.style = article.Style{} // the usual one does no harm
	}
	on, err := w.home.Store.Settings.Get(ctx, settingPictures, "on")
	s.pictures = on != "off"
	return s, err
}

// restoreView sets the view as it was left.
func (w *window) restoreView() {
	var want async.Request
	async.Load(w.Jobs, &want, w.loadViewSettings, func(s viewSettings) {
		w.reading.view.SetStyle(s.style)
		w.pictures.set(s.pictures, w.pictures.saving)
		w.bindKeys()
	})
}

// setStyle sets how articles look and stores it.
func (w *window) setStyle(st article.Style) {
	w.reading.view.SetStyle(st)
	w.bindKeys()
	text, err := json.Marshal(st)
	if err != nil {
		w.say(errorText(err)) // a style without numbers, which there is none of
		return
	}
	w.set(settingStyle, string(text), nil)
}

// zoom makes the text of articles larger or smaller by a tenth a step; none sets its usual size.
func (w *window) zoom(steps float32) {
	st := w.reading.view.Style()
	switch {
	case steps == 0:
		st.Size = 0
	case steps > 0:
		st.Size = max(st.Size+1, round(st.Size*1.1))
	default:
		st.Size = min(st.Size-1, round(st.Size/1.1))
	}
	w.setStyle(st)
}

func round(x float32) float32 { return float32(int(x + 0.5)) }

// viewCommands are about how articles look.
func viewCommands() []command {
	restyle := func(change func(*article.Style)) func(*window) {
		return func(w *window) {
			st := w.reading.view.Style()
			change(&st)
			w.setStyle(st)
		}
	}
	return []command{
		{id: "larger", what: lang.L("Larger text"), keys: "Ctrl+= Ctrl++ Ctrl+Shift+= Ctrl+Shift++", do: func(w *window) { w.zoom(1) }},
		{id: "smaller", what: lang.L("Smaller text"), keys: "Ctrl+-", do: func(w *window) { w.zoom(-1) }},
		{id: "usual-size", what: lang.L("Usual text size"), keys: "Ctrl+0", do: func(w *window) { w.zoom(0) }},
		{id: "wider", what: lang.L("Wider column"), do: restyle(func(s *article.Style) { s.Measure += 4 })},
		{id: "narrower", what: lang.L("Narrower column"), do: restyle(func(s *article.Style) { s.Measure -= 4 })},
		{id: "usual-width", what: lang.L("Usual width of the column"), do: restyle(func(s *article.Style) { s.Measure = 0 })},
		{id: "loose", what: lang.L("Lines further apart"), do: restyle(func(s *article.Style) { s.Leading += 0.1 })},
		{id: "tight", what: lang.L("Lines closer together"), do: restyle(func(s *article.Style) { s.Leading -= 0.1 })},
		{id: "usual-lines", what: lang.L("Usual distance of the lines"), do: restyle(func(s *article.Style) { s.Leading = 0 })},
		{id: "sans", what: lang.L("Without serifs"), do: restyle(func(s *article.Style) { s.Serif = false })},
		{id: "serif", what: lang.L("With serifs"), do: restyle(func(s *article.Style) { s.Serif = true })},
		{id: "load-pictures", what: lang.L("Load pictures by themselves"), do: func(w *window) {
			w.pictures.setLoad(!w.pictures.load)
			w.bindKeys()
		}},
		{id: "pictures", what: lang.L("Load the pictures of this article"), keys: "p", do: (*window).loadPictures},
	}
}

// viewItems are the items of the menu View that are about the article.
func (w *window) viewItems() []*fyne.MenuItem {
	items := w.items("larger", "smaller", "usual-size")
	sans, serif, load := w.item("sans"), w.item("serif"), w.item("load-pictures")
	style := w.reading.view.Style()
	sans.Checked, serif.Checked, load.Checked = !style.Serif, style.Serif, w.pictures.load
	return append(items,
		submenu(lang.L("Column"), w.items("wider", "narrower", "usual-width")...),
		submenu(lang.L("Lines"), w.items("loose", "tight", "usual-lines")...),
		submenu(lang.L("Typeface"), sans, serif),
		fyne.NewMenuItemSeparator(), load, w.item("pictures"))
}

func (w *window) loadPictures() { w.reading.view.LoadPictures() }
