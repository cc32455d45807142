package verbs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"kairos/app/atomicfile"
	"kairos/app/home"
	"kairos/app/text"
	"kairos/reader/opml"
)

func (e *env) importCommand() *cobra.Command {
	return &cobra.Command{Use: "import FILE", Short: "Subscribe to the feeds of an OPML list", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				return e.importList(ctx, h, e.path(args[0]))
			})
		}}
}

func (e *env) importList(ctx context.Context, h *home.Home, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("the list cannot be read: %w", err)
	}
	defer f.Close()
	done, err := h.Subscriptions.Import(ctx, f)
	if err != nil {
		if list := (*opml.Error)(nil); errors.As(err, &list) {
			return fmt.Errorf("%s: %s", name, text.English().ListError(list))
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	type refusal struct {
		Line    int              `json:"line,omitempty"`
		Text    string           `json:"text"`
		Why     string           `json:"why"`
		WhyCode opml.RefusalCode `json:"whyCode"`
	}
	out := struct {
		Added     int            `json:"added"`
		Known     int            `json:"known"`
		Refused   []refusal      `json:"refused"`
		Notes     []string       `json:"notes,omitempty"`
		NoteFacts []opml.Warning `json:"noteFacts,omitempty"` // codes and values of Notes
	}{len(done.Added), done.Known, []refusal{}, nil, done.Warnings}
	for _, r := range done.Refused {
		why := text.English().ListRefusal(r)
		out.Refused = append(out.Refused, refusal{r.Line, r.Text, why, r.Code})
		where := ""
		if r.Line > 0 {
			where = fmt.Sprintf("line %d: ", r.Line)
		}
		e.complain("%s%s: %s", where, r.Text, why)
	}
	for _, w := range done.Warnings {
		note := text.English().ListWarning(w)
		out.Notes = append(out.Notes, note)
		e.complain("%s", note)
	}
	if err := e.print(out, "%d added, %d known already, %d refused", out.Added, out.Known, len(out.Refused)); err != nil {
		return err
	}
	if len(out.Refused) > 0 || len(out.Notes) > 0 {
		return someFailed
	}
	return nil
}

func (e *env) exportCommand() *cobra.Command {
	return &cobra.Command{Use: "export [FILE]", Short: "Write the feeds as an OPML list", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.reading(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				var list bytes.Buffer
				n, err := h.Store.Feeds.Export(ctx, &list, h.Now())
				if err != nil {
					return err
				}
				if len(args) == 0 || args[0] == "-" {
					_, err := io.Copy(e.out, &list)
					return err
				}
				if err := atomicfile.Write(e.path(args[0]), list.Bytes()); err != nil {
					return err
				}
				return e.print(struct {
					Feeds int    `json:"feeds"`
					File  string `json:"file"`
				}{n, e.path(args[0])}, "%d feeds written to %s", n, e.path(args[0]))
			})
		}}
}
