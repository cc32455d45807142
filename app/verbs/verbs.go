// Package verbs is Kairos as a command: the same things the window does, for
// scripts and terminals.
package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/owner"
	"kairos/app/text"
	"kairos/poller"
	"kairos/reader"
)

// Exit codes.
const (
	exitDone  = 0
	exitSome  = 1 // some part failed
	exitUsage = 2 // wrong usage or unusable input
)

// Window opens the window on the data folder dir and returns when it has ended.
// argument is an address or a file to begin with, or "".
type Window func(ctx context.Context, dir, argument string, hidden bool) error

// env is what a verb runs in.
type env struct {
	dir      string          // data folder, absolute
	cwd      string          // where relative paths start
	args     []string        // as given, to be sent to the owner
	home     *home.Home      // the owner's, if this is the owner
	leaving  <-chan struct{} // closed when the owner has only its guests to wait for
	json     bool
	out, err io.Writer
	window   Window
	options  home.Options
}

// Main runs the command line and returns the exit code.
func Main(args []string, window Window) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second Ctrl+C ends at once what does not end by itself.
	context.AfterFunc(ctx, stop)
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "."
	}
	return run(ctx, args, &env{cwd: cwd, out: os.Stdout, err: os.Stderr, window: window})
}

func run(ctx context.Context, args []string, e *env) int {
	e.args = args
	root := e.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return e.exit(err)
}

// exit says an error and returns its code.
func (e *env) exit(err error) int {
	var code *codeError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &code):
		if code.err != nil {
			fmt.Fprintln(e.err, "kairos:", code.err)
		}
		return code.code
	case errors.Is(err, context.Canceled):
		if e.home != nil {
			fmt.Fprintln(e.err, "kairos:", owner.ErrLeft)
		}
		return exitSome
	case errors.Is(err, owner.ErrLeft):
		fmt.Fprintln(e.err, "kairos:", err)
		return exitSome
	case passes(err):
		fmt.Fprintln(e.err, "kairos:", e.said(err))
		return exitSome
	}
	fmt.Fprintln(e.err, "kairos:", e.said(err))
	return exitUsage
}

// passes reports whether it is for a fault of the disk or another program that a verb failed:
// nothing is wrong with what was asked, nor with the folder.
func passes(err error) bool {
	switch fault := reader.FileError(err); fault {
	case reader.ErrLocked, reader.ErrFull, reader.ErrDisk:
		return true
	default:
		return fault != nil && !errors.As(err, &trouble{}) // it could be opened, and then not be used
	}
}

// said is an error in words for people.
func (e *env) said(err error) string {
	if fault := reader.FileError(err); fault != nil {
		return text.English().FolderError(e.dir, fault)
	}
	if words, ok := text.English().Error(err); ok {
		return words
	}
	return err.Error()
}

// errorText words an error as a sentence.
func errorText(err error) string {
	if words, ok := text.English().Error(err); ok {
		return words
	}
	return poller.Sentence(err)
}

// codeError carries an exit code; without an error it has been said already.
type codeError struct {
	code int
	err  error
}

func (c *codeError) Error() string {
	if c.err == nil {
		return fmt.Sprintf("exit %d", c.code)
	}
	return c.err.Error()
}

func (c *codeError) Unwrap() error { return c.err }

// someFailed ends a verb of which the failing parts have been said.
var someFailed = &codeError{code: exitSome}

func (e *env) root() *cobra.Command {
	var hidden, version bool
	var data string
	root := &cobra.Command{
		Use:           "kairos [URL or FILE]",
		Short:         "A feed reader that knows when to fetch",
		Long:          "Kairos is a feed reader that learns when you read and when feeds post, and fetches just before.\nWithout a verb it opens its window.",
		Args:          cobra.MaximumNArgs(1),
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			return e.locate(data)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				fmt.Fprintln(e.out, "kairos", home.Version)
				return nil
			}
			return e.open(cmd.Context(), args, hidden)
		},
	}
	root.SetOut(e.out)
	root.SetErr(e.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().StringVar(&data, "data", "", "data folder `DIR` instead of the usual one")
	root.PersistentFlags().BoolVar(&e.json, "json", false, "print JSON")
	root.Flags().BoolVar(&hidden, "hidden", false, "start without showing the window")
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.AddCommand(e.addCommand(), e.setCommand(), e.removeCommand(), e.markCommand(), e.importCommand(),
		e.exportCommand(), e.feedsCommand(), e.articlesCommand(), e.fetchCommand(), e.pollCommand(),
		e.accessCommand(), e.budgetCommand(), e.planCommand(), e.parseCommand(), e.labCommand(), e.showCommand())
	return root
}

// locate settles the data folder. In the owner it is given.
func (e *env) locate(data string) error {
	if e.home != nil {
		return nil
	}
	if data == "" {
		var err error
		if data, err = home.DefaultDir(); err != nil {
			return err
		}
	}
	e.dir = e.path(data)
	return nil
}

// path makes a path given on the command line absolute.
func (e *env) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.cwd, name)
}

