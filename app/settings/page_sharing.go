package settings

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/share"
	"kairos/app/widgets"
)

// sharingPage lists the services that articles can be sent to.
type sharingPage struct {
	*settingsDialog
	list     cardList
	services []share.Service
	request  async.Request
}

// newSharingPage returns the page, which loads its content.
func newSharingPage(d *settingsDialog) *sharingPage {
	p := &sharingPage{settingsDialog: d, list: newCardList(d)}
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
	about := widgets.NewText(lang.L("The Share menu, which Shift+S opens, sends articles to these services. Addresses open in the browser; commands start a program."), widgets.Muted)
	return widgets.NewColumn(10, about, p.list.Container, container.NewHBox(add))
}

func (p *sharingPage) reload() {
	async.Load(p.Jobs, &p.request, func(ctx context.Context) ([]share.Service, error) {
		stored, err := p.Home.Store.Settings.Get(ctx, share.Setting, "")
		if err != nil {
			return nil, err
		}
		return share.Decode(stored)
	}, p.showServices)
}

// showServices lists the services.
func (p *sharingPage) showServices(services []share.Service) {
	p.services = services
	shown := p.list.fill(func() {
		for i := range services {
			p.list.Add(p.card(i))
		}
	})
	p.list.Refresh()
	shown()
}

// card shows a service in the list.
func (p *sharingPage) card(i int) fyne.CanvasObject {
	s := p.services[i]
	up := p.iconButton(theme.MoveUpIcon(), lang.L("Move up"), s.Name, func() { p.change(swapped(p.services, i-1, i), nil) })
	down := p.iconButton(theme.MoveDownIcon(), lang.L("Move down"), s.Name, func() { p.change(swapped(p.services, i, i+1), nil) })
	if i == 0 {
		up.Disable()
	}
	if i == len(p.services)-1 {
		down.Disable()
	}
	edit, remove := p.iconButton(theme.DocumentCreateIcon(), lang.L("Edit"), s.Name, func() { p.edit(s, i) }), p.iconButton(theme.DeleteIcon(), lang.L("Remove"), s.Name, func() { p.remove(i) })
	p.list.control(up, down, edit, remove)
	return card(nil, widgets.NewColumn(2, widgets.NewText(s.Name, widgets.Bold), widgets.NewText(s.Target, widgets.Muted)), up, down, edit, remove)
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
			p.fail(err)
			return
		}
		p.showServices(services)
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
		p.undo.offer(lang.L("Removed {{.Name}}", map[string]any{"Name": before[i].Name}), func(ctx context.Context) error {
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
	form                 *dialogs.Dialog
	name, target, server *widgets.Entry
	problem              *widgets.Text // below the address
}

// edit asks for the name and the target of a service, or for the server of a preset.
func (p *sharingPage) edit(s share.Service, at int) *serviceDialog {
	d := &serviceDialog{sharingPage: p, at: at, preset: s, problem: widgets.NewText("", widgets.Warning)}
	leave := func() { d.form.Hide() }
	d.name, d.target, d.server = widgets.NewEntry(leave), widgets.NewEntry(leave), widgets.NewEntry(leave)
	d.name.SetText(s.Name)
	d.target.SetText(s.Target)
	d.target.SetPlaceHolder("https://example.org/save?url={url}&title={title}")
	d.server.SetPlaceHolder("example.org")
	first := d.name
	form := widgets.NewColumn(10, widgets.LabeledRow(120, lang.L("Name"), d.name, ""))
	switch {
	case s.NeedsServer():
		form.Add(widgets.LabeledRow(120, lang.L("Your server"), widgets.NewColumn(4, d.server, d.problem), lang.L("The address of your account, without what follows the name of the server.")))
		first = d.server
	default:
		form.Add(widgets.LabeledRow(120, lang.L("Address or command"), widgets.NewColumn(4, d.target, d.problem),
			lang.L("{{.Placeholders}} stand for parts of the article; {text} is what you have selected, or its beginning.", map[string]any{"Placeholders": strings.Join(share.Placeholders, " ")})))
		if s.Name != "" && at < 0 {
			first = d.target
		}
	}
	title := lang.L("Edit the service")
	if at < 0 {
		title = lang.L("Add a service")
	}
	d.form = &dialogs.Dialog{Title: title, Content: form, Width: 560, Focus: first,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Save"), d.save)}}
	p.Dialogs.Show(d.form)
	return d
}

// save stores the service unless something is wrong with it.
func (d *serviceDialog) save() {
	s, err := share.Service{Name: strings.TrimSpace(d.name.Text), Target: strings.TrimSpace(d.target.Text)}, error(nil)
	if d.preset.NeedsServer() {
		if strings.TrimSpace(d.server.Text) == "" {
			d.problem.SetText(lang.L("Enter the address of your server."), widgets.Warning)
			return
		}
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
		d.problem.SetText(lang.L("There can be at most {{.Limit}} services.", map[string]any{"Limit": share.MaxServices}), widgets.Warning)
		return
	default:
		services = append(services, s)
	}
	if err != nil {
		d.problem.SetText(errorText(err), widgets.Warning)
		return
	}
	d.store(services, func(err error) {
		if err != nil {
			d.problem.SetText(errorText(err), widgets.Warning)
			return
		}
		d.form.Hide()
		d.showServices(services)
	})
}
