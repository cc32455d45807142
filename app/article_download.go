package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/article"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
)

// articleFiles are the files that come with an article, as they are read.
func articleFiles(files []reader.Enclosure) []article.File {
	out := make([]article.File, 0, len(files))
	for _, f := range files {
		file := article.File{URL: f.URL, Name: fileName(f.URL, f.URL), Details: fileKind(f), Plays: plays(f)}
		if f.Length > 0 {
			file.Details += " · " + language.Printer().Size(f.Length)
		}
		out = append(out, file)
	}
	return out
}

// family is the first part of a media type, which is guessed from the address where the feed does not say it.
func family(f reader.Enclosure) string {
	if first, _ := path.Split(f.Type); first != "" && first != "application/" {
		return first
	}
	u, err := url.Parse(f.URL)
	if err != nil {
		return ""
	}
	switch path.Ext(u.Path) {
	case ".mp3", ".m4a", ".m4b", ".ogg", ".oga", ".opus", ".aac", ".flac", ".wav":
		return "audio/"
	case ".mp4", ".m4v", ".webm", ".mov", ".mkv", ".ogv", ".avi":
		return "video/"
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif":
		return "image/"
	}
	return ""
}

func plays(f reader.Enclosure) bool { return family(f) == "audio/" || family(f) == "video/" }

func fileKind(f reader.Enclosure) string {
	switch family(f) {
	case "audio/":
		return lang.L("sound")
	case "video/":
		return lang.L("film")
	case "image/":
		return lang.L("picture")
	}
	if f.Type != "" {
		return f.Type
	}
	return lang.L("file")
}

// saveFile asks where a file is to be kept and downloads it.
func (w *window) saveFile(address string) *saving {
	feed := int64(0)
	if a := w.reading.shown; a != nil {
		feed = a.Feed
	}
	return w.saveDialog(lang.L("Save file"), fileName(address, "file"), nil, nil, func(name string) { w.download(feed, address, name) })
}

// download is one that is under way, with a place of its own in the status line.
type download struct {
	w        *window
	name     string // of the file
	progress poller.Progress
	label    *widget.Label
	row      *fyne.Container
	over     bool
}

// progressEvery is how often the status line follows a download.
const progressEvery = 500 * time.Millisecond

// download writes what lies at an address into a file, whole or not at all. It may take hours; the button beside its
// progress ends it.
func (w *window) download(feed int64, address, name string) {
	ctx, cancel := context.WithCancel(w.Ctx)
	d := &download{w: w, name: name, label: widget.NewLabel("")}
	d.label.SizeName = theme.SizeNameCaptionText
	stop := widget.NewButton(lang.L("Cancel"), cancel)
	stop.Importance = widget.LowImportance
	d.row = container.NewHBox(d.label, stop)
	w.status.downloads.Add(d.row)
	d.follow()
	w.Go(func() {
		defer cancel()
		err := home.WriteStream(name, func(to io.Writer) error {
			return w.home.Poller.Download(ctx, feed, address, to, &d.progress)
		})
		if cancelled := ctx.Err() != nil; w.Ctx.Err() == nil {
			w.Do(func() { d.end(cancelled, err) })
		}
	})
}

// follow says how far it has come, until it is over.
func (d *download) follow() {
	if d.over || d.w.Ctx.Err() != nil {
		return
	}
	come, length := d.progress.Bytes()
	text := language.Printer().Size(come)
	if length > 0 {
		text = fmt.Sprintf("%s / %s, %d %%", text, language.Printer().Size(length), 100*come/length)
	}
	d.label.SetText(lang.L("Saving {{.File}}: {{.Progress}}",
		map[string]any{"File": shortName(filepath.Base(d.name)), "Progress": text}))
	time.AfterFunc(progressEvery, func() { d.w.Do(d.follow) })
}

func (d *download) end(cancelled bool, err error) {
	d.over = true
	d.w.status.downloads.Remove(d.row)
	var fe *fetch.Error
	switch {
	case err == nil:
		d.w.say(lang.L("Saved as {{.File}}", map[string]any{"File": d.name}))
	case cancelled:
		d.w.say(lang.L("Nothing was saved: the download was cancelled."))
	case errors.As(err, &fe) && fe.Code == fetch.Unwritable:
		d.w.say(errorText(fmt.Errorf("nothing was saved: %w", fe.Err)))
	default:
		d.w.say(errorText(err))
	}
}

// shortName leaves the middle of a long name out.
func shortName(name string) string {
	const most = 32
	runes := []rune(name)
	if len(runes) <= most {
		return name
	}
	return string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2:])
}
