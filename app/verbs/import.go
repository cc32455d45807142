package verbs

import (
	"strings"

	"github.com/spf13/cobra"
)

// importVerb takes over what another reader or Kairos has left, and lists of feeds.
type importVerb struct{ *env }

func (v importVerb) command() *cobra.Command {
	var o importOptions
	c := &cobra.Command{Use: "import FILE|DIR", Short: "Take over what another reader has left, or the feeds of an OPML file", Args: cobra.MaximumNArgs(1),
		Long: "Adds the feeds of an OPML file, what kairos export --all has written, zipped or not, or what another reader has left: feeds with folders and\n" +
			"titles, and articles with dates, stars, labels and read marks. FILE is its database or export, DIR a folder with it. Of a\n" +
			"database a copy is read, so its reader may run. Nothing is added twice; what is read or starred there is so here, too.\n" +
			"If it fails or is interrupted, nothing has changed. --preview only says what would come, --find what other readers\n" +
			"have left in their usual folders, --list what was imported, and --undo takes an import back as a whole, a list of feeds, too.\n\n" +
			"Readers: " + strings.Join(readerNames(), ", ") + ".",
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.run(cmd.Context(), o, args, cmd.Flags().Changed("undo"))
		}}
	c.Flags().BoolVar(&o.local, "local", false, "do not pause the feeds that are files or lie in your own network")
	c.Flags().StringVar(&o.account, "account", "", "subscribe to the feeds with the account `NAME` (or its ID); articles stay where they are")
	c.Flags().StringVar(&o.from, "from", "", "the `READER` that the file is of, where that cannot be told")
	c.Flags().BoolVar(&o.preview, "preview", false, "say what would be imported, and import nothing")
	c.Flags().BoolVar(&o.find, "find", false, "list what other readers have left in their usual folders")
	c.Flags().BoolVar(&o.list, "list", false, "list what was imported and can be taken back")
	c.Flags().Int64Var(&o.undo, "undo", 0, "take import `ID` back: its feeds, articles, stars, labels and marks")
	c.MarkFlagsMutuallyExclusive("preview", "find", "list", "undo")
	for _, other := range []string{"preview", "find", "list", "undo", "local"} {
		c.MarkFlagsMutuallyExclusive("account", other)
	}
	return c
}
