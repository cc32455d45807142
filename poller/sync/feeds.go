package sync

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"kairos/reader"
)

// feedsDue reports whether the list of feeds is to be got: it is old, or something was changed here.
func (r *run) feedsDue(ctx context.Context) (bool, error) {
	if r.byHand || r.odd || r.state.Phase == New || !r.state.Missing.IsZero() || apart(r.now(), r.state.listed) >= relistAfter {
		return true, nil
	}
	ours, err := reader.ServerFeeds(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return false, err
	}
	refused, err := r.refusedFeeds(ctx)
	if err != nil {
		return false, err
	}
	for _, f := range ours {
		same := f.ServerTitle != nil && *f.ServerTitle == f.Title && f.ServerFolder != nil && *f.ServerFolder == f.Folder
		if (f.Remote == "" || f.Unsubscribed || !same) && !refused[f.ID] {
			return true, nil
		}
	}
	return false, nil
}

// syncFeeds makes the feeds here and at the server the same.
func (r *run) syncFeeds(ctx context.Context) error {
	theirs, err := r.service.Feeds(ctx)
	if err != nil {
		return err
	}
	for i := range theirs {
		theirs[i] = r.admit(theirs[i])
	}
	ours, err := reader.ServerFeeds(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return err
	}
	refused, err := r.refusedFeeds(ctx)
	if err != nil {
		return err
	}
	next := r.state
	next.listed = r.now()
	changes := mergeFeeds(ours, theirs)
	var doubt bool
	next.Missing, doubt = r.doubt(changes)
	if err := r.takeFolders(ctx, changes); err != nil {
		return err
	}
	if err := r.forgetNumbers(ctx, changes); err != nil {
		return err
	}
	if err := r.renameFolders(ctx, changes); err != nil {
		return err
	}
	var doubtful []string
	for _, c := range changes {
		if doubt && c.kind == replaceHere {
			doubtful = append(doubtful, c.ours.Remote)
		}
		if doubt && (c.kind == archiveHere || c.kind == replaceHere || c.kind == forgetHere) || c.kind == subscribeThere && refused[c.ours.ID] {
			continue
		}
		if err := r.applyFeed(ctx, c); err != nil {
			return err
		}
	}
	if err := r.write(ctx, next, nil); err != nil {
		return err
	}
	r.relisted, r.listed = true, map[int64]bool{}
	for _, c := range changes {
		r.listed[c.ours.ID] = c.kind == compareBoth
	}
	if err := r.loadFeeds(ctx); err != nil {
		return err
	}
	for _, id := range doubtful {
		r.feeds[id] = knownFeed{} // what has it now may be another feed
	}
	if err := r.storeHealth(ctx, theirs); err != nil {
		return err
	}
	return r.verifyReturned(ctx)
}

// admit drops addresses of a feed that its server may not tell: they would be fetched, or lead into the local network, later.
func (r *run) admit(f Feed) Feed {
	f.URL, f.Site = reader.ServerAddress(r.account.URL, f.URL), reader.ServerAddress(r.account.URL, f.Site)
	return f
}

// ConfirmAfter is how much later another list has to say, too, that many feeds are gone, before they are removed here: a server that
// has failed, or whose backup is being restored, is not taken for its user.
const ConfirmAfter = 6 * time.Hour

// doubt reports whether the server lacks so many feeds that this list is not believed yet, and since when it does.
func (r *run) doubt(changes []feedChange) (since time.Time, doubt bool) {
	switch {
	case !vanished(changes):
		return time.Time{}, false
	case r.state.Missing.IsZero():
		return r.now(), true
	case apart(r.now(), r.state.Missing) < ConfirmAfter:
		return r.state.Missing, true
	}
	return time.Time{}, false
}