// file is the path of a file given on the command line, if it is there.
func (e *env) file(name string) (string, bool) {
	path := e.path(name)
	info, err := os.Stat(path)
	return path, err == nil && !info.IsDir()
}

// open opens the window, or the one that runs already.
func (e *env) open(ctx context.Context, args []string, hidden bool) error {
	argument := ""
	if len(args) == 1 {
		argument = args[0]
		if file, ok := e.file(argument); ok {
			argument = file
		} else if _, err := poller.Address(argument); err != nil {
			return fmt.Errorf("%w, nor is it a file or a verb; “kairos --help” lists the verbs", err)
		}
	}
	if e.window == nil {
		return errors.New("this build has no window")
	}
	return e.window(ctx, e.dir, argument, hidden)
}

// showCommand is what a second start sends to the first.
func (e *env) showCommand() *cobra.Command {
	return &cobra.Command{Use: "show [URL or FILE]", Hidden: true, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.home == nil || e.home.Show == nil {
				return &codeError{exitSome, fmt.Errorf("a Kairos without a window is fetching on %s; end that one first", e.dir)}
			}
			argument := ""
			if len(args) == 1 {
				argument = args[0]
			}
			e.home.Show(argument)
			return nil
		}}
}

// owning runs f as the owner of the data folder: here if nobody has it, else
// there.
func (e *env) owning(ctx context.Context, f func(ctx context.Context, h *home.Home) error) error {
	if e.home != nil {
		return f(ctx, e.home)
	}
	own, code, err := owner.TakeOrSend(ctx, e.dir, e.args, e.out, e.err)
	if err != nil {
		return e.cannot(err)
	}
	if own == nil {
		if code != exitDone {
			return &codeError{code: code}
		}
		return nil
	}
	defer own.Close()
	return e.asOwner(ctx, own, f)
}

// asOwner opens the data folder and runs f on it, and what others send meanwhile.
func (e *env) asOwner(ctx context.Context, own *owner.Owner, f func(ctx context.Context, h *home.Home) error) error {
	h, err := home.Open(ctx, e.dir, e.options)
	if err != nil {
		return e.cannot(err)
	}
	h.ReadPower(ctx)
	// What arrives for the owner meanwhile is answered from the same home. An
	// interrupt ends it too; the end of a time that was given lets it finish.
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			stop()
		}
	})()
	guests, served := newGuests(h), make(chan struct{})
	go func() {
		defer close(served)
		own.Serve(serving, guests.handle) //nolint:errcheck // it ends with us
	}()
	err = f(ctx, h)
	guests.close()
	stop()
	<-served
	settling := ctx
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		settling = context.WithoutCancel(ctx) // a time that was given ends the verb, not what belongs to it
	}
	settled := h.Poller.Settle(settling)
	return e.ended(err, settled, h.Close())
}

// ended adds to what a verb came to how its end went.
func (e *env) ended(err error, others ...error) error {
	for _, other := range others {
		if other == nil {
			continue
		}
		e.complain("%s", e.said(other))
		if err == nil {
			err = someFailed
		}
	}
	return err
}

// reading runs f on the data folder opened for reading.
func (e *env) reading(ctx context.Context, f func(ctx context.Context, h *home.Home) error) error {
	if e.home != nil {
		return f(ctx, e.home)
	}
	h, err := home.OpenReadOnly(ctx, e.dir, e.options)
	switch {
	case errors.Is(err, reader.ErrOlder):
		return e.owning(ctx, f)
	case errors.Is(err, reader.ErrNone):
		e.complain("%s", e.said(err))
		return e.readingNothing(ctx, f)
	case err != nil:
		return e.cannot(err)
	}
	return e.ended(f(ctx, h), h.Close())
}

// readingNothing runs f on a fresh folder that goes away with it: a folder that
// is only asked about is not made.
func (e *env) readingNothing(ctx context.Context, f func(ctx context.Context, h *home.Home) error) error {
	dir, err := os.MkdirTemp("", "kairos-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	h, err := home.Open(ctx, dir, e.options)
	if err != nil {
		return e.cannot(err)
	}
	return e.ended(f(ctx, h), h.Close())
}

// trouble is why a data folder cannot be used, in words for people.
type trouble struct {
	said string
	error
}

func (t trouble) Error() string { return t.said }
func (t trouble) Unwrap() error { return t.error }

func (e *env) cannot(err error) error { return trouble{e.said(err), err} }

// print writes v as one line of JSON, or the text.
func (e *env) print(v any, format string, args ...any) error {
	if e.json {
		enc := json.NewEncoder(e.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	}
	_, err := fmt.Fprintf(e.out, format+"\n", args...)
	return err
}

// complain says that one part failed.
func (e *env) complain(format string, args ...any) {
	fmt.Fprintf(e.err, "kairos: "+format+"\n", args...)
}

// unknown says which feed or article is not there.
func unknown(what, id string, err error) error {
	if errors.Is(err, reader.ErrUnknown) {
		return fmt.Errorf("there is no %s %s", what, id)
	}
	return err
}
