package reading

import (
	"context"
	"encoding/json"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/settings"
	"kairos/app/shell"
)

// settingStyle holds the typography of articles as JSON.
const settingStyle = "view.style"

// Style changes the typography of articles, and whether their images are loaded automatically.
type Style struct {
	Shell    *shell.Shell
	View     *article.View
	Pictures *pictures
	Changed  func()
}

// viewSettings is what is stored of the view.
type viewSettings struct {
	Style    article.Style
	Pictures bool
}

func (s *Style) Load(ctx context.Context) (v viewSettings, err error) {
	text, err := s.Shell.Home.Store.Settings.Get(ctx, settingStyle, "{}")
	if err != nil {
		return v, err
	}
	if bad := json.Unmarshal([]byte(text), &v.Style); bad != nil {
		v.Style = article.Style{} // the default does no harm
	}
	if v.Style.Family != "" {
		// A font that was removed is replaced by the typeface chosen before.
		typeface, err := settings.LoadTypeface(ctx, v.Style.Family)
		if err != nil && ctx.Err() != nil {
			return v, err
		}
		v.Style = v.Style.WithTypeface(typeface)
	}
	on, err := s.Shell.Home.Store.Settings.Get(ctx, home.SettingPictures, "on")
	v.Pictures = on != "off"
	return v, err
}

// Restore sets the view as it was left.
func (s *Style) Restore() {
	var r async.Request
	async.Load(s.Shell.Jobs, &r, s.Load, func(v viewSettings) {
		s.View.SetStyle(v.Style)
		s.Pictures.Set(v.Pictures, s.Pictures.saving)
		s.Changed()
	})
}

// Set changes the typography and stores it.
func (s *Style) Set(st article.Style) {
	s.View.SetStyle(st)
	s.Changed()
	text, err := json.Marshal(st)
	if err != nil {
		s.Shell.Fail(err) // only a style without numbers, which does not exist
		return
	}
	s.Shell.StoreSetting(settingStyle, string(text), nil)
}

// Change changes one property of the typography.
func (s *Style) Change(change func(*article.Style)) {
	st := s.View.Style()
	change(&st)
	s.Set(st)
}

// Zoom makes the text of articles larger or smaller by a tenth; 0 sets the default size.
func (s *Style) Zoom(steps float32) {
	s.Change(func(st *article.Style) {
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

// SetAutomaticPictures stores whether images are loaded automatically.
func (s *Style) SetAutomaticPictures(on bool) {
	s.Pictures.SetAutomatic(on)
	s.Changed()
}
