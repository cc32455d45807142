package reading

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/language"
	"kairos/app/player"
	"kairos/app/shell"
	"kairos/reader"
)

// mediaPlayer plays files of articles, and keeps how far they were played. A file that has ended is followed by the queue.
type mediaPlayer struct {
	shell   *shell.Shell
	changed func(article int64) // what was played of an article's files, or is, is something else now
	Mpv     string              // the player, "" if it is not installed
	Open    func(string) bool   // opens a file of the web in another program; it reports whether that worked
	// openSaved does the same with a file that the user saved.
	OpenSaved func(path string) bool
	Playing   reader.Playable // what is playing; its URL is "" if nothing is
	State     player.State    // how far it is
	Bar       *playerBar
	control   *player.Control
	next      *playOrder // what is to be played in its place
}

// playOrder is what is to be played, and from where, resume for where it was left.
type playOrder struct {
	one  reader.Playable
	from time.Duration
}

// resume is a position: where it was left.
const resume = -1

// storeEvery is how much more must have been played until it is stored again.
const storeEvery = 10 * time.Second

func newPlayer(sh *shell.Shell, buttons shell.Commands, changed func(article int64)) *mediaPlayer {
	a := &mediaPlayer{shell: sh, changed: changed, Mpv: player.Find(), Open: sh.OpenLink, OpenSaved: sh.OpenPath}
	a.Bar = newPlayerBar(a, buttons)
	return a
}

// save stores what was played of a file.
func (a *mediaPlayer) save(ctx context.Context, one reader.Playable) error {
	return a.shell.Home.Marks.SetPlayback(ctx, one.Article, one.URL, one.Playback)
}

// Play plays a file, or the copy that the user saved of it, from where it was left.
func (a *mediaPlayer) Play(one reader.Playable) { a.play(playOrder{one, resume}) }

// PlayFrom plays a file from a position on: at once if it plays already.
func (a *mediaPlayer) PlayFrom(one reader.Playable, from time.Duration) {
	if a.isPlaying(one.Article, one.URL) {
		a.control.Seek(from)
		a.control.Pause(false)
		return
	}
	a.play(playOrder{one, from})
}

// isPlaying reports whether a file is the one that plays, or is paused.
func (a *mediaPlayer) isPlaying(article int64, url string) bool {
	return a.Playing.URL != "" && a.Playing.Article == article && a.Playing.URL == url
}

// TogglePause pauses what plays, or goes on with it.
func (a *mediaPlayer) TogglePause() {
	if a.Playing.URL != "" {
		a.control.Pause(!a.State.Paused)
	}
}

// Stop stops what plays.
func (a *mediaPlayer) Stop() {
	if a.Playing.URL == "" {
		a.shell.Say(lang.L("Nothing is playing."))
		return
	}
	a.next = nil
	a.control.Stop()
}

// play plays a file in the place of the one that plays. Without the player it is opened like any link, and nothing is known of it.
func (a *mediaPlayer) play(order playOrder) {
	one := order.one
	switch {
	case a.Mpv == "":
		a.openElsewhere(one, order.from)
		return
	case a.Playing.URL != "":
		a.next = &order
		a.control.Stop()
		return
	}
	from := order.from
	if from == resume {
		if from = one.Position; one.Heard {
			from = 0
		}
	}
	again := one.Heard
	one.Heard = false
	control := &player.Control{}
	if speed := a.chosenSpeed(one.Feed); speed > 0 {
		control.SetSpeed(speed)
	}
	if volume := a.shell.Preferences.Float(prefVolume); volume > 0 {
		control.SetVolume(volume)
	}
	a.Playing, a.control, a.State = one, control, player.State{Position: from, Length: one.Length}
	a.shell.NoteRead(one.Article)
	a.shell.Say(lang.L("Playing: {{.Title}}", map[string]any{"Title": one.Title}))
	a.Bar.update()
	if !again {
		a.changed(one.Article)
	}
	go a.run(one, from, again, control)
}

