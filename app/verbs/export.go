package verbs

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"kairos/app/atomicfile"
	"kairos/app/home"
)

// exportVerb writes the feeds as OPML.
type exportVerb struct{ *env }

func (v exportVerb) command() *cobra.Command {
	var everything string
	c := &cobra.Command{Use: "export [FILE]", Short: "Write the feeds as OPML, to FILE or standard output, or everything into a folder",
		Long: "Write the feeds as OPML, to FILE or standard output.\n\nWith --all, write everything into a new folder: feeds, articles with marks and labels, starred articles for other readers,\n" +
			"the log of visits and what was learned, rules and settings. Its README.txt says what is in which file. kairos import reads it back.\n" +
			"Not in it are passwords, accounts, destinations, pictures, files, the texts of deleted articles, and how the window looks on this computer.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if everything != "" {
				if len(args) > 0 {
					return errors.New("either FILE or --all DIR")
				}
				return v.reading(cmd.Context(), func(ctx context.Context, h *home.Home) error { return v.everything(ctx, h, v.path(everything)) })
			}
			return v.reading(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				var list bytes.Buffer
				n, err := h.Store.Feeds.Export(ctx, &list, h.Now())
				if err != nil {
					return err
				}
				if len(args) == 0 || args[0] == "-" {
					_, err := io.Copy(v.out, &list)
					return err
				}
				if err := atomicfile.Write(v.path(args[0]), list.Bytes()); err != nil {
					return err
				}
				return v.print(struct {
					Feeds int    `json:"feeds"`
					File  string `json:"file"`
				}{n, v.path(args[0])}, "%d feeds written to %s", n, v.path(args[0]))
			})
		}}
	c.Flags().StringVar(&everything, "all", "", "write everything into the new folder `DIR`")
	return c
}

// everything exports everything into a folder.
func (v exportVerb) everything(ctx context.Context, h *home.Home, dir string) error {
	bar := newProgress(v.env)
	done, err := h.Everything.Export(ctx, dir, bar.of)
	bar.clear()
	if err != nil {
		return err
	}
	return v.print(struct {
		home.EverythingDone
		Folder string `json:"folder"`
	}{done, dir}, "%d feeds and %d articles, %d of them starred, written to %s", done.Feeds, done.Articles, done.Starred, dir)
}
