package feeds

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/text"
	"kairos/poller"
	"kairos/reader"
)

// addedSeveral is what became of several addresses.
type addedSeveral struct {
	last   reader.Feed // that was added
	added  int
	known  int // subscribed already
	failed []string
	why    []error // of each that failed
}

// addSeveral subscribes to the main feed of each address. Those that fail stay in the dialog, with the reasons.
func (s *subscribeDialog) addSeveral(addresses []string) {
	s.busy(lang.L("Looking for feeds…"))
	account, folder := s.Account, strings.TrimSpace(s.Folder.Text)
	async.Load(s.Shell.Jobs, &s.request, func(ctx context.Context) (done addedSeveral, _ error) {
		for _, address := range addresses {
			found, err := s.Shell.Home.Poller.Discover(ctx, address, poller.Login{})
			var f AddedFeed
			var duplicate *reader.DuplicateError
			if account != 0 && errors.As(err, &duplicate) {
				found, err = []poller.Candidate{{URL: duplicate.Feed.URL}}, nil
			}
			if err == nil {
				f, err = s.addOne(ctx, found[0], reader.Feed{Folder: folder, Account: account}, poller.Login{})
			}
			switch {
			case errors.As(err, &duplicate):
				done.known++
			case err != nil:
				done.failed, done.why = append(done.failed, address), append(done.why, err)
			default:
				done.last = f.Feed
				done.added++
			}
		}
		return done, nil
	}, s.addedSeveral)
}

// addedSeveral tells what became of several addresses.
func (s *subscribeDialog) addedSeveral(done addedSeveral) {
	printer := language.Printer()
	said := lang.L("Added {{.Feed}}.", map[string]any{"Feed": printer.Feeds(done.added)})
	if done.known > 0 {
		said = lang.L("{{.Feeds}} added, {{.Known}} already subscribed.", map[string]any{"Feeds": printer.Feeds(done.added), "Known": done.known})
	}
	if done.added > 0 {
		s.Sidebar.ChooseFeed(done.last)
	}
	if len(done.failed) == 0 {
		s.dialog.Hide()
		s.Shell.Say(said)
		return
	}
	lines := []string{said, lang.L("Not added:")}
	for i, err := range done.why[:min(len(done.why), maxReasons)] {
		lines = append(lines, lang.L("{{.Text}}: {{.Reason}}", map[string]any{"Text": text.CutMiddle(done.failed[i], 60), "Reason": notAddedText(err)}))
	}
	if len(done.why) > maxReasons {
		lines = append(lines, "…")
	}
	s.Address.SetText(strings.Join(done.failed, " "))
	s.refuse(strings.Join(lines, "\n"))
}

// maxReasons is how many addresses that were not added are told with their reasons. The others stand in the field.
const maxReasons = 5
