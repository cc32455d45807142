package reading

import (
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
)

// How far the buttons and keys go back and forward.
const (
	skipBack    = -15 * time.Second
	skipForward = 30 * time.Second
)

// speeds are those to choose from.
var speeds = []float64{0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2}

// prefSpeed is the preference that holds how fast files are played; 0 if the user has not chosen, so that mpv's own setting holds.
const prefSpeed = "player.speed"

// SkipBack goes back a little in what plays.
func (a *mediaPlayer) SkipBack() { a.skip(skipBack) }

// SkipForward goes forward a little in what plays.
func (a *mediaPlayer) SkipForward() { a.skip(skipForward) }

func (a *mediaPlayer) skip(by time.Duration) {
	if a.Playing.URL == "" {
		a.shell.Say(lang.L("Nothing is playing."))
		return
	}
	a.control.Skip(by)
}

// seek goes to a position of what plays.
func (a *mediaPlayer) seek(to time.Duration) {
	if a.Playing.URL != "" {
		a.State.Position = to // until the player says so
		a.control.Seek(to)
	}
}

// Speed is how fast files are played; 1 is as they were recorded.
func (a *mediaPlayer) Speed() float64 {
	if a.Playing.URL != "" && a.State.Speed > 0 {
		return a.State.Speed
	}
	if speed := a.shell.Preferences.Float(prefSpeed); speed > 0 {
		return speed
	}
	return 1
}

// Faster plays a step faster.
func (a *mediaPlayer) Faster() { a.setSpeed(nextSpeed(a.Speed(), 1)) }

// Slower plays a step slower.
func (a *mediaPlayer) Slower() { a.setSpeed(nextSpeed(a.Speed(), -1)) }

// nextSpeed returns the next of speeds that is higher, or lower if direction is negative; speed itself if there is none. mpv has others, too.
func nextSpeed(speed, direction float64) float64 {
	const same = 0.005
	next := speed
	for _, s := range speeds {
		if ahead := (s - speed) * direction; ahead > same && (next == speed || ahead < (next-speed)*direction) {
			next = s
		}
	}
	return next
}

// UsualSpeed plays as it was recorded.
func (a *mediaPlayer) UsualSpeed() { a.setSpeed(1) }

// setSpeed sets how fast what plays is played, and all that is played after it.
func (a *mediaPlayer) setSpeed(speed float64) {
	a.shell.Preferences.SetFloat(prefSpeed, speed)
	if a.Playing.URL != "" {
		a.State.Speed = speed
		a.control.SetSpeed(speed)
		a.Bar.update()
	}
	a.saySpeed()
}

func (a *mediaPlayer) saySpeed() {
	a.shell.Say(lang.L("Playback speed: {{.Speed}}", map[string]any{"Speed": language.Printer().Speed(a.Speed())}))
}
