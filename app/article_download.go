package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/atomicfile"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
)

// saveFile asks where to save a file and downloads it. Where one is that can be played is remembered.
func (p *articlePane) saveFile(address string) *dialogs.Save {
	feed, saved := p.pictures.feed(), func(string) {}
	all := p.playables()
	if i := slices.IndexFunc(all, func(one reader.Playable) bool { return one.URL == address }); i >= 0 {
		saved = func(name string) { p.remember(all[i], name) }
	}
	return p.dialogs.SaveFile(lang.L("Save file"), fileName(address, "file"), nil, nil, func(name string) { p.download(feed, address, name, saved) })
}

// remember stores that a file was saved under a name.
func (p *articlePane) remember(one reader.Playable, name string) {
	p.Work(func(ctx context.Context) error {
		path, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		return p.home.Marks.SetSaved(ctx, one.Article, one.URL, path)
	}, func(err error) {
		if err != nil {
			p.say(errorText(err))
			return
		}
		p.reloadFiles(one.Article)
	})
}

// download is a download under way, with a row of its own in the status bar.
type download struct {
	*env
	name     string // of the file
	progress poller.Progress
	label    *widget.Label
	row      *fyne.Container
	ended    bool
}

// progressEvery is how often the status bar shows the progress.
const progressEvery = 500 * time.Millisecond

// download downloads what lies at an address into a file, whole or not at all. It may take hours; a button cancels it.
// saved is called with the name once it is there.
func (e *env) download(feed int64, address, name string, saved func(name string)) {
	ctx, cancel := context.WithCancel(e.Ctx)
	d := &download{env: e, name: name, label: widget.NewLabel("")}
	d.label.SizeName = theme.SizeNameCaptionText
	stop := widgets.NewButton(lang.L("Cancel"), cancel)
	stop.Importance = widget.LowImportance
	d.row = container.NewHBox(d.label, stop)
	e.status.downloads.Add(d.row)
	e.status.line.Refresh()
	d.showProgress()
	e.Go(func() {
		defer cancel()
		err := atomicfile.WriteFrom(name, func(to io.Writer) error {
			return e.home.Poller.Download(ctx, feed, address, to, &d.progress)
		})
		if canceled := ctx.Err() != nil; e.Ctx.Err() == nil {
			e.Do(func() {
				d.end(canceled, err)
				if err == nil {
					saved(name)
				}
			})
		}
	})
}

// showProgress shows how much has come, until the download has ended.
func (d *download) showProgress() {
	if d.ended || d.Ctx.Err() != nil {
		return
	}
	come, length := d.progress.Bytes()
	text := language.Printer().Size(come)
	if length > 0 {
		text = fmt.Sprintf("%s / %s, %d %%", text, language.Printer().Size(length), 100*come/length)
	}
	d.label.SetText(lang.L("Saving {{.File}}: {{.Progress}}",
		map[string]any{"File": shortName(filepath.Base(d.name)), "Progress": text}))
	time.AfterFunc(progressEvery, func() { d.Do(d.showProgress) })
}

func (d *download) end(canceled bool, err error) {
	d.ended = true
	d.status.downloads.Remove(d.row)
	d.status.line.Refresh()
	var fe *fetch.Error
	switch {
	case err == nil:
		d.say(lang.L("Saved as {{.File}}", map[string]any{"File": d.name}))
	case canceled:
		d.say(lang.L("Download canceled; nothing was saved."))
	case errors.As(err, &fe) && fe.Code == fetch.Unwritable:
		d.say(language.Printer().Sentences(lang.L("Nothing was saved."), errorText(&fs.PathError{Op: "write", Path: d.name, Err: fe.Err})))
	default:
		d.say(errorText(err))
	}
}

// shortName cuts the middle out of a long name.
func shortName(name string) string {
	const most = 32
	runes := []rune(name)
	if len(runes) <= most {
		return name
	}
	return string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2:])
}
