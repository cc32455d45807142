package verbs

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/owner"
)

// restoreVerb restores a backup.
type restoreVerb struct{ *env }

func (v restoreVerb) command() *cobra.Command {
	return &cobra.Command{Use: "restore [FILE]", Short: "Replace everything by a backup, FILE or the last weekly one", Args: cobra.MaximumNArgs(1),
		Long: "Replaces feeds, articles, settings and what was learned by those of a backup, also if the database is damaged. The\n" +
			"present file is kept beside it. Without FILE it takes the last weekly backup of the data folder.",
		RunE: func(cmd *cobra.Command, args []string) error {
			file := ""
			if len(args) == 1 {
				file = v.path(args[0])
			} else {
				var err error
				if file, err = home.LastBackup(v.dir); err != nil {
					if foreign := owner.Foreign(v.dir); foreign != nil { // whose backups this user cannot see
						err = foreign
					}
					return &codeError{exitUsage, err}
				}
			}
			return v.restore(cmd.Context(), file)
		}}
}

// restore does not open the data folder as other verbs do, since that fails if its file is damaged.
func (v restoreVerb) restore(ctx context.Context, file string) error {
	if v.home != nil {
		aside, err := v.home.Backups.Restore(ctx, file)
		return v.done(file, aside, err)
	}
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
	aside, err := home.RestoreDamaged(ctx, v.dir, file, time.Now())
	return v.done(file, aside, err)
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
