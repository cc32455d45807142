package verbs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/reader/opml"
)

// importVerb subscribes to the feeds of an OPML file.
type importVerb struct{ *env }

func (v importVerb) command() *cobra.Command {
	var o importOptions
	c := &cobra.Command{Use: "import FILE|DIR", Short: "Take over what another reader has left, or the feeds of an OPML file", Args: cobra.MaximumNArgs(1),
		Long: "Adds the feeds of an OPML file, what kairos export --all has written, or what another reader has left: feeds with folders and\n" +
			"titles, and articles with dates, stars, labels and read marks. FILE is its database or export, DIR a folder with it. Of a\n" +
			"database a copy is read, so its reader may run. Nothing is added twice; what is read or starred there is so here, too.\n" +
			"If it fails or is interrupted, nothing has changed. --preview only says what would come, --find what other readers\n" +
			"have left in their usual folders, --list what was imported, and --undo takes an import back as a whole.\n\n" +
			"Readers: " + strings.Join(readerNames(), ", ") + ".",
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.run(cmd.Context(), o, args, cmd.Flags().Changed("undo"))
		}}
	c.Flags().BoolVar(&o.local, "local", false, "do not pause the feeds that are files or lie in your own network")
	c.Flags().StringVar(&o.from, "from", "", "the `READER` that the file is of, where that cannot be told")
	c.Flags().BoolVar(&o.preview, "preview", false, "say what would be imported, and import nothing")
	c.Flags().BoolVar(&o.find, "find", false, "list what other readers have left in their usual folders")
	c.Flags().BoolVar(&o.list, "list", false, "list what was imported of other readers")
	c.Flags().Int64Var(&o.undo, "undo", 0, "take import `ID` back: its feeds, articles, stars, labels and marks")
	c.MarkFlagsMutuallyExclusive("preview", "find", "list", "undo")
	return c
}

func (v importVerb) importFile(ctx context.Context, h *home.Home, name string, o importOptions) error {
	if dir, is := home.IsExport(name); is {
		return v.everything(ctx, h, dir, o.local)
	}
	if !isFeedList(name) || o.from != "" {
		return v.importReader(ctx, h, name, o)
	}
	local := o.local
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("cannot read the file: %w", err)
	}
	defer f.Close()
	done, err := h.Subscriptions.Import(ctx, f, local)
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
	}{len(done.Added) + len(done.Local), done.Known, []refusal{}, nil, done.Warnings}
	for _, r := range done.Refused {
		why := text.English().ListRefusal(r)
		out.Refused = append(out.Refused, refusal{r.Line, r.Text, why, r.Code})
		where := ""
		if r.Line > 0 {
			where = fmt.Sprintf("line %d: ", r.Line)
		}
		v.complain("%s%s: %s", where, r.Text, why)
	}
	for _, w := range done.Warnings {
		note := text.English().ListWarning(w)
		out.Notes = append(out.Notes, note)
		v.complain("%s", note)
	}
	if err := v.print(out, "%d added, %d already subscribed, %d refused", out.Added, out.Known, len(out.Refused)); err != nil {
		return err
	}
	if len(out.Refused) > 0 || len(out.Notes) > 0 {
		return someFailed
	}
	return nil
}

// everything adds what was exported into a folder.
func (v importVerb) everything(ctx context.Context, h *home.Home, dir string, local bool) error {
	bar := newProgress(v.env)
	done, err := h.Everything.Import(ctx, dir, local, bar.of)
	bar.clear()
	if err != nil {
		return err
	}
	if err := v.print(done, "%d feeds and %d articles added, %d feeds were there", done.Feeds, done.Articles, done.Known); err != nil {
		return err
	}
	if done.Local > 0 {
		v.complain("%d feeds of this computer or its network were paused; --local does not", done.Local)
	}
	for _, one := range done.Damaged {
		v.complain("%s: %s", one.File, text.English().Error(one.Err))
	}
	if len(done.Damaged) > 0 {
		return someFailed
	}
	return nil
}
