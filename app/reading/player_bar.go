package reading

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/player"
	"kairos/app/shell"
	"kairos/app/widgets"
)

// playerBar is what stands above an article while something plays: a row of buttons, how far it is and what it is, and below it a
// slider that goes anywhere in it.
type playerBar struct {
	Row                *fyne.Container
	Pause, stop, Speed *widgets.ToolButton
	Back, Forward      *widgets.ToolButton
	Position           *widgets.LineLabel
	Slider             *widgets.Slider // its value is in seconds
	sliding            *player.Control // of what played when the user began to drag it; nil: nobody does
	player             *mediaPlayer
	within             *fyne.Container // the pane
}

func newPlayerBar(a *mediaPlayer, buttons shell.Commands) *playerBar {
	b := &playerBar{player: a, Position: widgets.NewLineLabel(""), Slider: widgets.NewSlider(0, 1)}
	tool := func(name string, icon fyne.Resource, do func()) *widgets.ToolButton {
		return widgets.NewToolButton(name, icon, func() {
			a.shell.Used()
			do()
		})
	}
	b.Pause = tool(lang.L("Pause"), theme.MediaPauseIcon(), a.TogglePause)
	b.stop = tool(lang.L("Stop"), theme.MediaStopIcon(), a.Stop)
	b.Back = buttons.Button(lang.L("Back 15 seconds"), theme.MediaFastRewindIcon(), "skip-back")
	b.Forward = buttons.Button(lang.L("Forward 30 seconds"), theme.MediaFastForwardIcon(), "skip-forward")
	b.Back.Text, b.Forward.Text, b.Pause.Text, b.stop.Text = "15", "30", "", "" // the signs say it, and leave room for the title
	b.Speed = tool(lang.L("Playback speed"), nil, b.showSpeeds)
	b.Position.Truncation = fyne.TextTruncateEllipsis
	b.Slider.Name = lang.L("Position")
	b.Slider.ValueText = func(seconds float64) string { return clockText(inSeconds(seconds)) }
	b.Slider.OnChanged = func(float64) { b.slide() }
	b.Slider.OnChangeEnded = func(float64) { b.slid() }
	buttonsOf := container.NewHBox(b.Pause, b.stop, b.Back, b.Forward)
	b.Row = container.New(sliderBelow{}, container.NewBorder(nil, nil, buttonsOf, b.Speed, b.Position), b.Slider)
	b.Row.Hide()
	return b
}

// slide shows where what plays would go on. What was begun to be dragged for another file moves nothing.
func (b *playerBar) slide() {
	if b.sliding == nil {
		b.sliding = b.player.control
	}
	if b.sliding == b.player.control {
		b.showPosition(inSeconds(b.Slider.Value))
	}
}

// slid goes where the slider was let go, unless another file plays since the user began to drag it.
func (b *playerBar) slid() {
	of := b.sliding
	b.sliding = nil
	b.player.shell.Used()
	if of == b.player.control {
		b.player.seek(inSeconds(b.Slider.Value))
	}
	b.update()
}

func inSeconds(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }

// sliderBelow is the layout of a row and a slider below it, which has only the height of its thumb.
type sliderBelow struct{}

// sliderHeight is that of the thumb and of the ring of the focus around it.
const sliderHeight = 24

func (sliderBelow) MinSize(o []fyne.CanvasObject) fyne.Size {
	size := o[0].MinSize()
	if o[1].Visible() {
		size.Height += sliderHeight
	}
	return size
}

func (sliderBelow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	height := o[0].MinSize().Height
	o[0].Resize(fyne.NewSize(size.Width, height))
	o[1].Move(fyne.NewPos(0, height))
	o[1].Resize(fyne.NewSize(size.Width, sliderHeight))
}

// showSpeeds offers the speeds below their button, with the one in force ticked and highlighted.
func (b *playerBar) showSpeeds() {
	now := language.Printer().Speed(b.player.Speed())
	var items []*fyne.MenuItem
	downs := 1
	for i, speed := range speeds {
		item := fyne.NewMenuItem(language.Printer().Speed(speed), func() { b.player.setSpeed(speed) })
		if item.Label == now {
			item.Checked, downs = true, i+1
		}
		items = append(items, item)
	}
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), b.player.shell.Canvas)
	menu.ShowAtPosition(fyne.CurrentApp().Driver().AbsolutePositionForObject(b.Speed).AddXY(0, b.Speed.Size().Height))
	for range downs {
		menu.ActivateNext()
	}
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
		b.relaid()
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
	if speed := language.Printer().Speed(a.Speed()); b.Speed.Text != speed {
		b.Speed.SetText(speed)
		b.Row.Refresh()
	}
	b.updateSlider()
	if b.sliding == nil || b.sliding != a.control {
		b.showPosition(a.State.Position)
	}
}

// relaid gives the article the room that the row leaves; see showBar.
func (b *playerBar) relaid() {
	if b.within != nil {
		b.within.Refresh()
		canvas.Refresh(b.within)
	}
}

// fineSteps is up to which length the slider goes by seconds.
const fineSteps = 10 * time.Minute

// updateSlider moves the slider to where what plays is. What has no known length, such as a live stream, has none.
func (b *playerBar) updateSlider() {
	a, s := b.player, b.Slider
	length := a.State.Length.Truncate(time.Second)
	if known := length > 0; known == s.Hidden {
		s.Hidden = !known
		b.relaid()
	}
	if b.sliding != nil && b.sliding == a.control || s.Hidden {
		return
	}
	value, most := min(a.State.Position, length).Truncate(time.Second).Seconds(), length.Seconds()
	if s.Value == value && s.Max == most {
		return
	}
	s.Step = 1
	if length > fineSteps {
		s.Step = 5
	}
	s.Value, s.Max = value, most
	s.Refresh()
}

// showPosition tells how far what plays is, or would be.
func (b *playerBar) showPosition(position time.Duration) {
	a := b.player
	at := clockText(position)
	if a.State.Length > 0 {
		at = lang.L("{{.Position}} of {{.Length}}", map[string]any{"Position": at, "Length": clockText(a.State.Length)})
	}
	b.Position.SetText(lang.L("{{.Time}} · {{.Title}}", map[string]any{"Time": at, "Title": a.Playing.Title}))
}