// applyFeed does what a merge asks for. A change that the server does not accept is reported, and does not stop the others.
func (r *run) applyFeed(ctx context.Context, c feedChange) error {
	var err error
	switch c.kind {
	case addHere:
		err = r.addFeed(ctx, c.theirs)
	case archiveHere:
		err = r.archiveFeed(ctx, c.ours)
	case replaceHere:
		r.odd = true
		if err = r.archiveFeed(ctx, c.ours); err == nil {
			err = r.addFeed(ctx, c.theirs)
		}
	case linkHere:
		err = r.linkFeed(ctx, c.ours, c.theirs)
	case forgetHere:
		err = r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.UnlinkServerFeed(ctx, tx, c.ours.ID) })
	case compareBoth:
		err = r.compareFeed(ctx, c.ours, c.theirs)
	case subscribeThere:
		err = r.subscribe(ctx, c.ours)
	case unsubscribeThere:
		err = r.unsubscribe(ctx, c.ours.ID, c.theirs.ID)
	}
	var fault *Error
	if errors.As(err, &fault) && isRejected(err) {
		r.result.Refused = append(r.result.Refused, Refusal{c.ours.ID, c.ours.Title, fault})
		return r.refuse(ctx, c, fault)
	}
	return err
}

func (r *run) addFeed(ctx context.Context, f Feed) error {
	joined := false
	err := r.write(ctx, r.state, func(tx *sql.Tx) (err error) {
		if joined, err = reader.TakeKeptFeed(ctx, tx, r.account.ID, f.ID, f.URL); err != nil {
			return err
		}
		id, err := reader.AddServerFeed(ctx, tx, r.account.ID, f.ID, reader.Feed{URL: f.URL, Title: titleOf(f), Site: f.Site, Folder: f.Folder}, r.now())
		if err != nil {
			return err
		}
		cameBack, err := reader.ReclaimServerArticles(ctx, tx, r.account.ID, id)
		if err == nil && cameBack {
			_, err = tx.ExecContext(ctx, "INSERT OR IGNORE INTO sync_returned (feed) VALUES (?)", id)
		}
		if err == nil && r.state.Phase == Ready {
			err = r.recheck(ctx, tx)
		}
		return err
	})
	if err == nil {
		r.result.FeedsAdded++
	}
	if err == nil && joined {
		r.result.FeedsJoined++
	}
	return err
}

// recheck makes this synchronization, and the next ones until one comes to its end, trust no list: there are articles under new ids
// of which no difference tells.
func (r *run) recheck(ctx context.Context, tx *sql.Tx) error {
	r.odd = true
	return reader.SetAccountToRecheck(ctx, tx, r.account.ID, true)
}

// verifyReturned looks at articles of the feeds that came back. Usually the server has them all, under the ids they had; if it does not
// have the newest as they were, all are looked at.
func (r *run) verifyReturned(ctx context.Context) error {
	feeds, err := r.returned(ctx)
	if err != nil {
		return err
	}
	for _, feed := range feeds {
		keys, err := reader.ServerKeys(ctx, r.store.Read(), r.account.ID, feed)
		if err != nil {
			return err
		}
		reused := r.reused
		gone, err := r.retake(ctx, keys[:min(len(keys), sample)], nil)
		if err == nil && (len(gone) > 0 || r.reused > reused) {
			var more map[string]bool
			more, err = r.retake(ctx, keys[min(len(keys), sample):], nil)
			maps.Copy(gone, more)
		}
		if err == nil && len(gone) > 0 {
			err = r.disown(ctx, gone)
		}
		if err != nil {
			return err
		}
		err = r.write(ctx, r.state, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "DELETE FROM sync_returned WHERE feed = ?", feed)
			return err
		})
		if err != nil {
			return fmt.Errorf("note that feed %d was verified: %w", feed, err)
		}
	}
	return nil
}

// returned lists the account's feeds that came back and were not verified since.
func (r *run) returned(ctx context.Context) ([]int64, error) {
	return reader.Collect(ctx, r.store.Read(), "list feeds that came back", func(row *sql.Rows, feed *int64) error {
		return row.Scan(feed)
	}, "SELECT feed FROM sync_returned WHERE feed IN (SELECT id FROM reader_feed WHERE account = ?)", r.account.ID)
}

