package article

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/reader/content"
)

// File is a file that belongs to an article.
type File struct {
	URL      string
	Name     string
	Details  string        // its kind, size and length, as shown
	Length   string        // how long it plays, or still does, as shown; "" if that is not known
	Duration time.Duration // how long it plays; 0: unknown
	Plays    bool          // audio or video
	Actions  []FileAction  // offered in place of opening or playing it
}

// FileAction is something that can be done with a file.
type FileAction struct {
	Name string // as OnFile gets it; one word
	Text string // as shown
}

// maxFiles is the largest number of files that are listed.
const maxFiles = 200

// Links of files begin with a mark of their action. No address of an article begins so.
const (
	actionMark = "\x00"
	playMark   = actionMark + "play "
	saveMark   = actionMark + "save "
)

// compileFiles adds the files below the article.
func (s *stylesheet) compileFiles(c *compiled, files []File) {
	if len(files) == 0 {
		return
	}
	c.add(block{kind: ruleBlock}, nil)
	for _, f := range files[:min(len(files), maxFiles)] {
		c.addText(block{kind: paragraph}, s.text([]content.Run{
			{Text: truncate(oneLine(f.Name), 300), Style: content.Bold},
			{Text: "  " + truncate(oneLine(f.Details), 300)},
		}, s.running()))
		c.addText(block{kind: fileLinks}, s.text(f.links(), s.caption()))
		c.texts[len(c.texts)-1].notCopied = true
	}
}

// links are the links below the name of a file.
func (f File) links() []content.Run {
	return append(f.actionLinks(), content.Run{Text: "    "}, content.Run{Text: lang.L("Save as…"), Link: saveMark + f.URL})
}

// compilePlayer adds the actions of the first file that can be played, above a text that may be long.
func (s *stylesheet) compilePlayer(c *compiled, a *Article) {
	i := slices.IndexFunc(a.Files, func(f File) bool { return f.Plays })
	if i < 0 || len(a.Body.Blocks) == 0 {
		return
	}
	links := a.Files[i].actionLinks()
	if length := truncate(oneLine(a.Files[i].Length), 50); length != "" { // beside the first, which plays it
		links = slices.Insert(links, 1, content.Run{Text: "  " + length})
	}
	c.addText(block{kind: fileLinks}, s.text(links, s.caption()))
	c.texts[len(c.texts)-1].notCopied = true
}

// actionLinks are the links that open or play a file.
func (f File) actionLinks() []content.Run {
	open := lang.L("Open")
	if f.Plays {
		open = lang.L("Play")
	}
	runs := []content.Run{{Text: open, Link: playMark + f.URL}}
	if len(f.Actions) > 0 {
		runs = nil
	}
	for i, a := range f.Actions {
		if i > 0 {
			runs = append(runs, content.Run{Text: "    "})
		}
		runs = append(runs, content.Run{Text: a.Text, Link: actionMark + a.Name + " " + f.URL})
	}
	return runs
}

// linkAddress is the address of a link without the mark of its action; "" if it leads nowhere.
func linkAddress(link string) string {
	if strings.HasPrefix(link, foldMark) {
		return ""
	}
	if strings.HasPrefix(link, actionMark) {
		_, link, _ = strings.Cut(link, " ")
	}
	return link
}

// activateLink opens a link, or saves its file.
func (v *View) activateLink(link string) {
	v.chosen()
	if url, ok := strings.CutPrefix(link, saveMark); ok {
		if v.OnSaveFile != nil {
			v.OnSaveFile(url)
		}
		return
	}
	if strings.HasPrefix(link, foldMark) {
		v.page.toggleFold(link)
		return
	}
	if action, isAction := strings.CutPrefix(link, actionMark); isAction && !strings.HasPrefix(link, playMark) {
		name, url, _ := strings.Cut(action, " ")
		v.OnFile(name, url)
		return
	}
	if link = linkAddress(link); !v.page.jump(link) {
		v.openLink(link)
	}
}