// run plays a file until that ends. It runs beside the window and stores how far it is, and that a file is not heard that is played
// again; what was played is stored although the window closes.
func (a *mediaPlayer) run(one reader.Playable, from time.Duration, again bool, control *player.Control) {
	ctx := context.WithoutCancel(a.shell.Ctx)
	place := fromStart{from: from, kept: one.Position}
	var following *reader.Playable // when it has ended
	store := func(s player.State) error {
		queue, err := a.shell.Home.Store.Articles.Queue(ctx) // it may have come in or left since
		if err != nil {
			return err
		}
		at := slices.IndexFunc(queue, func(other reader.Playable) bool { return other.Article == one.Article && other.URL == one.URL })
		one.Position, one.Length, one.Queued = place.position(s), s.Length, at >= 0
		if s.Ended {
			following = afterInQueue(queue, at)
			one.Position, one.Heard, one.Queued = 0, true, false
		}
		return a.save(ctx, one)
	}
	do := func(f func()) {
		if a.shell.Ctx.Err() == nil {
			a.shell.Do(f)
		}
	}
	failed := false // storing has failed, which is said once
	tryStore := func(s player.State) {
		if err := store(s); err != nil && !failed {
			failed = true
			do(func() { a.sayNotStored(one.Title, err) })
		}
	}
	if again {
		tryStore(player.State{Position: from, Length: one.Length})
		do(func() { a.changed(one.Article) })
	}
	stored := from
	tell := func(s player.State) {
		if place.begins(s) {
			do(func() { a.sayFromStart(one.Title, place.kept) })
		}
		if (s.Position - stored).Abs() >= storeEvery {
			stored = s.Position
			tryStore(s)
		}
		do(func() { a.told(control, s) })
	}
	var state player.State
	var err error
	if isFile(one.Saved) {
		state, err = player.PlayFile(a.Mpv, one.Saved, one.Title, from, control, tell)
	} else {
		state, err = player.Play(a.Mpv, one.URL, one.Title, from, control, tell)
	}
	var notStored error
	if err == nil {
		if notStored = store(state); notStored != nil {
			following = nil // which may not be storable either
		}
	}
	do(func() {
		a.played(one, state.Ended && notStored == nil, following, err)
		if notStored != nil {
			a.sayNotStored(one.Title, notStored)
		}
	})
}

// sayNotStored tells that what was played of a file will not be known later.
func (a *mediaPlayer) sayNotStored(title string, err error) {
	a.shell.Say(language.Printer().Sentences(lang.L("How far “{{.Title}}” was played could not be stored.", map[string]any{"Title": title}), language.Error(err)))
}

// sayFromStart tells that a file does not go on where it was left.
func (a *mediaPlayer) sayFromStart(title string, left time.Duration) {
	said, stopped := lang.L("“{{.Title}}” plays from its beginning: its server cannot start later.", map[string]any{"Title": title}), ""
	if left > 0 {
		stopped = lang.L("You had stopped at {{.Time}}.", map[string]any{"Time": clockText(left)})
	}
	a.shell.Say(language.Printer().Sentences(said, stopped))
}

// told shows how far what plays is.
func (a *mediaPlayer) told(control *player.Control, s player.State) {
	if a.control != control || a.Playing.URL == "" {
		return
	}
	if s.Length == 0 { // not known yet
		s.Length = a.State.Length
	}
	paused := a.State.Paused
	a.State = s
	a.Bar.update()
	if s.Paused != paused {
		a.changed(a.Playing.Article)
	}
}

// openElsewhere opens a file in the program that the desktop has for it. A browser obeys the position in an address (Media Fragments
// URI 1.0, section 4.2.1).
func (a *mediaPlayer) openElsewhere(one reader.Playable, from time.Duration) {
	opened := false
	switch {
	case IsMedia(one.Saved):
		opened = a.OpenSaved(one.Saved)
	case from > 0:
		opened = a.Open(article.TimeLink(one.URL, from))
	default:
		opened = a.Open(one.URL)
	}
	if opened {
		a.shell.NoteRead(one.Article)
		a.shell.Say(lang.L("Install mpv so that Kairos remembers where you stopped."))
	} else {
		a.shell.Say(lang.L("Nothing was found that plays this. Install mpv or a web browser."))
	}
}

// afterInQueue returns what follows the file at an index of the queue, -1 for one that is not in it: after the last comes the first, so
// that the queue is played whole. It returns nil if there is no other.
func afterInQueue(queue []reader.Playable, at int) *reader.Playable {
	next := (at + 1) % max(len(queue), 1)
	if next == at || len(queue) == 0 {
		return nil
	}
	return &queue[next]
}

