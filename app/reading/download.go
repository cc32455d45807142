package reading

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
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/atomicfile"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
)

// SaveFile asks where to save a file and downloads it. Where one is that can be played is remembered.
func (p *Pane) SaveFile(address string) *dialogs.Save {
	feed, saved := p.Pictures.shown().Feed, func(string) {}
	all := p.Playables()
	if i := slices.IndexFunc(all, func(one reader.Playable) bool { return one.URL == address }); i >= 0 {
		saved = func(name string) { p.remember(all[i], name) }
	}
	return p.shell.Dialogs.SaveFile(lang.L("Save file"), fileName(address, "file"), nil, nil, func(name string) { startDownload(p.shell, feed, address, name, saved) })
}

// remember stores that a file was saved under a name.
func (p *Pane) remember(one reader.Playable, name string) {
	p.shell.Work(func(ctx context.Context) error {
		path, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		return p.shell.Home.Marks.SetSaved(ctx, one.Article, one.URL, path)
	}, func(err error) {
		if err != nil {
			p.shell.Fail(err)
			return
		}
		p.reloadFiles(one.Article)
	})
}

// download is a download under way, with a row of its own in the status bar.
type download struct {
	shell    *shell.Shell
	name     string // of the file
	progress poller.Progress
	label    *widget.Label
	row      *fyne.Container
	ended    bool
}

// progressEvery is how often the status bar shows the progress.
const progressEvery = 500 * time.Millisecond

// startDownload downloads what lies at an address into a file, whole or not at all. It may take hours; a button cancels it.
// saved is called with the name once it is there.
func startDownload(sh *shell.Shell, feed int64, address, name string, saved func(name string)) {
	ctx, cancel := context.WithCancel(sh.Ctx)
	d := &download{shell: sh, name: name, label: widget.NewLabel("")}
	d.label.SizeName = theme.SizeNameCaptionText
	stop := widgets.NewButton(lang.L("Cancel"), cancel)
	stop.Importance = widget.LowImportance
	d.row = widgets.NewProgressRow(d.label, stop)
	sh.ShowProgress(d.row)
	d.showProgress()
	sh.Go(func() {
		defer cancel()
		err := atomicfile.WriteFrom(name, func(to io.Writer) error {
			return sh.Home.Poller.Download(ctx, feed, address, to, &d.progress)
		})
		if canceled := ctx.Err() != nil; sh.Ctx.Err() == nil {
			sh.Do(func() {
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
	if d.ended || d.shell.Ctx.Err() != nil {
		return
	}
	come, length := d.progress.Bytes()
	progress := language.Printer().Size(come)
	if length > 0 {
		progress = fmt.Sprintf("%s / %s, %d %%", progress, language.Printer().Size(length), 100*come/length)
	}
	d.label.SetText(lang.L("Saving {{.File}}: {{.Progress}}",
		map[string]any{"File": text.CutMiddle(filepath.Base(d.name), 32), "Progress": progress}))
	time.AfterFunc(progressEvery, func() { d.shell.Do(d.showProgress) })
}

func (d *download) end(canceled bool, err error) {
	d.ended = true
	d.shell.HideProgress(d.row)
	var fe *fetch.Error
	switch {
	case err == nil:
		d.shell.Say(lang.L("Saved as {{.File}}", map[string]any{"File": d.name}))
	case canceled:
		d.shell.Say(lang.L("Download canceled; nothing was saved."))
	case errors.As(err, &fe) && fe.Code == fetch.Unwritable:
		d.shell.Say(language.Printer().Sentences(lang.L("Nothing was saved."), language.Error(&fs.PathError{Op: "write", Path: d.name, Err: fe.Err})))
	default:
		d.shell.Fail(err)
	}
}
