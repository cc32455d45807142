package home

import (
	"context"
	"fmt"
	"sync"

	"kairos/reader/content"
)

// settingColumn holds the width of the column that articles are read in, in units of the window, and the scale of the screen.
const settingColumn = "view.article.column"

// Column is the column that articles are read in: that of the window, or the last one while there is none. Pictures are prepared in
// the size that is shown there.
type Column struct {
	home *Home

	mu    sync.Mutex
	known content.Column // zero: not read yet
}

// now returns the column.
func (c *Column) now(ctx context.Context) (content.Column, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known.Width > 0 {
		return c.known, nil
	}
	text, err := c.home.Store.Settings.Get(ctx, settingColumn, "")
	if err != nil {
		return content.UsualColumn, err
	}
	var stored content.Column
	if _, err := fmt.Sscan(text, &stored.Width, &stored.Scale); err != nil || !(stored.Width > 0) {
		stored = content.UsualColumn // none was stored
	}
	c.known = stored
	return stored, nil
}

// Change notes another column, and returns the setting that is to be stored; key is "" if none is.
func (c *Column) Change(to content.Column) (key, value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if to == c.known || !(to.Width > 0 && to.Scale > 0) {
		return "", ""
	}
	c.known = to
	return settingColumn, fmt.Sprint(to.Width, " ", to.Scale)
}

// Fit chooses for each picture of an article the file that is shown. What is on this computer is taken as far as it is large enough.
func (c *Column) Fit(ctx context.Context, article content.Document) error {
	now, err := c.now(ctx)
	if err == nil {
		article.FitPictures(now, c.home.Album.Cache().Has, !c.home.Poller.NoNetwork())
	}
	return err
}

// FitHTML does so with sanitized HTML.
func (c *Column) FitHTML(ctx context.Context, sanitized string) (string, error) {
	now, err := c.now(ctx)
	if err != nil {
		return "", err
	}
	return content.FitHTML(sanitized, now, c.home.Album.Cache().Has, !c.home.Poller.NoNetwork()), nil
}