// played tells how playing ended, and goes on with what the user chose meanwhile, or else with what follows in the queue.
func (a *mediaPlayer) played(one reader.Playable, ended bool, following *reader.Playable, err error) {
	next := a.next
	a.Playing, a.control, a.next = reader.Playable{}, nil, nil
	a.Bar.update()
	a.changed(one.Article)
	switch {
	case err != nil:
		a.failed(one, err)
	case next != nil:
		a.play(*next)
	case following != nil:
		a.Play(*following)
	case ended:
		a.shell.Say(lang.L("Heard: {{.Title}}", map[string]any{"Title": one.Title}))
	default:
		a.shell.Say(lang.L("Stopped at {{.Time}}: {{.Title}}", map[string]any{"Time": clockText(one.Position), "Title": one.Title}))
	}
}

// failed tells why a file was not played. What the player cannot play a browser may, or it shows what stands there instead.
func (a *mediaPlayer) failed(one reader.Playable, err error) {
	told := lang.L("{{.Service}}: {{.Why}}", map[string]any{"Service": one.Title, "Why": language.Error(err)})
	if !errors.As(err, new(*player.Error)) {
		a.shell.Say(told)
		return
	}
	a.shell.Offer(told, lang.L("Open in browser"), func() { a.Open(one.URL) })
}

// PlayQueue plays the files of the queue, one after the other.
func (a *mediaPlayer) PlayQueue() {
	var queue []reader.Playable
	a.shell.Work(func(ctx context.Context) (err error) {
		queue, err = a.shell.Home.Store.Articles.Queue(ctx)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			a.shell.Fail(err)
		case len(queue) == 0:
			a.shell.Say(lang.L("The queue is empty. Press Q on an article with audio or video to add it."))
		default:
			a.Play(queue[0])
		}
	})
}

// toggleHeard marks a file as heard or not.
func (a *mediaPlayer) toggleHeard(one reader.Playable) {
	before := one
	one.Heard, one.Position = !one.Heard, 0
	if one.Heard {
		one.Queued = false
	}
	text := lang.L("Marked as not heard: {{.Title}}", map[string]any{"Title": one.Title})
	if one.Heard {
		text = lang.L("Marked as heard: {{.Title}}", map[string]any{"Title": one.Title})
	}
	a.change(before, one, text)
}

// Unqueue takes the files of articles out of the queue.
func (a *mediaPlayer) Unqueue(articles []int64) {
	var queued []reader.Playable
	a.shell.Work(func(ctx context.Context) error {
		queue, err := a.shell.Home.Store.Articles.Queue(ctx)
		queued = slices.DeleteFunc(queue, func(one reader.Playable) bool { return !slices.Contains(articles, one.Article) })
		return err
	}, func(err error) {
		if err != nil {
			a.shell.Fail(err)
			return
		}
		for _, one := range queued {
			a.toggleQueued(one)
		}
	})
}

// toggleQueued puts a file at the end of the queue or takes it out.
func (a *mediaPlayer) toggleQueued(one reader.Playable) {
	before := one
	one.Queued = !one.Queued
	text := lang.L("Removed from the queue: {{.Title}}", map[string]any{"Title": one.Title})
	if one.Queued {
		text = lang.L("Added to the queue: {{.Title}}", map[string]any{"Title": one.Title})
	}
	a.change(before, one, text)
}

// change stores what is said of a file, which can be undone.
func (a *mediaPlayer) change(before, after reader.Playable, text string) {
	a.shell.Work(func(ctx context.Context) error { return a.save(ctx, after) }, func(err error) {
		if err != nil {
			a.shell.Fail(err)
			return
		}
		a.changed(after.Article)
		save := func(one reader.Playable) func(ctx context.Context) error {
			return func(ctx context.Context) error {
				err := a.save(ctx, one)
				a.shell.Do(func() { a.changed(one.Article) })
				return err
			}
		}
		a.shell.AddUndoRedo(text, save(before), save(after))
	})
}

// The actions of a file that can be played.
const (
	ActionPlay  = "resume"
	ActionQueue = "queue"
	ActionHeard = "heard"
	actionShow  = "show"
	actionStop  = "stop"
)

// nowPlaying is what plays of the files of an article; the zero value if nothing does.
type nowPlaying struct {
	url    string
	paused bool
}

// of tells what plays of the files of an article.
func (a *mediaPlayer) of(id int64) nowPlaying {
	if a.Playing.Article != id {
		return nowPlaying{}
	}
	return nowPlaying{a.Playing.URL, a.State.Paused}
}

