package reader

import (
	"context"
	"fmt"
	"strings"

	"kairos/reader/content"
	"kairos/reader/imports"
)

// ImportPreview says what an import would do with the feeds of its source.
type ImportPreview struct {
	Feeds   []PreviewedFeed // the subscriptions, in the order of the source
	Folders int             // that they are in
	Known   int             // feeds that are subscribed to here
	Local   int             // new feeds that would be paused: files, and those of this computer's network
}

// PreviewedFeed is a subscription of a source.
type PreviewedFeed struct {
	Title, Folder, URL string
	Known              bool // subscribed to here
	Local              bool // it would be paused
}

// Preview says what an import of a source would do. It reads no articles, and changes nothing.
func (i Imports) Preview(ctx context.Context, source *imports.Source) (p ImportPreview, err error) {
	folders, seen := map[string]bool{}, map[string]bool{}
	for k := range source.Feeds {
		f := &source.Feeds[k]
		same := sameOf(0, "", f.URL)
		if !f.Subscribed || seen[same] {
			continue
		}
		seen[same] = true
		one := PreviewedFeed{Title: f.Title, Folder: f.Folder, URL: f.URL, Local: isLocalFeed(f.URL)}
		err := i.db.prepared.Row(ctx, "SELECT EXISTS (SELECT 1 FROM feed WHERE same = ? AND removed = 0)", []any{same}, &one.Known)
		if err != nil {
			return p, fmt.Errorf("preview an import: %w", classify(err))
		}
		one.Local = one.Local && !one.Known
		if one.Known {
			p.Known++
		}
		if one.Local {
			p.Local++
		}
		if f.Folder != "" {
			folders[f.Folder] = true
		}
		p.Feeds = append(p.Feeds, one)
	}
	p.Folders = len(folders)
	return p, nil
}

// isLocalFeed reports whether a feed is a file, or lies on this computer or in its network: who made a list may have named it to
// have it fetched.
func isLocalFeed(address string) bool {
	return strings.HasPrefix(address, "file:") || content.IsLocal(address)
}
