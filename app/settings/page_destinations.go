package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller/handoff"
	"kairos/reader"
)

// destinationsPage lists where starred articles are sent.
type destinationsPage struct {
	*settingsDialog
	list *liveList[handoff.Status]
}

// newDestinationsPage returns the page, which loads its content.
func newDestinationsPage(d *settingsDialog) *destinationsPage {
	p := &destinationsPage{settingsDialog: d}
	p.list = &liveList[handoff.Status]{cardList: newCardList(d), load: d.Home.Destinations.List, texts: p.texts, card: p.card,
		gone: func() bool { return d.closed || d.destinations != p }}
	p.list.reload()
	return p
}

// kindName returns what a kind of destination is called.
func kindName(k handoff.Kind) string {
	switch k {
	case handoff.Wallabag:
		return "Wallabag"
	case handoff.Linkding:
		return "Linkding"
	}
	return lang.L("Folder of Markdown files")
}

func (p *destinationsPage) content() fyne.CanvasObject {
	add := widgets.NewSelect(nil)
	add.PlaceHolder = lang.L("Add a destination…")
	for _, k := range handoff.Kinds {
		add.Options = append(add.Options, kindName(k))
	}
	add.OnChanged = func(name string) {
		if name == "" {
			return
		}
		add.ClearSelected()
		for _, k := range handoff.Kinds {
			if kindName(k) == name {
				p.addDestination(k)
			}
		}
	}
	about := widgets.NewText(lang.L("Articles that you star from now on are sent there, each once: address, title, author, date, feed and labels, and the text where you choose that or a folder. Nothing else is sent, and nothing until you add a destination. Unstarring an article within a few seconds sends nothing; later, what is there stays there."), widgets.Muted)
	return widgets.NewColumn(10, about, p.list.Container, widgets.NewFlow(4, add))
}

func (p *destinationsPage) texts(d handoff.Status) []string {
	return append([]string{d.Name, destinationAbout(d), language.Printer().DestinationStatus(d, p.Home.Now()), destinationState(d)}, refusalTexts(d)...)
}

// destinationAbout tells what and where a destination is.
func destinationAbout(d handoff.Status) string {
	text := kindName(handoff.Kind(d.Kind)) + "  ·  "
	if d.User == "" {
		return text + d.Address
	}
	return text + lang.L("{{.User}} at {{.Server}}", map[string]any{"User": d.User, "Server": d.Address})
}

// destinationState is what decides which buttons there are.
func destinationState(d handoff.Status) string {
	return lang.N("Send all {{.PluralCount}} starred articles", d.Unsent) + " " + d.Options + map[bool]string{true: " starred"}[d.Starred]
}

// maxRefusalsShown is how many refused articles a card names.
const maxRefusalsShown = 5

// refusalTexts name articles that were not accepted, and why.
func refusalTexts(d handoff.Status) (texts []string) {
	for _, r := range d.Refusals[:min(len(d.Refusals), maxRefusalsShown)] {
		why := lang.L("Not accepted.")
		if r.Why != nil {
			why = language.Printer().HandoffError(r.Why)
		}
		texts = append(texts, lang.L("“{{.Title}}”: {{.Why}}", map[string]any{"Title": r.Title, "Why": why}))
	}
	return texts
}

// card shows a destination in the list.
func (p *destinationsPage) card(d handoff.Status) fyne.CanvasObject {
	style := widgets.Plain
	if d.Trouble != nil {
		style = widgets.Warning
	}
	lines := widgets.NewColumn(4, widgets.NewText(d.Name, widgets.Bold), widgets.NewText(destinationAbout(d), widgets.Muted),
		widgets.NewText(language.Printer().DestinationStatus(d, p.Home.Now()), style))
	for _, text := range refusalTexts(d) {
		lines.Add(widgets.NewText(text, widgets.Muted))
	}
	starred := widgets.NewCheck(lang.L("Send each article that I star"))
	starred.Checked = d.Starred
	starred.OnChanged = func(on bool) {
		p.Keys.Used()
		p.change(func(ctx context.Context) error {
			return p.Home.Destinations.Update(ctx, d.ID, func(to *reader.Destination) { to.Starred = on })
		})
	}
	p.list.control(starred)
	lines.Add(starred)
	lines.Add(widgets.NewFlow(4, p.buttons(d)...))
	return card(nil, lines)
}

// buttons are what can be done with a destination as it stands.
func (p *destinationsPage) buttons(d handoff.Status) (buttons []fyne.CanvasObject) {
	add := func(text string, do func()) {
		b := widgets.NewDialogButton(text, func() { p.Keys.Used(); do() })
		b.Importance = widget.LowImportance
		p.list.control(b)
		buttons = append(buttons, b)
	}
	if d.Trouble != nil || d.Refused > 0 {
		add(lang.L("Try again"), func() {
			p.change(func(ctx context.Context) error { _, err := p.Home.Destinations.Retry(ctx, d.ID); return err })
		})
	}
	if d.Refused > 0 {
		add(lang.L("Discard"), func() {
			p.change(func(ctx context.Context) error { _, err := p.Home.Destinations.Discard(ctx, d.ID); return err })
		})
	}
	if d.Unsent > 0 {
		add(lang.N("Send all {{.PluralCount}} starred articles", d.Unsent), func() { p.askSendAll(d) })
	}
	pause := lang.L("Pause")
	if d.Paused {
		pause = lang.L("Resume")
	}
	add(pause, func() {
		p.change(func(ctx context.Context) error { return p.Home.Destinations.Pause(ctx, d.ID, !d.Paused) })
	})
	add(lang.L("Edit…"), func() { p.editDestination(d) })
	add(lang.L("Remove…"), func() { p.askRemove(d) })
	return buttons
}

// change applies a change and shows how the destinations stand then.
func (p *destinationsPage) change(do func(ctx context.Context) error) {
	p.apply(func(ctx context.Context) error {
		defer p.Do(p.list.renew)
		return do(ctx)
	})
}

// askSendAll asks before all articles go that were starred before.
func (p *destinationsPage) askSendAll(d handoff.Status) *dialogs.Dialog {
	return p.Dialogs.Confirm(lang.N("Send all {{.PluralCount}} starred articles", d.Unsent),
		lang.L("These articles are starred and have not been sent to {{.Name}} yet. Articles that are already there are not added twice.", map[string]any{"Name": d.Name}),
		lang.L("Send"), func() {
			p.change(func(ctx context.Context) error { _, err := p.Home.Destinations.DeliverStarred(ctx, d.ID); return err })
		})
}

// askRemove asks before a destination is removed.
func (p *destinationsPage) askRemove(d handoff.Status) *dialogs.Dialog {
	texts := []string{lang.L("What was sent there stays there.")}
	if n := d.Waiting + d.Refused; n > 0 {
		texts = append(texts, lang.N("{{.PluralCount}} articles have not been sent and will not be.", n))
	}
	return p.Dialogs.ConfirmLoss(lang.L("Remove the destination “{{.Name}}”?", map[string]any{"Name": d.Name}), language.Printer().Sentences(texts...),
		lang.L("Keep"), lang.L("Remove"), func() {
			p.change(func(ctx context.Context) error { return p.Home.Destinations.Remove(ctx, d.ID) })
		})
}
