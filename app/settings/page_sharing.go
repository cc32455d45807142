package settings

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/share"
	"kairos/app/widgets"
)

// sharingPage lists the services that articles can be sent to.
type sharingPage struct {
	*Settings
	list     *fyne.Container
	services []share.Service
	request  async.Request
}

// newSharingPage returns the page, which loads its content.
func newSharingPage(s *Settings) *sharingPage {
	p := &sharingPage{Settings: s, list: widgets.NewColumn(8)}
	p.reload()
	return p
}

func (p *sharingPage) content() fyne.CanvasObject {
	add := widgets.NewSelect(nil)
	add.PlaceHolder = lang.L("Add a service…")
	own := lang.L("Another address or command")
	for _, preset := range share.Presets {
		add.Options = append(add.Options, preset.Name)
	}
	add.Options = append(add.Options, own)
	add.OnChanged = func(name string) {
		if name == "" {
			return
		}
		add.ClearSelected()
		service := share.Service{}
		for _, preset := range share.Presets {
			if preset.Name == name {
				service = preset
			}
		}
		p.edit(service, -1)
	}
	about := widgets.NewText(lang.L("The menu Share, which the key S opens, sends articles to these services. Addresses open in the browser; commands start a program."), widgets.Muted)
	return widgets.NewColumn(10, about, p.list, container.NewHBox(add))
}

func (p *sharingPage) reload() {
	async.Load(p.Jobs, &p.request, func(ctx context.Context) ([]share.Service, error) {
		stored, err := p.Home.Store.Settings.Get(ctx, share.Setting, "")
		if err != nil {
			return nil, err
		}
		return share.Decode(stored)
	}, p.show)
}

func (p *sharingPage) show(services []share.Service) {
	p.services = services
	p.list.RemoveAll()
	for i := range services {
		p.list.Add(p.card(i))
	}
	p.list.Refresh()
}

// card shows a service in the list.
func (p *sharingPage) card(i int) fyne.CanvasObject {
	s := p.services[i]
	button := func(icon fyne.Resource, do func()) *widget.Button {
		b := widget.NewButtonWithIcon("", icon, func() { p.Keys.Used(); do() })
		b.Importance = widget.LowImportance
		return b
	}
	up := button(theme.MoveUpIcon(), func() { p.change(swapped(p.services, i-1, i), nil) })
	down := button(theme.MoveDownIcon(), func() { p.change(swapped(p.services, i, i+1), nil) })
	if i == 0 {
		up.Disable()
	}
	if i == len(p.services)-1 {
		down.Disable()
	}
	buttons := container.NewHBox(up, down, button(theme.DocumentCreateIcon(), func() { p.edit(s, i) }), button(theme.DeleteIcon(), func() { p.remove(i) }))
	return widgets.NewPanel("", container.NewBorder(nil, nil, nil, buttons,
		widgets.NewColumn(2, widgets.NewText(s.Name, widgets.Bold), widgets.NewText(s.Target, widgets.Muted))))
}

// swapped returns services with those at i and j in each other's place.
func swapped(services []share.Service, i, j int) []share.Service {
	services = slices.Clone(services)
	services[i], services[j] = services[j], services[i]
	return services
}

// change stores other services and shows them; done, if not nil, is called then.
func (p *sharingPage) change(services []share.Service, done func()) {
	p.store(services, func(err error) {
		if err != nil {
			p.Say(errorText(err))
			return
		}
		p.show(services)
		if done != nil {
			done()
		}
	})
}

func (p *sharingPage) store(services []share.Service, done func(error)) {
	text, err := share.Encode(services)
	if err != nil {
		done(err)
		return
	}
	p.StoreSetting(share.Setting, text, func(err error) {
		if err == nil {
			p.OnSharing()
		}
		done(err)
	})
}

// remove removes a service, which can be undone.
func (p *sharingPage) remove(i int) {
	before := slices.Clone(p.services)
	p.change(slices.Delete(slices.Clone(before), i, i+1), func() {
		p.AddUndo(lang.L("Removed {{.Name}}", map[string]any{"Name": before[i].Name}), func(ctx context.Context) error {
			text, err := share.Encode(before)
			if err != nil {
				return err
			}
			if err := p.Home.Store.Settings.Set(ctx, share.Setting, text); err != nil {
				return err
			}
			p.Do(func() { p.OnSharing(); p.reload() })
			return nil
		})
	})
}

// serviceDialog edits one service.
type serviceDialog struct {
	*sharingPage
	at                   int // in the list; -1: new
	preset               share.Service
	dialog               *dialogs.Dialog
	name, target, server *widgets.Entry
	message              *widgets.Text
}

// edit asks for the name and the target of a service, or for the server of a preset.
func (p *sharingPage) edit(s share.Service, at int) *serviceDialog {
	d := &serviceDialog{sharingPage: p, at: at, preset: s, message: widgets.NewText("", widgets.Warning)}
	leave := func() { d.dialog.Hide() }
	d.name, d.target, d.server = widgets.NewEntry(leave), widgets.NewEntry(leave), widgets.NewEntry(leave)
	d.name.SetText(s.Name)
	d.target.SetText(s.Target)
	d.target.SetPlaceHolder("https://example.org/save?url={url}&title={title}")
	d.server.SetPlaceHolder("example.org")
	first := d.name
	form := widgets.NewColumn(10, widgets.LabeledRow(120, lang.L("Name"), d.name, ""))
	switch {
	case s.NeedsServer():
		form.Add(widgets.LabeledRow(120, lang.L("Your server"), d.server, lang.L("The address of your account, without what follows the name of the server.")))
		first = d.server
	default:
		form.Add(widgets.LabeledRow(120, lang.L("Address or command"), d.target,
			lang.L("{{.Placeholders}} stand for parts of the article; {text} is what you have selected, or its beginning.", map[string]any{"Placeholders": strings.Join(share.Placeholders, " ")})))
		if s.Name != "" && at < 0 {
			first = d.target
		}
	}
	form.Add(d.message)
	title := lang.L("Edit the service")
	if at < 0 {
		title = lang.L("Add a service")
	}
	d.dialog = &dialogs.Dialog{Title: title, Content: form, Width: 560, Focus: first,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Save"), d.save)}}
	p.Dialogs.Show(d.dialog)
	return d
}

// save stores the service unless something is wrong with it.
func (d *serviceDialog) save() {
	s, err := share.Service{Name: strings.TrimSpace(d.name.Text), Target: strings.TrimSpace(d.target.Text)}, error(nil)
	if d.preset.NeedsServer() {
		s.Target = d.preset.Target
		s, err = s.WithServer(d.server.Text)
	}
	if err == nil {
		err = s.Check()
	}
	services := slices.Clone(d.services)
	switch {
	case err != nil:
	case d.at >= 0:
		services[d.at] = s
	case len(services) == share.MaxServices:
		d.message.SetText(lang.L("There can be at most {{.Limit}} services.", map[string]any{"Limit": share.MaxServices}), widgets.Warning)
		return
	default:
		services = append(services, s)
	}
	if err != nil {
		d.message.SetText(errorText(err), widgets.Warning)
		return
	}
	d.store(services, func(err error) {
		if err != nil {
			d.message.SetText(errorText(err), widgets.Warning)
			return
		}
		d.dialog.Hide()
		d.show(services)
	})
}
