package verbs

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kairos/app/home"
)

// Manual writes the manual page kairos(1) of that date, as man(7) of groff reads it: all verbs on one page, which is easier
// to search than a page for each.
func Manual(w io.Writer, date time.Time) error {
	root := (&env{}).root()
	root.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH KAIROS 1 %q %q \"User Commands\"\n", date.UTC().Format(time.DateOnly), "Kairos "+home.Version)
	section(&b, "NAME", "kairos - "+strings.ToLower(root.Short[:1])+root.Short[1:])
	b.WriteString(".SH SYNOPSIS\n.B kairos\n[\\fIoptions\\fR] [\\fIURL\\fR|\\fIFILE\\fR]\n.br\n.B kairos\n\\fIverb\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n")
	section(&b, "DESCRIPTION", root.Long+" URL is the address of a feed or of a page that has one, FILE a list of feeds (OPML).\nThe verbs also work while the window is open.")
	b.WriteString(".SH OPTIONS\n")
	options(&b, root.Flags())
	options(&b, root.PersistentFlags())
	b.WriteString(".SH VERBS\n")
	manualOf(&b, root)
	section(&b, "EXIT STATUS", "")
	for code, means := range []string{exitDone: "Done.", exitSome: "Some part failed; what failed was said.", exitUsage: "Wrong usage, or input that cannot be used."} {
		term(&b, fmt.Sprint(code), means)
	}
	section(&b, "FILES", "")
	term(&b, "~/.local/share/kairos", "Feeds, articles and what was learned; --data names another folder. $XDG_DATA_HOME stands for ~/.local/share where it is set.")
	section(&b, "SEE ALSO", "")
	b.WriteString(".BR mpv (1),\n.BR xdg-open (1)\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Completion writes a script by which a shell (bash, zsh or fish) completes the command line of kairos.
func Completion(w io.Writer, shell string) error {
	root := (&env{}).root()
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(w, true)
	case "zsh":
		return root.GenZshCompletion(w)
	case "fish":
		return root.GenFishCompletion(w, true)
	}
	return fmt.Errorf("no completion for the shell %q", shell)
}

func manualOf(b *strings.Builder, parent *cobra.Command) {
	for _, c := range parent.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		fmt.Fprintf(b, ".SS %s\n", roff(strings.TrimSuffix(c.UseLine(), " [flags]")))
		text := c.Long
		if text == "" {
			text = c.Short + "."
		}
		b.WriteString(paragraph(text))
		options(b, c.LocalNonPersistentFlags())
		manualOf(b, c)
	}
}

func options(b *strings.Builder, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		name = `\fB` + roff(name) + `\fR`
		if value != "" {
			name += ` \fI` + roff(value) + `\fR`
		}
		fmt.Fprintf(b, ".TP\n%s\n%s", name, paragraph(strings.ToUpper(usage[:1])+usage[1:]+"."))
	})
}

func section(b *strings.Builder, title, text string) {
	fmt.Fprintf(b, ".SH %s\n", title)
	if text != "" {
		b.WriteString(paragraph(text))
	}
}

func term(b *strings.Builder, name, means string) {
	fmt.Fprintf(b, ".TP\n.B %s\n%s", roff(name), paragraph(means))
}

// paragraph sets running text: lines are joined but for those that are indented, which are examples.
func paragraph(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch example := strings.TrimLeft(line, " \t"); {
		case example == "":
			b.WriteString(".PP\n")
		case example != line:
			b.WriteString(".br\n    " + roff(example) + "\n.br\n")
		default:
			b.WriteString(roff(line) + "\n")
		}
	}
	return b.String()
}

// roff protects what groff would read as a command or draw as something else.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "’", `\(cq`, "“", `\(lq`, "”", `\(rq`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
