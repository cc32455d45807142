package article

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/reader/content"
)

// File is a file that belongs to an article.
type File struct {
	URL     string
	Name    string
	Details string // its kind and size, as shown
	Plays   bool   // audio or video
}

// maxFiles is the largest number of files that are listed.
const maxFiles = 200

// Links of files begin with a mark of their action. No address of an article begins so.
const (
	playMark = "\x00play "
	saveMark = "\x00save "
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
		open := lang.L("Open")
		if f.Plays {
			open = lang.L("Play")
		}
		c.addText(block{kind: fileLinks}, s.text([]content.Run{
			{Text: open, Link: playMark + f.URL}, {Text: "    "}, {Text: lang.L("Save as…"), Link: saveMark + f.URL},
		}, s.caption()))
		c.texts[len(c.texts)-1].notCopied = true
	}
}

// address is the address of a link without the mark of its action.
func linkAddress(link string) string {
	link, _ = strings.CutPrefix(link, playMark)
	link, _ = strings.CutPrefix(link, saveMark)
	return link
}

// activateLink opens a link, or saves its file.
func (v *View) activateLink(link string) {
	if url, ok := strings.CutPrefix(link, saveMark); ok {
		if v.OnSaveFile != nil {
			v.OnSaveFile(url)
		}
		return
	}
	v.openLink(linkAddress(link))
}
