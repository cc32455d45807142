package settings

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller/fetch"
)

// OfferTrust asks, where something failed for a certificate that is not valid, whether to trust this one certificate, and then tries
// again; fail is called if the answer is not stored. It reports whether it asks.
func OfferTrust(jobs *async.Jobs, d *dialogs.Stack, h *home.Home, err error, fail func(error), again func()) bool {
	refused, ok := home.RefusedCertificate(err)
	if !ok {
		return false
	}
	named := map[string]any{"Host": refused.Host}
	title, about := lang.L("Trust this certificate?"), widgets.NewText(language.Printer().FetchError(refused), widgets.Plain)
	if refused.Changed {
		title = lang.L("The certificate has changed")
		about = widgets.NewText(language.Printer().Sentences(lang.L("Warning: {{.Host}} does not show the certificate that you trusted.", named),
			lang.L("Either the server got a new one, or somebody is between you and the server, who could read along and see your password.")), widgets.Warning)
	}
	dialog := &dialogs.Dialog{Title: title, Width: 540, Content: widgets.NewColumn(10, about,
		widgets.NewText(lang.L("Kairos has sent nothing yet. Compare the fingerprint (SHA-256) with the one that the server itself shows:"), widgets.Plain),
		widgets.NewText(fingerprintLines(refused.Fingerprint), widgets.Bold),
		widgets.NewText(language.Printer().Sentences(lang.L("If you trust it, Kairos accepts this one certificate, and only from {{.Host}}.", named),
			lang.L("You can change that later in the settings, under Privacy.")), widgets.Muted))}
	cancel := dialogs.Cancel()
	cancel.Highlighted = true
	dialog.Buttons = []*dialogs.Button{{Text: lang.L("Trust it"), Do: func() {
		dialog.Hide()
		jobs.Work(func(ctx context.Context) error { return h.Certificates.Trust(ctx, refused.Host, refused.Fingerprint) }, func(err error) {
			if err != nil {
				fail(err)
				return
			}
			again()
		})
	}}, cancel}
	d.Show(dialog)
	return true
}

// fingerprintLines returns a fingerprint in two lines.
func fingerprintLines(f fetch.Fingerprint) string {
	pairs := strings.Split(f.String(), ":")
	return strings.Join(pairs[:len(pairs)/2], ":") + "\n" + strings.Join(pairs[len(pairs)/2:], ":")
}

// certificatesRow lists the certificates that are trusted, each with a button that takes that back.
func (d *settingsDialog) certificatesRow() fyne.CanvasObject {
	list := widgets.NewColumn(8)
	row := container.NewStack(widgets.SettingRow(lang.L("Trusted certificates"), list,
		lang.L("Kairos accepts these certificates of your servers, though they are not valid otherwise.")))
	row.Hide()
	var load func()
	show := func(all []home.TrustedCertificate) {
		list.RemoveAll()
		for _, c := range all {
			remove := widgets.NewDialogButton(lang.L("Trust no longer"), func() {
				d.Keys.Used()
				d.apply(func(ctx context.Context) error {
					defer d.Do(load)
					return d.Home.Certificates.Distrust(ctx, c.Host)
				})
			})
			remove.Importance, remove.About = widget.LowImportance, c.Host
			list.Add(widgets.NewColumn(4, widgets.NewText(c.Host, widgets.Bold), widgets.NewText(fingerprintLines(c.Fingerprint), widgets.Muted), container.NewHBox(remove)))
		}
		row.Hidden = len(all) == 0
		d.body.Refresh()
	}
	load = func() { async.Load(d.Jobs, &d.certificates, d.Home.Certificates.List, show) }
	load()
	return row
}
