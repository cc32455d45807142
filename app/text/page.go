package text

import "kairos/reader/scrape"

var pageErrors = table[scrape.ErrorCode]{
	scrape.NoArticles:  "No articles were found on this page.",
	scrape.NoDates:     "The articles of this page have lost their dates: its layout has changed.",
	scrape.BadSelector: "“{{.Selector}}” is not a CSS selector.",
	scrape.NotAPage:    "This is not a web page.",
}

// pageError describes why the articles of a web page without a feed cannot be read.
func (p *Printer) pageError(e *scrape.Error) string {
	if e.Code == scrape.BadSelector && e.Detail == "" {
		return p.L("Enter a selector for the articles.")
	}
	return say(p, pageErrors, e.Code, V{"Selector": e.Detail})
}

var pageKinds = table[scrape.Kind]{
	scrape.JSONLD:    "As the page tells search engines (JSON-LD)",
	scrape.Sitemap:   "As its news sitemap lists them",
	scrape.Microdata: "As the page marks them (microdata)",
	scrape.HFeed:     "As the page marks them (h-feed)",
	scrape.Blocks:    "Links that repeat: {{.Selector}}",
	scrape.Selectors: "By selectors of your own",
}

// PageKind names a way in which a page is read.
func (p *Printer) PageKind(r scrape.Recipe) string {
	return say(p, pageKinds, r.Kind, V{"Selector": r.Item})
}
