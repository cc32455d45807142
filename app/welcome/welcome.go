// Package welcome is the page in place of articles while there are no feeds.
package welcome

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/glyphs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/imports"
)

// Page stands in place of articles while there are no feeds. It offers ways to get some, and explains what Kairos
// learns.
type Page struct {
	shell *shell.Shell
	on    Events

	Pane    *widgets.Scroll
	content *fyne.Container // empty until the page is shown for the first time
	found   *fyne.Container // what other readers have left
	Address *widgets.Entry
	Topics  []topic
	Begin   *widgets.Button
	Learn   *widgets.Check
}

// Events is what the page asks for and reports. All functions are set.
type Events struct {
	Subscribe  func(address string)                   // to a feed of this address
	AskImport  func()                                 // for a list of feeds
	Preview    func(path string, from imports.Reader) // of what another reader has left
	ImportRow  func(found home.FoundSource, preview func()) fyne.CanvasObject
	AddAccount func()                    // a server to sync with
	Imported   func(reader.ImportResult) // feeds were subscribed to
	Changed    func()                    // the page was shown or hidden
	Left       func()                    // the focus goes to the timeline
}

// topic is a topic of the starter feeds, to choose.
type topic struct {
	*widgets.Check
	Name string // in the starter set
}

// New returns the page, hidden.
func New(sh *shell.Shell, on Events) *Page {
	p := &Page{shell: sh, on: on, content: container.NewStack()}
	p.Pane = widgets.NewVScroll(p.content)
	p.Pane.Hide()
	return p
}

// fill makes what is on the page. Most windows never show it, and the names of its topics ask for fonts of other scripts: one
// with Chinese takes 20 MB.
func (p *Page) fill() {
	p.found = widgets.NewColumn(10)
	p.found.Hide() // it would leave a gap
	p.find()
	p.Address = widgets.NewEntry(p.on.Left)
	p.Address.Name = lang.L("Add a site or a feed")
	p.Address.SetPlaceHolder(lang.L("example.org, or the address of a feed"))
	p.Address.OnSubmitted = func(address string) { p.on.Subscribe(address) }
	add := widgets.NewIconButton(lang.L("Add"), theme.ContentAddIcon(), func() { p.Address.OnSubmitted(p.Address.Text) })
	add.Importance = widget.HighImportance
	choose := widgets.NewIconButton(lang.L("Import feeds…"), theme.FolderOpenIcon(), p.on.AskImport)
	account := widgets.NewIconButton(lang.L("Add account…"), theme.AccountIcon(), p.on.AddAccount)
	p.Begin = widgets.NewIconButton(lang.L("Subscribe to these"), theme.ConfirmIcon(), p.subscribe)
	p.Begin.Disable()
	p.Learn = widgets.NewCheck(lang.L("Learn when I read"))
	p.Learn.OnChanged, p.Learn.Checked = p.setLearn, true

	p.content.Add(widgets.NewPage(640, widgets.NewColumn(22,
		widgets.NewColumn(6, widgets.NewText(lang.L("Welcome to Kairos"), widgets.Title),
			widgets.NewText(lang.L("A feed reader that learns when you read and fetches new articles just before, with few requests."), widgets.Muted)),
		widgets.NewPanel("", widgets.NewColumn(8, widgets.NewText(lang.L("Add a site or a feed"), widgets.Bold),
			container.NewBorder(nil, nil, nil, add, p.Address))),
		widgets.NewPanel("", widgets.NewColumn(8, widgets.NewText(lang.L("Import your feeds"), widgets.Bold), p.found,
			widgets.NewText(lang.L("Kairos reads what other readers have stored or exported, with articles, stars and read marks, and OPML files. You can also drop such a file onto this window."), widgets.Muted),
			container.NewHBox(choose))),
		widgets.NewPanel("", widgets.NewColumn(8, widgets.NewText(lang.L("Or sync with a server"), widgets.Bold),
			widgets.NewText(lang.L("Kairos reads the feeds of Miniflux, FreshRSS, Tiny Tiny RSS and servers with the Google Reader API, and tells them what you have read."), widgets.Muted),
			container.NewHBox(account))),
		widgets.NewPanel("", widgets.NewColumn(8, widgets.NewText(lang.L("Or start with some of these"), widgets.Bold),
			p.choices(), container.NewHBox(p.Begin))),
		widgets.NewPanel(look.ColorAccent, widgets.NewColumn(6, widgets.NewText(lang.L("What Kairos learns"), widgets.Bold),
			widgets.NewText(lang.L("Kairos notes when you open it and which feeds you read, and learns from that when to fetch each feed. The notes stay in this folder and never leave this machine:"), widgets.Plain),
			widgets.NewText(p.shell.Home.Dir, widgets.Muted), p.Learn)))))
}

