package verbs

import (
	"bytes"
	"context"
	"io"

	"github.com/spf13/cobra"

	"kairos/app/atomicfile"
	"kairos/app/home"
)

// exportVerb writes the feeds as OPML.
type exportVerb struct{ *env }

func (v exportVerb) command() *cobra.Command {
	return &cobra.Command{Use: "export [FILE]", Short: "Write the feeds as OPML, to FILE or standard output", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
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
}
