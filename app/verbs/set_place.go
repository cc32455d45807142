package verbs

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"kairos/app/home"
	"kairos/reader"
)

// parsePlace reads a folder, or all feeds, which is the place without a path; ok is false if that is neither.
func parsePlace(text string) (p reader.Place, ok bool, err error) {
	if text == "all" {
		return p, true, nil
	}
	if rest, synced := strings.CutPrefix(text, "account/"); synced {
		id, folder, _ := strings.Cut(rest, "/")
		if p.Account, err = strconv.ParseInt(id, 10, 64); err != nil {
			return p, false, fmt.Errorf("%q is not the ID of an account", id)
		}
		text = folder
	}
	if p.Path, ok = strings.CutPrefix(text, "folder:"); !ok {
		return p, false, nil
	}
	names := strings.Split(p.Path, "/")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	if p.Path = strings.Join(names, reader.FolderSeparator); strings.Trim(p.Path, " /") == "" {
		return p, false, fmt.Errorf("%q names no folder", text)
	}
	return p, true, nil
}

// placeLine is a folder, or all feeds, as `set` prints it.
type placeLine struct {
	Account int64  `json:"account"`
	Folder  string `json:"folder"` // "": all feeds
	Quiet   bool   `json:"quiet"`
	Ends    string `json:"unreadEnds"`
	endedBySet
}

// setPlace changes what is chosen for a folder, or for all feeds.
func (v setVerb) setPlace(ctx context.Context, h *home.Home, p reader.Place, pairs []string, bringBack bool) error {
	choice, err := placeChoices(ctx, h, p)
	if err != nil {
		return err
	}
	var told changedKeys
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		switch {
		case key == "quiet" && p.Path != "":
			choice.Quiet, err = parseSwitch(value)
		case key == "unread-ends":
			choice.Ends, err = parseEnds(value)
		case p.Path == "":
			err = fmt.Errorf("all feeds together have no property %q; there is unread-ends", key)
		default:
			err = fmt.Errorf("a folder has no property %q; there are quiet and unread-ends", key)
		}
		if err != nil {
			return err
		}
		told = append(told, key)
	}
	if p.Path == "" {
		err = h.Subscriptions.SetEnds(ctx, choice.Ends)
	} else {
		_, err = h.Subscriptions.SetFolder(ctx, p, choice)
	}
	if err != nil {
		return err
	}
	ended, err := endBySet(ctx, h, told, reader.EndsChoice{Folder: p, Ends: choice.Ends}, bringBack)
	if err != nil {
		return err
	}
	name, otherwise := p.Path, "unread articles expire as the folder around it says, or all"
	if name == "" {
		name, otherwise = "all feeds", "unread articles never expire"
	}
	return v.print(placeLine{p.Account, p.Path, choice.Quiet, endsText(choice.Ends), ended}, "%s%s", name, told.text(choice.Quiet, choice.Ends, otherwise)+ended.text())
}

// placeChoices returns what is chosen for a folder that has feeds, or for all feeds.
func placeChoices(ctx context.Context, h *home.Home, p reader.Place) (c reader.FolderChoices, err error) {
	if p.Path == "" {
		c.Ends, err = h.Store.Settings.Ends(ctx)
		return c, err
	}
	folders, err := h.Store.Feeds.Folders(ctx)
	if err != nil {
		return c, err
	}
	feeds, err := h.Store.Feeds.List(ctx)
	if err != nil {
		return c, err
	}
	for _, f := range feeds {
		if f.Account == p.Account && (f.Folder == p.Path || strings.HasPrefix(f.Folder, p.Path+reader.FolderSeparator)) {
			return folders[p], nil
		}
	}
	return c, fmt.Errorf("there is no folder %q", p.Path)
}

// parseEnds reads when unread articles end.
func parseEnds(text string) (e reader.Ends, err error) {
	switch text {
	case "", "default", "0":
		return e, nil
	case "never", "off":
		return reader.Ends{Days: reader.EndNever, Number: reader.EndNever}, nil
	}
	for _, part := range strings.Split(text, ",") {
		days, isDays := strings.CutSuffix(strings.TrimSpace(part), "d")
		n, err := strconv.Atoi(days)
		switch {
		case days == "newer":
			e.Number = 1
		case err != nil || n < 1:
			return reader.Ends{}, fmt.Errorf("%q is not when unread articles expire; use 7d, 20, newer, 7d,20, never or default", text)
		case isDays:
			e.Days = n
		default:
			e.Number = n
		}
	}
	return e, nil
}

// endsText describes when unread articles end.
func endsText(e reader.Ends) string {
	switch days, number := endText(e.Days, "d"), endText(e.Number, ""); {
	case e == reader.Ends{}:
		return "default"
	case days == number:
		return days
	case e.Days == 0:
		return number
	case e.Number == 0:
		return days
	default:
		return days + "," + number
	}
}

// endsPhrase describes in words when unread articles end.
func endsPhrase(e reader.Ends) string {
	if e.Days == reader.EndNever || e.Number == reader.EndNever {
		return "never"
	}
	var parts []string
	switch {
	case e.Days == 1:
		parts = append(parts, "after a day")
	case e.Days > 0:
		parts = append(parts, fmt.Sprintf("after %d days", e.Days))
	}
	switch {
	case e.Number == 1:
		parts = append(parts, "when a newer one comes")
	case e.Number > 0:
		parts = append(parts, fmt.Sprintf("beyond the newest %d", e.Number))
	}
	return strings.Join(parts, ", and ")
}

func endText(n int, unit string) string {
	switch {
	case n == reader.EndNever:
		return "never"
	case n == 1 && unit == "":
		return "newer"
	}
	return fmt.Sprint(n, unit)
}
