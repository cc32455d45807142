package verbs

import (
	"context"
	"strings"

	"kairos/app/home"
	"kairos/reader"
)

// typedFolder returns the path of a folder of an account, 0 for this computer, as somebody typed it: "News/Local" is Local in News,
// unless a folder has that very name.
func typedFolder(ctx context.Context, h *home.Home, account int64, typed string) (string, error) {
	feeds, err := h.Store.Feeds.List(ctx)
	if err != nil {
		return "", err
	}
	for _, f := range feeds {
		if f.Account == account && (f.Folder == typed || strings.HasPrefix(f.Folder, typed+reader.FolderSeparator)) {
			return typed, nil
		}
	}
	return reader.ParseFolder(typed), nil
}
