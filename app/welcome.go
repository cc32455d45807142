package app

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/reader"
)

// welcome is what is shown in place of articles while there are no feeds: the ways to
// come by some, and what Kairos will learn.
type welcome struct {
	w       *window
	pane    *container.Scroll
	address *widgets.Entry
	topics  []topic
	begin   *widget.Button
	learn   *widget.Check
}

// topic is one to choose.
type topic struct {
	*widget.Check
	name string // in the starter set
}

func newWelcome(w *window) *welcome {
	p := &welcome{w: w}
	p.address = widgets.NewEntry(func() { w.win.Canvas().Focus(w.timeline.list) })
	p.address.SetPlaceHolder(lang.L("example.org, or the address of a feed"))
	p.address.OnSubmitted = func(address string) { w.addFeed(address).submit() }
	add := widget.NewButtonWithIcon(lang.L("Add"), theme.ContentAddIcon(), func() { p.address.OnSubmitted(p.address.Text) })
	add.Importance = widget.HighImportance
	bring := widget.NewButtonWithIcon(lang.L("Import a list…"), theme.FolderOpenIcon(), w.importDialog)
	p.begin = widget.NewButtonWithIcon(lang.L("Subscribe to these"), theme.ConfirmIcon(), p.subscribe)
	p.begin.Disable()
	p.learn = widget.NewCheck(lang.L("Learn when I read"), p.setLearn)
	p.learn.Checked = true

	p.pane = container.NewVScroll(widgets.NewPage(640, widgets.NewColumn(22,
		widgets.NewColumn(6, widgets.NewText(lang.L("Welcome to Kairos"), widgets.Title),
			widgets.NewText(lang.L("A feed reader that learns when you read and has everything there just before, with few requests."), widgets.Muted)),
		widgets.NewPanel("", widgets.NewColumn(8, widgets.NewText(lang.L("Add a site or a feed"), widgets.Bold),
			container.NewBorder(nil, nil, nil, add, p.address))),
		widgets.NewPanel("", widgets.NewColumn(8, widgets.NewText(lang.L("Bring your feeds along"), widgets.Bold),
			widgets.NewText(lang.L("Every reader can write its feeds into a file (OPML). You can also drop it onto this window."), widgets.Muted),
			container.NewHBox(bring))),
		widgets.NewPanel("", widgets.NewColumn(8, widgets.NewText(lang.L("Or begin with some of these"), widgets.Bold),
			p.choices(), container.NewHBox(p.begin))),
		widgets.NewPanel(look.ColorAccent, widgets.NewColumn(6, widgets.NewText(lang.L("What Kairos learns"), widgets.Bold),
			widgets.NewText(lang.L("It notes when you open it and which feeds you open articles of. From that it learns when to fetch what. It is kept in this folder and never leaves this machine:"), widgets.Plain),
			widgets.NewText(w.home.Dir, widgets.Muted), p.learn)))))
	p.pane.Hide()
	return p
}

// choices are the topics with their feeds.
func (p *welcome) choices() fyne.CanvasObject {
	list := widgets.NewColumn(2)
	topics, err := home.Topics()
	if err != nil {
		return widgets.NewText(errorText(err), widgets.Warning)
	}
	for _, t := range topics {
		c := widget.NewCheck(topicText(t.Name), func(bool) { p.chose() })
		p.topics = append(p.topics, topic{c, t.Name})
		list.Add(widgets.NewLabeled(210, c, widgets.NewInset(widgets.NewText(strings.Join(t.Feeds, ", "), widgets.Muted))))
	}
	return list
}

func (p *welcome) chosen() (topics []string) {
	for _, t := range p.topics {
		if t.Checked {
			topics = append(topics, t.name)
		}
	}
	return topics
}

// topicText is a topic's name in the language of the window; topics in one language
// are called what they are called in it.
func topicText(name string) string {
	if i := slices.Index(topicNames, name); i >= 0 {
		return topicNames.Say(i)
	}
	return name
}

// topicNames are those of the starter set.
var topicNames = language.Texts{"World news", "Technology", "Programming", "Science", "Comics", "Design and pictures"}

func (p *welcome) chose() {
	p.w.used()
	if len(p.chosen()) == 0 {
		p.begin.Disable()
	} else {
		p.begin.Enable()
	}
}

func (p *welcome) subscribe() {
	topics := p.chosen()
	var done reader.ImportResult
	p.begin.Disable()
	p.w.Work(func(ctx context.Context) (err error) {
		done, err = p.w.home.Begin(ctx, topics)
		return err
	}, func(err error) {
		p.chose()
		if err != nil {
			p.w.dialogs.inform(lang.L("Import"), errorText(err))
			return
		}
		p.w.imported(done)
	})
}

func (p *welcome) setLearn(on bool) {
	value := map[bool]string{true: "on", false: "off"}[on]
	p.w.set(home.SettingLearn, value, nil)
}

func (p *welcome) shown() bool { return p.pane.Visible() }

// turn shows the page while there is nothing to read.
func (p *welcome) turn(on bool) {
	if on == p.shown() {
		return
	}
	canvas := p.w.win.Canvas()
	if !on {
		here := canvas.Focused() == p.address
		p.pane.Hide()
		if !p.w.needy.shown() {
			p.w.lists.Show()
		}
		if here {
			canvas.Focus(p.w.timeline.list)
		}
		return
	}
	p.w.lists.Hide()
	p.w.needy.pane.Hide()
	p.pane.Show()
	if canvas.Overlays().Top() == nil {
		canvas.Focus(p.address) // whoever begins has an address at hand, and knows no keys yet
	}
}
