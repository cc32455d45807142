package settings

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
)

// largestFeeds is how many feeds are listed by their size.
const largestFeeds = 10

// measure shows what takes the room.
func (p *storagePage) measure() {
	async.Load(p.Jobs, &p.measuring, func(ctx context.Context) (home.Usage, error) { return p.Home.Disk.Usage(ctx, largestFeeds) }, p.showSizes)
}

func (p *storagePage) showSizes(u home.Usage) {
	size := language.Printer().Size
	p.sizes.RemoveAll()
	p.addSize(lang.L("Total"), size(u.Total()), widgets.Bold)
	for _, part := range []struct {
		name  string
		bytes int64
	}{
		{lang.L("Article text"), u.Store.Texts}, {lang.L("Article lists"), u.Store.Lists}, {lang.L("Search and indexes"), u.Store.Indexes},
		{lang.L("Fetches, plan and icons"), u.Store.Rooms}, {lang.L("Free space in the file"), u.Store.Free}, {lang.L("Images"), u.Cache},
		{lang.L("Backups and set-aside copies"), u.Copies}, {lang.L("Log and other files"), u.Other},
	} {
		if part.bytes > 0 {
			p.addSize(part.name, size(part.bytes), widgets.Plain)
		}
	}
	if len(u.Store.Feeds) > 0 {
		p.sizes.Add(widgets.NewText(lang.L("Largest feeds"), widgets.Heading))
	}
	for _, f := range u.Store.Feeds {
		p.addSize(f.Title, lang.N("{{.Size}}, {{.PluralCount}} articles", f.Articles, map[string]any{"PluralCount": f.Articles, "Size": size(f.Bytes)}), widgets.Plain)
	}
	p.content.Refresh()
}

// addSize adds a line to the sizes.
func (p *storagePage) addSize(name, size string, style widgets.Style) {
	p.sizes.Add(widgets.NewLabeled(widgets.SettingLabelWidth, widgets.NewText(name, widgets.Label), widgets.NewText(size, style)))
}