// archiveFeed unsubscribes here from a feed that the server does not have any more. Its starred articles stay.
func (r *run) archiveFeed(ctx context.Context, f reader.ServerFeed) error {
	err := r.write(ctx, r.state, func(tx *sql.Tx) error {
		if err := reader.UnlinkServerFeed(ctx, tx, f.ID); err != nil {
			return err
		}
		return ignoreUnknown(reader.Unsubscribe(ctx, tx, f.ID, r.now()))
	})
	if err == nil {
		r.result.FeedsRemoved++
	}
	return err
}

// ignoreUnknown ignores that a feed was unsubscribed a moment ago.
func ignoreUnknown(err error) error {
	if errors.Is(err, reader.ErrUnknown) {
		return nil
	}
	return err
}

// linkFeed gives a feed the id it has at the server, and then compares the two.
func (r *run) linkFeed(ctx context.Context, ours reader.ServerFeed, theirs Feed) error {
	there := false
	err := r.write(ctx, r.state, func(tx *sql.Tx) error {
		if ours.Remote != "" {
			if err := errors.Join(r.recheck(ctx, tx), reader.UnlinkServerFeed(ctx, tx, ours.ID)); err != nil {
				return err
			}
		}
		err := reader.LinkServerFeed(ctx, tx, ours.ID, theirs.ID)
		if there = err == nil; !there {
			return ignoreUnknown(err)
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM sync_refused WHERE feed = ?", ours.ID); err != nil {
			return fmt.Errorf("accept a feed: %w", err)
		}
		return nil
	})
	if err != nil || !there {
		return err
	}
	ours.Remote = theirs.ID
	// What was not chosen here is as it is there, also where the server has the feed under another id than before.
	if _, editor := r.service.(Editor); ours.ServerTitle == nil && !editor {
		ours.ServerTitle = &ours.Title
	}
	if ours.ServerFolder == nil && ours.Folder == "" {
		ours.ServerFolder = new(string)
	}
	return r.compareFeed(ctx, ours, theirs)
}

