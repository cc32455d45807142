package text

import (
	"errors"

	"kairos/app/player"
	"kairos/app/share"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/handoff"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/archive"
	"kairos/reader/discover"
	"kairos/reader/imaging"
	"kairos/reader/imports"
	"kairos/reader/opml"
	"kairos/reader/parse"
	"kairos/reader/rule"
	"kairos/reader/scrape"
)

// Error words any error: as a fact, as an error of the system, or else by its English text.
func (p *Printer) Error(err error) string {
	if text, ok := p.Fact(err); ok {
		return text
	}
	if text, ok := p.SystemError(err); ok {
		return text
	}
	return Technical(err)
}

// Fact describes an error that is a fact; ok is false for any other.
func (p *Printer) Fact(err error) (text string, ok bool) {
	var (
		store     *reader.Error
		duplicate *reader.DuplicateError
		discovery *discover.Error
		document  *parse.Error
		image     *imaging.Error
		list      *opml.Error
		request   *fetch.Error
		file      *poller.FileError
		unusable  *rule.Error
		service   *share.Error
		account   *sync.Error
		waits     *sync.WaitError
		exported  *archive.Error
		page      *scrape.Error
		foreign   *imports.Error
		played    *player.Error
	)
	switch {
	case errors.As(err, new(*handoff.Error)): // before what it wraps
		return p.destinationError(err)
	case errors.As(err, &account) && account.Code != sync.Unreachable: // why that is the request tells
		return p.SyncError(account), true
	case errors.As(err, &discovery):
		return p.discoverError(discovery), true
	case errors.As(err, &document):
		return p.ParseError(document), true
	case errors.As(err, &image):
		return p.imageError(image), true
	case errors.As(err, &list):
		return p.listError(list), true
	case errors.As(err, &duplicate):
		return p.duplicateFeed(duplicate.Feed.Title), true
	case errors.As(err, &store):
		return p.readerError(store), true
	case errors.As(err, &request):
		return p.FetchError(request), true
	case errors.As(err, &file):
		return p.fileError(file), true
	case errors.As(err, &unusable):
		return p.RuleError(unusable), true
	case errors.As(err, &account):
		return p.SyncError(account), true
	case errors.As(err, &waits):
		return p.SyncWaits(waits), true
	case errors.Is(err, reader.ErrNoAddress):
		return p.L("The server names no address that this computer may fetch the feed from."), true
	case errors.As(err, &service):
		return p.shareError(service), true
	case errors.As(err, &foreign):
		return p.importError(foreign), true
	case errors.Is(err, reader.ErrImportRunning):
		return p.L("Another import is under way. Wait until it has ended."), true
	case errors.As(err, &page):
		return p.pageError(page), true
	case errors.Is(err, poller.ErrRobots):
		return p.L("The site asks programs not to read this page."), true
	case errors.As(err, &played):
		return p.playError(played), true
	case errors.As(err, &exported):
		return p.archiveError(exported), true
	}
	if fault := reader.FileError(err); fault != nil { // of a query that was under way
		return p.readerError(fault), true
	}
	if text, ok = p.destinationError(err); ok {
		return text, ok
	}
	if text, ok = p.keyringError(err); ok {
		return text, ok
	}
	return p.promiseError(err)
}

// Technical makes a sentence of the English text of an error that is no fact.
func Technical(err error) string {
	text := err.Error()
	if text == "" || WithoutStop(text) != text {
		return text // of a sentence that is one already, and may be in another language
	}
	return Capital(text) + "."
}
