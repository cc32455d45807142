package home

import (
	"context"
	"io"

	"kairos/reader"
	"kairos/reader/opml"
)

// MoveLogins is what Run does first with the logins that earlier versions left in addresses.
var MoveLogins = (*Subscriptions).moveLogins

// IsKnownSetting reports whether it is known what becomes of a setting when everything is exported.
func IsKnownSetting(key string) bool { return kindOfSetting(key) != 0 }

// RecoverImports completes what a program that was killed has left of imports.
var RecoverImports = (*Imports).recover

// ImportInto subscribes to the feeds of an OPML document.
func (s *Subscriptions) ImportInto(ctx context.Context, account int64, r io.Reader) (reader.ImportResult, error) {
	list, err := opml.Read(r)
	if err != nil {
		return reader.ImportResult{}, err
	}
	return s.importList(ctx, account, list)
}
