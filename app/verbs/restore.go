package verbs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/owner"
	"kairos/app/text"
	"kairos/reader"
)

// restoreVerb restores a backup.
type restoreVerb struct{ *env }

func (v restoreVerb) command() *cobra.Command {
	var salvage bool
	c := &cobra.Command{Use: "restore [FILE]", Short: "Replace everything by a backup, FILE or the last weekly one, or by what can be read of a damaged database", Args: cobra.MaximumNArgs(1),
		Long: "Replaces feeds, articles, settings and what was learned by those of a backup, also if the database is damaged. The\n" +
			"present file is kept beside it. Without FILE it takes the last weekly backup of the data folder; if there is none\n" +
			"and the database is damaged, it takes what can still be read of it, as --salvage does in any case.",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case salvage && len(args) == 1:
				return &codeError{exitUsage, errors.New("name a backup or --salvage, not both")}
			case salvage && v.home != nil:
				return &codeError{exitUsage, errors.New("quit Kairos first: its database is open")}
			case salvage:
				err := v.salvage(cmd.Context())
				if errors.Is(err, home.ErrNoBackup) {
					err = &codeError{exitUsage, errors.New("the database is not damaged")}
				}
				return err
			case len(args) == 1:
				return v.restore(cmd.Context(), v.path(args[0]))
			}
			file, err := home.LastBackup(v.dir)
			if err == nil {
				return v.restore(cmd.Context(), file)
			}
			if foreign := owner.Foreign(v.dir); foreign != nil { // whose backups this user cannot see
				err = foreign
			} else if _, missing := os.Stat(filepath.Join(v.dir, reader.FileName)); missing == nil && v.home == nil {
				err = v.salvage(cmd.Context())
			}
			if errors.Is(err, home.ErrNoBackup) || owner.Foreign(v.dir) != nil {
				return &codeError{exitUsage, err}
			}
			return err
		}}
	c.Flags().BoolVar(&salvage, "salvage", false, "take what can be read of the damaged database, even if there is a backup")
	return c
}

// restore does not open the data folder as other verbs do, since that fails if its file is damaged.
func (v restoreVerb) restore(ctx context.Context, file string) error {
	if v.home != nil {
		aside, err := v.home.Backups.Restore(ctx, file)
		return v.done(file, aside, err)
	}
	return v.owning(ctx, func() error {
		_, aside, err := home.RestoreDamaged(ctx, v.dir, file, time.Now())
		return v.done(file, aside, err)
	})
}

// salvage saves what can be read of a damaged database.
func (v restoreVerb) salvage(ctx context.Context) error {
	return v.owning(ctx, func() error {
		left, aside, err := home.Salvage(ctx, v.dir, time.Now())
		if err != nil {
			return err
		}
		return v.print(struct {
			Feeds    int    `json:"feeds"`
			Articles int    `json:"articles"`
			Starred  int    `json:"starred"`
			Aside    string `json:"aside"`
		}{left.Feeds, left.Articles, left.Starred, aside}, "%s and %s, %d of them starred, could be read of the damaged database, which is kept as %s",
			text.English().Feeds(left.Feeds), text.English().Articles(left.Articles), left.Starred, aside)
	})
}

// owning does something that needs the data folder for itself, or has the window do it.
func (v restoreVerb) owning(ctx context.Context, do func() error) error {
	own, code, err := owner.AcquireOrSend(ctx, v.dir, v.args, v.out, v.err)
	if err != nil {
		return v.cannotOpen(err)
	}
	if own == nil {
		if code != exitDone {
			return &codeError{code: code}
		}
		return nil
	}
	defer own.Close()
	return do()
}

func (v restoreVerb) done(file, aside string, err error) error {
	if err != nil {
		return err
	}
	return v.print(struct {
		Restored string `json:"restored"`
		Aside    string `json:"aside"`
	}{file, aside}, "restored %s; what was there before is in %s", file, aside)
}
