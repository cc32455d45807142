// Package verbs is Kairos as a command: what the window does, for scripts and terminals.
package verbs

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/owner"
	"kairos/app/printable"
)

// Exit codes.
const (
	exitDone  = 0
	exitSome  = 1 // some part failed
	exitUsage = 2 // wrong usage or unusable input
)

// Window opens the window on the data folder dir and returns when it is closed.
type Window func(ctx context.Context, dir string, start home.Start, hidden bool) error

// env is the environment of a verb.
type env struct {
	dir      string          // data folder, absolute
	cwd      string          // current folder, for relative paths
	args     []string        // as given, for sending to the owner
	home     *home.Home      // of the owner, if this process is the owner
	leaving  <-chan struct{} // closed when the owner waits only for remote verbs
	json     bool
	in       io.Reader // nil: the standard input
	out, err io.Writer
	window   Window
	console  *console // nil in the owner
	options  home.Options
}

// Main runs the command line and returns the exit code.
func Main(args []string, window Window) int {
	log.SetOutput(io.Discard) // net/http quotes servers there; the window has a file for it
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second Ctrl+C ends the process at once.
	context.AfterFunc(ctx, stop)
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "."
	}
	con := openConsole()
	ctx = owner.WithSender(ctx, owner.Sender{Version: home.Version, Token: os.Getenv(activationToken)})
	os.Unsetenv(activationToken) //nolint:errcheck // programs that this one starts have no use for it
	return run(ctx, args, &env{cwd: cwd, out: con.out, err: con.err, console: con, window: window})
}

// activationToken is the variable in which a launcher of Wayland hands over what lets the window come to the front
// (xdg-activation-v1).
const activationToken = "XDG_ACTIVATION_TOKEN"

func run(ctx context.Context, args []string, e *env) int {
	cobra.MousetrapHelpText = "" // else cobra refuses to start by a double click on Windows
	e.args = args
	e.out, e.err = printable.NewWriter(e.out), printable.NewWriter(e.err)
	root := e.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return e.exit(err)
}

func (e *env) root() *cobra.Command {
	var hidden, repair, version bool
	var data, do string
	root := &cobra.Command{
		Use:           "kairos [URL or FILE]",
		Short:         "A feed reader that learns when to fetch",
		Long:          "Kairos is a feed reader that learns when you read and when feeds post, and fetches just before you read.\nWithout a verb it opens its window.",
		Args:          cobra.MaximumNArgs(1),
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if w, ok := e.out.(*printable.Writer); ok && e.json {
				w.EscapeJSON()
			}
			return e.locate(data)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				built := home.Built()
				return e.print(built, "kairos %s", built)
			}
			err := e.openWindow(cmd, args, do, hidden, repair)
			if err != nil && e.console != nil {
				e.console.tell(e.errorText(err))
			}
			return err
		},
	}
	root.SuggestionsMinimumDistance = 2 // letters
	root.SetOut(e.out)
	root.SetErr(e.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().StringVar(&data, "data", "", "use the data folder `DIR`")
	root.PersistentFlags().BoolVar(&e.json, "json", false, "print JSON")
	root.Flags().BoolVar(&hidden, "hidden", false, "start without showing the window")
	root.Flags().BoolVar(&repair, "repair", false, "choose how to repair a damaged database")
	root.Flags().MarkHidden("repair") //nolint:errcheck // it was added above
	addDo(root, &do)
	root.MarkFlagsMutuallyExclusive("do", "hidden")
	root.Flags().BoolVar(&version, "version", false, "print the version and what it was built with")
	for _, verb := range []interface{ command() *cobra.Command }{addVerb{e}, setVerb{e}, removeVerb{e}, markVerb{e}, snoozeVerb{e}, takeVerb{e}, labelVerb{e}, accountVerb{e}, certificateVerb{e}, destinationVerb{e}, importVerb{e},
		exportVerb{e}, restoreVerb{e}, feedsVerb{e}, articlesVerb{e}, fetchVerb{e}, pollVerb{e}, accessVerb{e}, budgetVerb{e}, planVerb{e}, insightsVerb{e},
		parseVerb{e}, labVerb{e}, showVerb{e}} {
		c := verb.command()
		explainArguments(c)
		root.AddCommand(c)
	}
	return root
}

// explainArguments has a verb and those below it answer wrong arguments with how they are used.
func explainArguments(c *cobra.Command) {
	if count := c.Args; count != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if count(cmd, args) != nil {
				return fmt.Errorf("usage: %s; %s --help says more", cmd.UseLine(), cmd.CommandPath())
			}
			return nil
		}
	}
	for _, below := range c.Commands() {
		explainArguments(below)
	}
}

// path returns the absolute path of an argument.
func (e *env) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.cwd, name)
}

// file returns the absolute path of an argument, and whether it is an existing file.
func (e *env) file(name string) (string, bool) {
	path := e.path(name)
	info, err := os.Stat(path)
	return path, err == nil && !info.IsDir()
}