// playActions are the actions of a file that was played as p says, and what is told about that.
func playActions(p reader.Playback, plays, paused bool) (actions []article.FileAction, details string) {
	play, queue, heard := lang.L("Play"), lang.L("Add to queue"), lang.L("Mark as heard")
	switch {
	case p.Heard:
		heard, details = lang.L("Mark as not heard"), lang.L("heard")
	case p.Position > 0:
		play = lang.L("Resume at {{.Time}}", map[string]any{"Time": clockText(p.Position)})
	}
	if p.Queued {
		queue = lang.L("Remove from queue")
	}
	if plays {
		play = pauseText(paused)
	}
	actions = []article.FileAction{{Name: ActionPlay, Text: play}, {Name: ActionQueue, Text: queue}, {Name: ActionHeard, Text: heard}}
	if plays {
		actions = slices.Insert(actions, 1, article.FileAction{Name: actionStop, Text: lang.L("Stop")})
	}
	if p.Saved != "" {
		actions = append(actions, article.FileAction{Name: actionShow, Text: lang.L("Show in folder")})
		saved := lang.L("saved as {{.File}}", map[string]any{"File": p.Saved})
		if details != "" {
			saved = details + " · " + saved
		}
		details = saved
	}
	return actions, details
}

// clockText writes a position as clocks of players do: 1:02:03.
func clockText(d time.Duration) string {
	s := int(d.Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// perform does one of the actions of a file.
func (a *mediaPlayer) perform(action string, one reader.Playable) {
	switch action {
	case ActionPlay:
		if a.isPlaying(one.Article, one.URL) {
			a.TogglePause()
			return
		}
		a.Play(one)
	case actionStop:
		a.Stop()
	case ActionQueue:
		a.toggleQueued(one)
	case ActionHeard:
		a.toggleHeard(one)
	case actionShow:
		a.shell.OpenPath(filepath.Dir(one.Saved))
	}
}

// Playables are the files of the article shown that can be played.
func (p *Pane) Playables() (all []reader.Playable) {
	if p.session.Shown == nil {
		return nil
	}
	for _, f := range p.files {
		if plays(f) {
			all = append(all, reader.Playable{Article: p.session.Shown.ID, Feed: p.session.Shown.Feed, URL: f.URL, Title: p.session.Shown.Title, Playback: p.Played[f.URL]})
		}
	}
	return all
}

// fileAction does something with a file of the article shown, or with its chapters.
func (p *Pane) fileAction(action, url string) {
	p.shell.Used()
	var from time.Duration
	switch action {
	case actionChapters:
		p.askChapters(url)
		return
	case article.ActionFrom: // in others a time is of the address itself
		url, from = article.CutTime(url)
	}
	all := p.Playables()
	switch i := slices.IndexFunc(all, func(one reader.Playable) bool { return one.URL == url }); {
	case i < 0:
	case action == article.ActionFrom:
		p.Player.PlayFrom(all[i], from)
	default:
		p.Player.perform(action, all[i])
	}
}

// FirstFileAction does something with the first file that can be played. What plays can be paused from any article without one.
func (p *Pane) FirstFileAction(action string) {
	all := p.Playables()
	if len(all) == 0 && action == ActionPlay && p.Player.Playing.URL != "" {
		p.Player.TogglePause()
		return
	}
	if len(all) == 0 {
		p.shell.Say(lang.L("This article has nothing to play."))
		return
	}
	p.Player.perform(action, all[0])
}

// playbacks returns what was played of the files of an article, with the saved copies that are still there.
func (p *Pane) playbacks(ctx context.Context, id int64) (map[string]reader.Playback, error) {
	played, err := p.shell.Home.Store.Articles.Playbacks(ctx, id)
	for url, one := range played {
		if one.Saved != "" && !isFile(one.Saved) {
			one.Saved = ""
			played[url] = one
		}
	}
	return played, err
}

// isFile reports whether a file is there.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// IsMedia reports whether a file is there and named like one that plays: one named otherwise could be a program.
func IsMedia(path string) bool {
	return isFile(path) && plays(reader.Enclosure{URL: (&url.URL{Path: filepath.ToSlash(path)}).String()})
}

// reloadFiles shows what was played of the files of an article where that is shown: alone, or anywhere in the stream.
func (p *Pane) reloadFiles(id int64) {
	if !p.session.IsShown(id) && !p.Stream.holds(id) {
		return
	}
	var played map[string]reader.Playback
	p.shell.Work(func(ctx context.Context) (err error) {
		played, err = p.playbacks(ctx, id)
		return err
	}, func(err error) {
		if err != nil {
			return
		}
		if p.session.IsShown(id) {
			p.Played = played
			if !p.Stream.holds(id) {
				p.View.SetFiles(filesOf(p.files, played, p.Player.of(id)))
			}
		}
		p.Stream.setPlayed(id, played)
	})
}
