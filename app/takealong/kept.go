package takealong

import (
	"context"
	"database/sql"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
)

// Kept offers to open the pages that the user wanted to open while there was no network, once there is one. It belongs to the
// window's goroutine.
type Kept struct {
	Shell *shell.Shell

	looked bool            // since there is a network
	row    *fyne.Container // the offer in the status bar; nil: none
}

// SetOffline tells whether there is a network.
func (k *Kept) SetOffline(offline bool) {
	if offline {
		k.looked = false
		k.hide()
		return
	}
	if k.looked {
		return
	}
	k.looked = true
	k.load(func(links []string) {
		if len(links) > 0 && k.looked {
			k.offer(links)
		}
	})
}

// Open opens the pages that were kept. Without a network they stay kept: the browser would show an error.
func (k *Kept) Open() {
	k.load(func(links []string) {
		switch {
		case len(links) == 0:
			k.Shell.Say(lang.L("No pages are kept for later."))
		case k.Shell.Home.Poller.NoNetwork():
			k.Shell.Say(lang.N("There is still no network. {{.PluralCount}} pages stay kept for later.", len(links)))
		default:
			k.open(links)
		}
	})
}

func (k *Kept) load(show func(links []string)) {
	var links []string
	k.Shell.Work(func(ctx context.Context) (err error) {
		links, err = k.Shell.Home.Store.Articles.KeptLinks(ctx)
		return err
	}, func(err error) {
		if err != nil {
			k.Shell.Fail(err)
			return
		}
		show(links)
	})
}

func (k *Kept) offer(links []string) {
	k.hide()
	label := widget.NewLabel(lang.N("{{.PluralCount}} pages waited for a network", len(links)))
	label.SizeName = theme.SizeNameCaptionText
	open := widgets.NewButton(lang.L("Open"), func() { k.open(links) })
	drop := widgets.NewButton(lang.L("Discard"), func() { k.discard(links) })
	open.Importance, drop.Importance = widget.LowImportance, widget.LowImportance
	k.row = widgets.NewProgressRow(label, open, drop)
	k.Shell.ShowProgress(k.row)
}

func (k *Kept) hide() {
	if k.row != nil {
		k.Shell.HideProgress(k.row)
		k.row = nil
	}
}

// open opens pages, and forgets those that the browser took.
func (k *Kept) open(links []string) {
	k.hide()
	var opened []string
	for _, link := range links {
		if !k.Shell.OpenNow(link) {
			break
		}
		opened = append(opened, link)
	}
	k.Shell.Work(k.drop(opened), func(err error) {
		if err != nil {
			k.Shell.Fail(err)
		}
	})
}

// drop forgets pages that were kept.
func (k *Kept) drop(links []string) func(context.Context) error {
	return func(ctx context.Context) error {
		return k.Shell.Home.Store.WriteAside(ctx, func(tx *sql.Tx) error { return reader.DropLinks(ctx, tx, links...) })
	}
}

// discard forgets pages that the user does not want to open any more.
func (k *Kept) discard(links []string) {
	k.hide()
	keep := func(ctx context.Context) error {
		return k.Shell.Home.Store.WriteAside(ctx, func(tx *sql.Tx) error {
			for _, link := range links {
				if err := reader.KeepLink(ctx, tx, link, k.Shell.Now()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	k.Shell.Work(k.drop(links), func(err error) {
		if err != nil {
			k.Shell.Fail(err)
			return
		}
		k.Shell.AddUndoRedo(lang.N("{{.PluralCount}} pages are not kept any more.", len(links)), keep, k.drop(links))
	})
}
