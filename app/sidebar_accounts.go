package app

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/home"
	"kairos/poller/sync"
	"kairos/reader"
)

// The sidebar groups feeds by account once there is one beside this computer. In its tree of folders an account is then the
// outermost one: the path of a folder begins with its account, which no name of a folder can be mistaken for.

const accountMark = "\x00"

// accountPath is the path of an account in the tree.
func accountPath(id int64) string { return accountMark + strconv.FormatInt(id, 10) }

// placeOf returns the folder that a path in the tree stands for.
func placeOf(path string) reader.Place {
	rest, marked := strings.CutPrefix(path, accountMark)
	if !marked {
		return reader.Place{Path: path}
	}
	number, folder, _ := strings.Cut(rest, reader.FolderSeparator)
	id, _ := strconv.ParseInt(number, 10, 64)
	return reader.Place{Account: id, Path: folder}
}

// root is the path of an account, "" while feeds are not grouped.
func (d *sidebarData) root(account int64) string {
	if len(d.accounts) == 0 {
		return ""
	}
	return accountPath(account)
}

// path is where a feed lies in the tree: its folder, within its account.
func (d *sidebarData) path(f *reader.Feed) string {
	root := d.root(f.Account)
	switch {
	case root == "":
		return f.Folder
	case f.Folder == "":
		return root
	}
	return root + reader.FolderSeparator + f.Folder
}

// account returns an account, nil if there is none with this id, as for this computer.
func (d *sidebarData) account(id int64) *home.AccountStatus {
	for i := range d.accounts {
		if d.accounts[i].ID == id {
			return &d.accounts[i]
		}
	}
	return nil
}

// accountName names an account; 0 is this computer.
func (d *sidebarData) accountName(id int64) string {
	if a := d.account(id); a != nil {
		return a.Name
	}
	return lang.L("This computer")
}

// rankOf is where an account stands among the others: this computer first, the others as they were added.
func (d *sidebarData) rankOf(id int64) int {
	for i := range d.accounts {
		if d.accounts[i].ID == id {
			return i + 1
		}
	}
	return 0
}

// awaitsAccount reports whether an account is being synced for the first time.
func (d *sidebarData) awaitsAccount() bool {
	return slices.ContainsFunc(d.accounts, func(a home.AccountStatus) bool { return a.Sync.Phase != sync.Ready && a.Sync.Error == nil && !a.Paused })
}

// accountItem returns the row of an account.
func (s *sidebar) accountItem(id int64) sidebarItem {
	path, icon := accountPath(id), iconOf(theme.IconNameComputer)
	if a := s.account(id); a != nil {
		switch icon = iconOf(theme.IconNameAccount); {
		case a.Sync.Error != nil:
			icon = iconOf(theme.IconNameWarning)
		case a.Paused:
			icon = iconOf(theme.IconNameMediaPause)
		}
	}
	return sidebarItem{key: folderKey(path), name: s.accountName(id), icon: icon, account: true, collapsed: s.collapsed[path], folder: path,
		count: s.unread.Folders[reader.Place{Account: id}], query: queryOf(path), paused: s.account(id) != nil && s.account(id).Paused}
}

// queryOf lists what a path of the tree has.
func queryOf(path string) reader.Query {
	p := placeOf(path)
	q := reader.Query{Folder: p.Path}
	if strings.HasPrefix(path, accountMark) {
		q.Accounts = []int64{p.Account}
	}
	return q
}

// accountsOf are the accounts of feeds that were moved into folders, 0 for this computer.
func (s *sidebar) accountsOf(folders map[int64]string) (ids []int64) {
	for id := range folders {
		if f := s.feed(id); f != nil && !slices.Contains(ids, f.Account) {
			ids = append(ids, f.Account)
		}
	}
	return ids
}
