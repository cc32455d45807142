package text

import (
	"net/url"
	"strings"

	"kairos/reader"
)

var readerErrors = table[reader.ErrorCode]{
	reader.Newer:            "A newer version of Kairos has written the database. Install that version to open it.",
	reader.Older:            "An older version of Kairos has written the database. Open it in the window once to update it.",
	reader.Damaged:          "The database is damaged. “Close and repair…”, which a click on the status bar offers, or “kairos restore” in a terminal once Kairos has ended, brings back the last backup or what can still be read.",
	reader.Locked:           "Another program is using the database.",
	reader.ReadOnly:         "Kairos cannot write to the folder.",
	reader.Foreign:          "This is not a database of Kairos.",
	reader.Shared:           "Other users can write to the folder.",
	reader.Full:             "The disk is full.",
	reader.Disk:             "The disk cannot be read or written.",
	reader.NoLocks:          "The disk has no locks, without which two programs could write to the database at once.",
	reader.None:             "There is no database yet.",
	reader.Unknown:          "This feed or article does not exist.",
	reader.SnoozeTime:       "An article can be snoozed until a time to come, within two years.",
	reader.LabelName:        "A label needs a name of at most 60 letters.",
	reader.LabelExists:      "Another label has this name.",
	reader.AccountExists:    "This account has been added already.",
	reader.NotABackup:       "This file is not a backup of Kairos.",
	reader.BackupUnreadable: "The backup cannot be read. Check that the file exists and that you may open it.",
	reader.BackupNewer:      "A newer version of Kairos has made this backup. Install that version to restore it.",
	reader.BackupDamaged:    "This backup is damaged or incomplete. Nothing was changed.",
}

// readerError describes why the database, or a backup, cannot be used.
func (p *Printer) readerError(e *reader.Error) string { return say(p, readerErrors, e.Code) }

var folderErrors = table[reader.ErrorCode]{
	reader.Newer:    "A newer version of Kairos has written {{.Folder}}. Install that version, or choose another folder with --data.",
	reader.Older:    "An older version of Kairos has written {{.Folder}}. Open it in the window once to update it.",
	reader.Damaged:  "The database in {{.Folder}} is damaged. “kairos restore --data {{.Folder}}” brings back the last backup, or what can still be read, and keeps the damaged file.",
	reader.Locked:   "Another program is using the database in {{.Folder}}. Close that program and try again.",
	reader.ReadOnly: "Kairos cannot write to {{.Folder}}. Change the permissions of the folder, or choose another one with --data.",
	reader.Foreign:  "A file in {{.Folder}} that Kairos needs is a link, a pipe or a file of another program. Kairos has not changed it. Move it away, or choose another folder with --data.",
	reader.Shared:   "Other users can write to {{.Folder}}. Take that right from them, or choose another folder with --data.",
	reader.Full:     "The disk that holds {{.Folder}} is full. Free some space and try again.",
	reader.Disk:     "The disk that holds {{.Folder}} cannot be read or written.",
	reader.NoLocks:  "The disk that holds {{.Folder}} has no locks, without which two programs could write to the database at once. Choose a folder on another disk with --data.",
	reader.None:     "There is nothing in {{.Folder}} yet. Add a feed with “kairos add ADDRESS”, or open the window.",
}

// FolderError describes why the data folder cannot be used; e is one that reader.FileError returns.
func (p *Printer) FolderError(folder string, e *reader.Error) string {
	return say(p, folderErrors, e.Code, V{"Folder": folder})
}

// ArticleTitle returns the title of an article, or words for an article without one. A title that is a web address is shortened to
// what people read of it: "example.org/2026/why-not".
func (p *Printer) ArticleTitle(title string) string {
	if title == "" {
		return p.L("Untitled")
	}
	if !strings.HasPrefix(title, "http") || strings.ContainsAny(title, " \t\n") {
		return title
	}
	address, err := url.Parse(title)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return title
	}
	return strings.TrimPrefix(address.Host, "www.") + strings.TrimSuffix(address.EscapedPath(), "/")
}

// Categories says what an article is filed under; "" if that is nothing.
func (p *Printer) Categories(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return p.L("Filed under {{.Categories}}", V{"Categories": strings.Join(names, p.X("join.items", ", "))})
}

// duplicateFeed words that the user is already subscribed to a feed.
func (p *Printer) duplicateFeed(title string) string {
	return p.L("You are already subscribed to this feed as “{{.Feed}}”.", V{"Feed": title})
}
