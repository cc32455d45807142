package library

import (
	"slices"
	"strconv"
	"strings"

	"kairos/reader"
)

// Feeds are grouped by account once there is one beside this computer. In the tree of folders an account is then the
// outermost one: the path of a folder begins with its account, which no name of a folder can be mistaken for.

const accountMark = "\x00"

// AccountPath is the path of an account in the tree.
func AccountPath(id int64) string { return accountMark + strconv.FormatInt(id, 10) }

// PlaceOf returns the folder that a path in the tree stands for.
func PlaceOf(path string) reader.Place {
	rest, marked := strings.CutPrefix(path, accountMark)
	if !marked {
		return reader.Place{Path: path}
	}
	number, folder, _ := strings.Cut(rest, reader.FolderSeparator)
	id, _ := strconv.ParseInt(number, 10, 64)
	return reader.Place{Account: id, Path: folder}
}

// QueryOf lists what a path of the tree has.
func QueryOf(path string) reader.Query {
	p := PlaceOf(path)
	q := reader.Query{Folder: p.Path}
	if strings.HasPrefix(path, accountMark) {
		q.Accounts = []int64{p.Account}
	}
	return q
}

// InFolder reports whether a folder is another one or lies in it.
func InFolder(folder, in string) bool {
	return folder == in || strings.HasPrefix(folder, in+reader.FolderSeparator)
}

// NameOf is the name of a folder of the tree.
func NameOf(path string) string {
	if i := strings.LastIndex(path, reader.FolderSeparator); i >= 0 {
		return path[i+len(reader.FolderSeparator):]
	}
	return path
}

// SameFolder reports whether two feeds lie in one folder.
func SameFolder(a, b *reader.Feed) bool { return a.Folder == b.Folder && a.Account == b.Account }

// Root is the path of an account, "" while feeds are not grouped.
func (s *Snapshot) Root(account int64) string {
	if len(s.Accounts) == 0 {
		return ""
	}
	return AccountPath(account)
}

// Path is where a feed lies in the tree: its folder, within its account.
func (s *Snapshot) Path(f *reader.Feed) string {
	root := s.Root(f.Account)
	switch {
	case root == "":
		return f.Folder
	case f.Folder == "":
		return root
	}
	return root + reader.FolderSeparator + f.Folder
}

// Folders returns all folders of an account, to choose one.
func (s *Snapshot) Folders(account int64) []string {
	var names []string
	for _, f := range s.Feeds {
		if f.Account == account && f.Folder != "" && (len(names) == 0 || names[len(names)-1] != f.Folder) {
			names = append(names, f.Folder)
		}
	}
	return names
}

// IsQuiet reports whether a feed is left out of All, Unread and Today.
func (s *Snapshot) IsQuiet(f *reader.Feed) bool { return reader.IsQuiet(*f, s.FolderChoices) }

// IsQuietFolder reports whether a folder is, at a path of the tree.
func (s *Snapshot) IsQuietFolder(path string) bool {
	p := PlaceOf(path)
	return reader.IsQuiet(reader.Feed{Account: p.Account, Folder: p.Path}, s.FolderChoices)
}

// NewPath is the path that a folder of the snapshot before has now if all feeds that were in it went there together, else "".
func (s *Snapshot) NewPath(folder string, before []reader.Feed) (path string) {
	for i := range before {
		old := s.Path(&before[i])
		if !InFolder(old, folder) {
			continue
		}
		now := s.Feed(before[i].ID)
		if now == nil {
			continue
		}
		to, ok := strings.CutSuffix(s.Path(now), strings.TrimPrefix(old, folder))
		if !ok || path != "" && path != to {
			return ""
		}
		path = to
	}
	return path
}

// Branch is a part of the tree: a feed, or a folder and all in it.
type Branch struct {
	Feed   *reader.Feed
	Folder string // its path, if Feed is nil
}

// Path is the path that a branch has or lies at, "" for the top level.
func (b Branch) Path(s *Snapshot) string {
	if b.Feed != nil {
		return s.Path(b.Feed)
	}
	return b.Folder
}

// FeedsOf are the feeds of a branch.
func (s *Snapshot) FeedsOf(b Branch) (feeds []reader.Feed) {
	switch {
	case b.Feed != nil:
		if f := s.Feed(b.Feed.ID); f != nil {
			feeds = append(feeds, *f)
		}
	case b.Folder != "":
		for _, f := range s.below(b.Folder) {
			feeds = append(feeds, *f)
		}
	}
	return feeds
}

// below returns the feeds in a folder and those within it.
func (s *Snapshot) below(folder string) (feeds []*reader.Feed) {
	for i := range s.Feeds {
		if InFolder(s.Path(&s.Feeds[i]), folder) {
			feeds = append(feeds, &s.Feeds[i])
		}
	}
	return feeds
}

// Moves returns a function that tells the folder each feed gets when a branch is moved to a path of its account. Nothing moves
// into itself. The feeds are looked for once, not for each path.
func (s *Snapshot) Moves(b Branch) func(into string) map[int64]string {
	if f := b.Feed; f != nil {
		return func(into string) map[int64]string {
			if p := PlaceOf(into); p.Account == f.Account && p.Path != f.Folder {
				return map[int64]string{f.ID: p.Path}
			}
			return nil
		}
	}
	below := s.below(b.Folder)
	return func(into string) map[int64]string {
		if PlaceOf(into).Account != PlaceOf(b.Folder).Account {
			return nil
		}
		name := NameOf(b.Folder)
		if into != "" {
			name = into + reader.FolderSeparator + name
		}
		if InFolder(into, b.Folder) || name == b.Folder {
			return nil
		}
		return s.renames(below, b.Folder, name)
	}
}

// Renames returns the folder each feed gets when a folder gets another path in its account.
func (s *Snapshot) Renames(from, to string) map[int64]string {
	return s.renames(s.below(from), from, to)
}

func (s *Snapshot) renames(below []*reader.Feed, from, to string) map[int64]string {
	folders := map[int64]string{}
	for _, f := range below {
		folders[f.ID] = PlaceOf(to + strings.TrimPrefix(s.Path(f), from)).Path
	}
	return folders
}

// AccountsOf are the accounts of feeds that were moved into folders, 0 for this computer.
func (s *Snapshot) AccountsOf(folders map[int64]string) (ids []int64) {
	for id := range folders {
		if f := s.Feed(id); f != nil && !slices.Contains(ids, f.Account) {
			ids = append(ids, f.Account)
		}
	}
	return ids
}
