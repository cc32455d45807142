package app

import (
	"context"
	"encoding/json"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/app/settings"
	"kairos/app/shell"
)

// settingStyle holds the typography of articles as JSON.
const settingStyle = "view.style"

// articleStyle changes the typography of articles, and whether their images are loaded automatically.
type articleStyle struct {
	shell    *shell.Shell
	view     *article.View
	pictures *articlePictures
	changed  func()
}

// viewSettings is what is stored of the view.
type viewSettings struct {
	style    article.Style
	pictures bool
}

func (s *articleStyle) load(ctx context.Context) (v viewSettings, err error) {
	text, err := s.shell.Home.Store.Settings.Get(ctx, settingStyle, "{}")
	if err != nil {
		return v, err
	}
	if bad := json.Unmarshal([]byte(text), &v.style); bad != nil {
		v.style = article.Style{} // the default does no harm
	}
	if v.style.Family != "" {
		// A font that was removed is replaced by the typeface chosen before.
		typeface, err := settings.LoadTypeface(ctx, v.style.Family)
		if err != nil && ctx.Err() != nil {
			return v, err
		}
		v.style = v.style.WithTypeface(typeface)
	}
	on, err := s.shell.Home.Store.Settings.Get(ctx, settingPictures, "on")
	v.pictures = on != "off"
	return v, err
}

// restore sets the view as it was left.
func (s *articleStyle) restore() {
	var r async.Request
	async.Load(s.shell.Jobs, &r, s.load, func(v viewSettings) {
		s.view.SetStyle(v.style)
		s.pictures.set(v.pictures, s.pictures.saving)
		s.changed()
	})
}

// set changes the typography and stores it.
func (s *articleStyle) set(st article.Style) {
	s.view.SetStyle(st)
	s.changed()
	text, err := json.Marshal(st)
	if err != nil {
		s.shell.Fail(err) // only a style without numbers, which does not exist
		return
	}
	s.shell.StoreSetting(settingStyle, string(text), nil)
}

// change changes one property of the typography.
func (s *articleStyle) change(change func(*article.Style)) {
	st := s.view.Style()
	change(&st)
	s.set(st)
}

// zoom makes the text of articles larger or smaller by a tenth; 0 sets the default size.
func (s *articleStyle) zoom(steps float32) {
	s.change(func(st *article.Style) {
		switch {
		case steps == 0:
			st.Size = 0
		case steps > 0:
			st.Size = max(st.Size+1, round(st.Size*1.1))
		default:
			st.Size = min(st.Size-1, round(st.Size/1.1))
		}
	})
}

func round(x float32) float32 { return float32(int(x + 0.5)) }

// setAutomaticPictures stores whether images are loaded automatically.
func (s *articleStyle) setAutomaticPictures(on bool) {
	s.pictures.setAutomatic(on)
	s.changed()
}
