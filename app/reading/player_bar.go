package reading

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/widgets"
)

// playerBar is the row above an article while something plays: pause, stop, how far it is, and what it is.
type playerBar struct {
	Row         *fyne.Container
	Pause, stop *widgets.ToolButton
	Position    *widgets.LineLabel
	player      *mediaPlayer
	within      *fyne.Container // the pane
}

func newPlayerBar(a *mediaPlayer) *playerBar {
	b := &playerBar{player: a, Position: widgets.NewLineLabel("")}
	tool := func(name string, icon fyne.Resource, do func()) *widgets.ToolButton {
		return widgets.NewToolButton(name, icon, func() {
			a.shell.Used()
			do()
		})
	}
	b.Pause = tool(lang.L("Pause"), theme.MediaPauseIcon(), a.TogglePause)
	b.stop = tool(lang.L("Stop"), theme.MediaStopIcon(), a.Stop)
	b.Position.Truncation = fyne.TextTruncateEllipsis
	b.Row = container.NewBorder(nil, nil, container.NewHBox(b.Pause, b.stop), nil, b.Position)
	b.Row.Hide()
	return b
}

// pauseText names what a press does to what plays.
func pauseText(paused bool) string {
	if paused {
		return lang.X("playing.resume", "Resume")
	}
	return lang.L("Pause")
}

// update shows what plays and how far it is, or hides the row.
func (b *playerBar) update() {
	a := b.player
	if on := a.Playing.URL != ""; on == b.Row.Hidden {
		b.Row.Hidden = !on
		if b.within != nil { // see showBar
			b.within.Refresh()
			canvas.Refresh(b.within)
		}
	}
	if b.Row.Hidden {
		return
	}
	if name := pauseText(a.State.Paused); b.Pause.Name != name {
		b.Pause.Icon = theme.MediaPauseIcon()
		if a.State.Paused {
			b.Pause.Icon = theme.MediaPlayIcon()
		}
		b.Pause.SetName(name)
		b.Row.Refresh()
	}
	at := clockText(a.State.Position)
	if a.State.Length > 0 {
		at = lang.L("{{.Position}} of {{.Length}}", map[string]any{"Position": at, "Length": clockText(a.State.Length)})
	}
	b.Position.SetText(lang.L("{{.Time}} · {{.Title}}", map[string]any{"Time": at, "Title": a.Playing.Title}))
}