// forgetNumbers forgets the ids of feeds that are others' now, all before the first of them gets its new one, which may be another's. An
// unsubscribed feed gets it at once: its server is still to be told.
func (r *run) forgetNumbers(ctx context.Context, changes []feedChange) error {
	claimed := map[string]bool{}
	for _, c := range changes {
		if c.kind == linkHere || c.kind == unsubscribeThere {
			claimed[c.theirs.ID] = true
		}
	}
	moved := slices.DeleteFunc(slices.Clone(changes), func(c feedChange) bool { return !c.losesID(claimed) })
	if len(moved) == 0 {
		return nil
	}
	return r.write(ctx, r.state, func(tx *sql.Tx) error {
		if err := r.recheck(ctx, tx); err != nil {
			return err
		}
		for _, c := range moved {
			if err := reader.ForgetServerID(ctx, tx, c.ours.ID); err != nil {
				return err
			}
		}
		for _, c := range moved {
			if c.kind != unsubscribeThere {
				continue
			}
			if err := reader.SetUnsubscribedServerID(ctx, tx, c.ours.ID, c.theirs.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// takeFolders moves feeds to the folders that they were moved to at the server: all at once, so that a folder that got another name is
// told from feeds that were moved.
func (r *run) takeFolders(ctx context.Context, changes []feedChange) error {
	folders, was := map[int64]string{}, map[int64]string{}
	for _, c := range changes {
		if there := reader.NormalizeFolder(c.theirs.Folder); c.kind == compareBoth && mergeText(c.ours.Folder, c.ours.ServerFolder, there).take {
			folders[c.ours.ID], was[c.ours.ID] = there, c.ours.Folder
		}
	}
	if len(folders) == 0 {
		return nil
	}
	return r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.TakeServerFolders(ctx, tx, folders, was) })
}

// renameFolders renames folders at the server whose feeds were all moved to the same new one here. If it does not, they are moved one by one.
func (r *run) renameFolders(ctx context.Context, changes []feedChange) error {
	renamer, ok := r.service.(FolderRenamer)
	if !ok {
		return nil
	}
	renames := renamedFolders(changes)
	for _, from := range slices.Sorted(maps.Keys(renames)) {
		to := renames[from]
		ofFolder := func(c feedChange) bool {
			return c.kind == compareBoth && reader.NormalizeFolder(c.theirs.Folder) == from
		}
		note := func(folder *string) error {
			return r.write(ctx, r.state, func(tx *sql.Tx) error {
				for _, c := range changes {
					if !ofFolder(c) {
						continue
					}
					if err := reader.SetServerTitle(ctx, tx, c.ours.ID, c.ours.ServerTitle, folder); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := note(nil); err != nil {
			return err
		}
		renamed, err := renamer.RenameFolder(ctx, from, to)
		if isRejected(err) || err == nil && !renamed {
			continue
		}
		if err == nil {
			err = note(&to)
		}
		if err != nil {
			return err
		}
		for i := range changes {
			if ofFolder(changes[i]) {
				changes[i].theirs.Folder, changes[i].ours.ServerFolder = to, &to
			}
		}
	}
	return nil
}

// compareFeed merges titles and folders.
func (r *run) compareFeed(ctx context.Context, ours reader.ServerFeed, theirs Feed) error {
	theirTitle, theirFolder := titleOf(theirs), reader.NormalizeFolder(theirs.Folder)
	base := ours.ServerTitle
	if ours.Title == ours.URL { // it has no title here
		base = &ours.Title
	}
	title, folder := mergeText(ours.Title, base, theirTitle), mergeText(ours.Folder, ours.ServerFolder, theirFolder)
	var edit Change
	titleThere, folderThere := &theirTitle, &theirFolder // after the edit
	if title.send {
		edit.Title, titleThere = &ours.Title, &ours.Title
	}
	if folder.send {
		edit.Folder, folderThere = &ours.Folder, &ours.Folder
	}
	known := func(now string, sent bool) *string {
		if sent {
			return nil
		}
		return &now
	}
	before := r.admit(Feed{URL: ours.URL, Site: ours.Site}) // of an earlier version it may be any
	address, site := cmp.Or(theirs.URL, before.URL), cmp.Or(theirs.Site, before.Site)
	settled := edit == (Change{}) && !title.take && !folder.take && ours.ServerTitle != nil && *ours.ServerTitle == theirTitle &&
		ours.ServerFolder != nil && *ours.ServerFolder == theirFolder && ours.URL == address && ours.Site == site
	if settled {
		return nil
	}
	err := r.write(ctx, r.state, func(tx *sql.Tx) error {
		now, err := reader.GetFeed(ctx, tx, ours.ID)
		if err != nil {
			return ignoreUnknown(err)
		}
		if title.take && now.Title == ours.Title {
			err = reader.TakeServerTitle(ctx, tx, ours.ID, theirTitle)
		}
		if err == nil && folder.take {
			err = reader.TakeServerFolders(ctx, tx, map[int64]string{ours.ID: theirFolder}, map[int64]string{ours.ID: ours.Folder})
		}
		if err == nil {
			err = reader.SetServerAddress(ctx, tx, ours.ID, address, site)
		}
		if err != nil {
			return err
		}
		return reader.SetServerTitle(ctx, tx, ours.ID, known(theirTitle, title.send), known(theirFolder, folder.send))
	})
	if err != nil || edit == (Change{}) {
		return err
	}
	editor, ok := r.service.(Editor)
	if !ok {
		return &Error{Code: NoEdit, Host: r.host()}
	}
	if err := editor.Edit(ctx, ours.Remote, edit); err != nil {
		return err
	}
	return r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.SetServerTitle(ctx, tx, ours.ID, titleThere, folderThere) })
}

// subscribe adds a feed of ours at the server.
func (r *run) subscribe(ctx context.Context, ours reader.ServerFeed) error {
	title := ours.Title
	if title == ours.URL {
		title = ""
	}
	theirs, err := r.service.Subscribe(ctx, ours.URL, title, ours.Folder)
	if err != nil {
		return err
	}
	if theirs = r.admit(theirs); theirs.ID == "" {
		return &Error{Code: Garbled, Err: errors.New("a new feed without an id")}
	}
	return r.linkFeed(ctx, ours, theirs)
}

// unsubscribe removes a feed at the server that the user has unsubscribed from here. Until there is an answer what the server has
// is not known.
func (r *run) unsubscribe(ctx context.Context, feed int64, remote string) error {
	still := false
	err := r.write(ctx, r.state, func(tx *sql.Tx) error {
		var err error
		if still, err = reader.IsUnsubscribed(ctx, tx, feed); err != nil || !still {
			return err
		}
		return reader.SetServerTitle(ctx, tx, feed, nil, nil)
	})
	if err != nil || !still {
		return err
	}
	if err := r.service.Unsubscribe(ctx, remote); err != nil {
		return err
	}
	return r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.UnlinkServerFeed(ctx, tx, feed) })
}

// refuse gives way to the server: what it did not accept is not sent again with every synchronization, and what it has is taken
// with the next list.
func (r *run) refuse(ctx context.Context, c feedChange, fault *Error) error {
	return r.write(ctx, r.state, func(tx *sql.Tx) error {
		switch c.kind {
		case subscribeThere:
			why, err := json.Marshal(fault)
			if err == nil {
				_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO sync_refused (feed, at, error) SELECT id, ?, ? FROM reader_feed WHERE id = ?",
					seconds(r.now()), string(why), c.ours.ID)
			}
			if err != nil {
				return fmt.Errorf("store a refused feed: %w", err)
			}
			return nil
		case unsubscribeThere:
			return ignoreUnknown(reader.Resubscribe(ctx, tx, c.ours.ID))
		}
		f, err := reader.GetFeed(ctx, tx, c.ours.ID)
		if err != nil {
			return ignoreUnknown(err)
		}
		return reader.SetServerTitle(ctx, tx, f.ID, &f.Title, &f.Folder)
	})
}

// askAgain is after how long a feed that the server did not accept is sent again.
const askAgain = 24 * time.Hour

// AskAgain has the next synchronization ask a server once more for a feed that it did not accept.
func (e *Engine) AskAgain(ctx context.Context, feed int64) error {
	return e.store.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE sync_refused SET at = 0 WHERE feed = ?", feed)
		return err
	})
}

// feedsWait returns how many feeds the server of an account has otherwise than they are here, without those that it did not add.
func (e *Engine) feedsWait(ctx context.Context, account int64) (n int, err error) {
	unsent, err := reader.UnsentFeeds(ctx, e.store.Read(), account)
	if err != nil || len(unsent) == 0 {
		return 0, err
	}
	health, err := e.FeedHealth(ctx)
	for _, id := range unsent {
		if health[id].NotAdded == nil {
			n++
		}
	}
	return n, err
}

// refusedFeeds returns the feeds that the server did not accept lately.
func (r *run) refusedFeeds(ctx context.Context) (map[int64]bool, error) {
	rows, err := r.store.Read().QueryContext(ctx, "SELECT feed FROM sync_refused WHERE at > ?", seconds(r.now().Add(-askAgain)))
	if err != nil {
		return nil, fmt.Errorf("list refused feeds: %w", err)
	}
	defer rows.Close()
	refused := map[int64]bool{}
	for rows.Next() {
		var feed int64
		if err := rows.Scan(&feed); err != nil {
			return nil, fmt.Errorf("list refused feeds: %w", err)
		}
		refused[feed] = true
	}
	return refused, rows.Err()
}
