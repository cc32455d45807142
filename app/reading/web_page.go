package reading

import (
	"bytes"
	"context"
	"io"
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/atomicfile"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/printing"
	"kairos/app/text"
	"kairos/reader"
	photo "kairos/reader/picture"
	"kairos/reader/webpage"
)

// SavePage asks where to save the article that is read as a web page of one file; nil if none is.
func (p *Pane) SavePage() *dialogs.Save {
	write := p.webPage()
	if write == nil {
		return nil
	}
	d := p.shell.Dialogs.SaveFile(lang.L("Save as web page"), validName(text.CutMiddle(p.session.Reading().Title, 60), "article")+".html", nil, func(ctx context.Context, file string) error {
		return atomicfile.WriteFrom(file, func(to io.Writer) error { return write(ctx, to, false) })
	}, func(file string) { p.shell.Say(lang.L("Saved as {{.File}}", map[string]any{"File": file})) })
	d.Extension = ".html"
	return d
}

// Print hands the article that is read to the browser, which prints it.
func (p *Pane) Print() {
	write := p.webPage()
	if write == nil {
		return
	}
	address := ""
	p.shell.Work(func(ctx context.Context) (err error) {
		var page bytes.Buffer
		if err = write(ctx, &page, true); err == nil {
			address, _, err = printing.Serve(p.shell.Ctx, page.Bytes())
		}
		return err
	}, func(err error) {
		if err != nil {
			p.shell.Fail(err)
			return
		}
		p.shell.OpenLink(address)
	})
}

// webPage returns what writes the article that is read as a web page; nil, after a message, if none is. Pictures that have not
// been loaded are requested only where those of articles are requested anyway.
func (p *Pane) webPage() func(ctx context.Context, to io.Writer, prints bool) error {
	reading := p.session.Reading()
	if reading == nil {
		p.shell.Say(lang.L("Select an article first."))
		return nil
	}
	a, get, now := *reading, photo.Get(nil), p.shell.Now()
	if p.Pictures.MayFetch() {
		get = p.shell.Home.Poller.Pictures(a.Feed)
	}
	return func(ctx context.Context, to io.Writer, prints bool) error {
		html, err := p.shownHTML(ctx, a.ID)
		if err != nil {
			return err
		}
		printer := language.Printer()
		page := webpage.Article{Title: printer.ArticleTitle(a.Title), Feed: a.FeedTitle, Author: authorOf(a), Date: printer.FullDate(a.Published, now), Link: a.Link, HTML: html}
		return webpage.Write(ctx, to, page, func(ctx context.Context, address string) ([]byte, error) {
			return p.shell.Home.Album.Body(ctx, address, get)
		}, prints)
	}
}

// shownHTML returns the text with which an article is shown, that of its page if that is chosen, else that of the feed, with the
// pictures that are shown.
func (p *Pane) shownHTML(ctx context.Context, id int64) (string, error) {
	html, _, err := p.shell.Home.Store.Articles.ShownFullText(ctx, id)
	if err == nil && html == "" {
		html, _, err = p.shell.Home.Store.Articles.Body(ctx, id)
	}
	if err != nil {
		return "", err
	}
	return p.shell.Home.Column.FitHTML(ctx, html)
}

// authorOf is the author of an article, "" if the feed is called the same.
func authorOf(a reader.Article) string {
	if strings.EqualFold(strings.TrimSpace(a.Author), strings.TrimSpace(a.FeedTitle)) {
		return ""
	}
	return a.Author
}
