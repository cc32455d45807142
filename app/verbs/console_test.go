package verbs

import (
	"io"
	"testing"

	"github.com/spf13/cobra"
)

// On Windows cobra refuses programs that were started by a double click, with this text, as long as there is one.
func TestDoubleClick(t *testing.T) {
	if code := run(t.Context(), []string{"--version"}, &env{out: io.Discard, err: io.Discard}); code != exitDone || cobra.MousetrapHelpText != "" {
		t.Errorf("exit %d, and cobra says %q", code, cobra.MousetrapHelpText)
	}
}
