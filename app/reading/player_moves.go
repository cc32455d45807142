package reading

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/player"
)

// How far the buttons and keys go back and forward.
const (
	skipBack    = -15 * time.Second
	skipForward = 30 * time.Second
)

// speeds are those to choose from.
var speeds = []float64{0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2}

// prefSpeed is the preference that holds the speed that was chosen last; 0 if none was, so that mpv's own setting holds. speedOf is
// that for the files of a feed.
const prefSpeed = "player.speed"

func speedOf(feed int64) string { return fmt.Sprint(prefSpeed, ".", feed) }

// chosenSpeed is how fast files of a feed are to be played; 0 if the user has not chosen.
func (a *mediaPlayer) chosenSpeed(feed int64) float64 {
	return cmp.Or(a.shell.Preferences.Float(speedOf(feed)), a.shell.Preferences.Float(prefSpeed))
}

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
	return cmp.Or(a.chosenSpeed(a.Playing.Feed), 1)
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

// setSpeed sets how fast what plays is played, with all of its feed, and what is played after it of feeds for which no speed was chosen.
func (a *mediaPlayer) setSpeed(speed float64) {
	a.shell.Preferences.SetFloat(prefSpeed, speed)
	if a.Playing.URL != "" {
		a.shell.Preferences.SetFloat(speedOf(a.Playing.Feed), speed)
		a.State.Speed = speed
		a.control.SetSpeed(speed)
		a.Bar.update()
	}
	a.saySpeed()
}

func (a *mediaPlayer) saySpeed() {
	a.shell.Say(lang.L("Playback speed: {{.Speed}}", map[string]any{"Speed": language.Printer().Speed(a.Speed())}))
}

// prefVolume is the preference that holds how loud files are played, in percent; 0 if the user has not chosen, so that mpv's own
// setting holds.
const prefVolume = "player.volume"

// The volume in percent: by how much a key changes it, and between what. mpv makes what was recorded too quietly a little louder.
const (
	volumeStep    = 5
	leastVolume   = 5
	highestVolume = 130
)

// Louder plays a step louder.
func (a *mediaPlayer) Louder() { a.setVolume(a.Volume() + volumeStep) }

// Quieter plays a step more quietly.
func (a *mediaPlayer) Quieter() { a.setVolume(a.Volume() - volumeStep) }

// Volume is how loud files are played, in percent.
func (a *mediaPlayer) Volume() float64 {
	if a.Playing.URL != "" && a.State.Volume > 0 {
		return a.State.Volume
	}
	return cmp.Or(a.shell.Preferences.Float(prefVolume), 100)
}

// setVolume sets how loud what plays is played, and all that is played after it.
func (a *mediaPlayer) setVolume(percent float64) {
	percent = min(max(math.Round(percent/volumeStep)*volumeStep, leastVolume), highestVolume)
	a.shell.Preferences.SetFloat(prefVolume, percent)
	if a.Playing.URL != "" {
		a.State.Volume = percent
		a.control.SetVolume(percent)
	}
	a.shell.Say(lang.L("Volume: {{.Percent}}", map[string]any{"Percent": language.Printer().Percent(percent / 100)}))
}

// fromStart notices that a file that was to go on from somewhere plays from its beginning, as from a server without byte ranges.
// Where it was left stays stored then until as much was played.
type fromStart struct {
	from, kept time.Duration
	known, is  bool
}

// startsNear is how far before the place that was asked for a player may start: some files can be entered at few places only.
const startsNear = 30 * time.Second

// begins reports, once, whether the file plays from its beginning instead.
func (f *fromStart) begins(s player.State) bool {
	if f.known || s.Position == f.from {
		return false
	}
	f.known, f.is = true, s.Position < f.from-startsNear
	return f.is
}

// position is what to store of a file that was played so far.
func (f *fromStart) position(s player.State) time.Duration {
	if f.is && s.Position < f.kept {
		return f.kept
	}
	return s.Position
}