// find looks for what other readers have left, and offers it when that is counted.
func (p *Page) find() {
	var found []home.FoundSource
	p.shell.Work(func(ctx context.Context) error {
		found = p.shell.Home.Imports.Find(ctx)
		return nil
	}, func(error) {
		for _, one := range found {
			if one.Err == nil {
				p.found.Add(p.on.ImportRow(one, func() { p.on.Preview(one.Path, one.Reader) }))
				p.found.Show()
			}
		}
		p.content.Refresh()
	})
}

// choices lists the topics with their feeds, but for those whose names no installed font can show.
func (p *Page) choices() fyne.CanvasObject {
	list := widgets.NewColumn(2)
	topics, err := home.Topics()
	if err != nil {
		return widgets.NewText(language.Error(err), widgets.Warning)
	}
	for _, t := range topics {
		if glyphs.Missing(t.Name) != "" {
			continue
		}
		c := widgets.NewCheck(topicText(t.Name))
		c.OnChanged = func(bool) { p.chose() }
		p.Topics = append(p.Topics, topic{c, t.Name})
		list.Add(widgets.NewLabeled(210, c, widgets.NewInset(widgets.NewText(strings.Join(t.Feeds, ", "), widgets.Muted))))
	}
	return list
}

func (p *Page) chosen() (topics []string) {
	for _, t := range p.Topics {
		if t.Checked {
			topics = append(topics, t.Name)
		}
	}
	return topics
}

// topicText is a topic's name in the language of the window. A topic in one language keeps its name in that language.
func topicText(name string) string {
	if i := slices.Index(topicNames, name); i >= 0 {
		return topicNames.Say(i)
	}
	return name
}

// topicNames are the names of the starter topics that are translated.
var topicNames = language.Texts{"World news", "Technology", "Programming", "Science", "Comics", "Design and pictures"}

func (p *Page) chose() {
	p.shell.Used()
	if len(p.chosen()) == 0 {
		p.Begin.Disable()
	} else {
		p.Begin.Enable()
	}
}

func (p *Page) subscribe() {
	topics := p.chosen()
	var done reader.ImportResult
	p.Begin.Disable()
	p.shell.Work(func(ctx context.Context) (err error) {
		done, err = p.shell.Home.Subscriptions.AddTopics(ctx, topics)
		return err
	}, func(err error) {
		p.chose()
		if err != nil {
			p.shell.Dialogs.Inform(lang.L("Import"), language.Error(err))
			return
		}
		p.on.Imported(done)
	})
}

func (p *Page) setLearn(on bool) {
	value := map[bool]string{true: "on", false: "off"}[on]
	p.shell.StoreSetting(home.SettingLearn, value, nil)
}

func (p *Page) Shown() bool { return p.Pane.Visible() }

// Type types a letter into the address.
func (p *Page) Type(r rune) {
	p.shell.Focus(p.Address)
	p.Address.TypedRune(r)
}

// SetVisible shows or hides the page.
func (p *Page) SetVisible(on bool) {
	if on == p.Shown() {
		return
	}
	canvas := p.shell.Canvas
	if !on {
		p.Pane.Hide()
		p.on.Changed()
		return
	}
	if len(p.content.Objects) == 0 {
		p.fill()
	}
	p.Pane.Show()
	p.on.Changed()
	if canvas.Overlays().Top() == nil {
		canvas.Focus(p.Address) // a new user has an address at hand, and knows no keys yet
	}
}
