package verbs

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/owner"
	"kairos/poller"
)

// openWindow opens the window, or shows the one that is open already.
func (e *env) openWindow(cmd *cobra.Command, args []string, do string, hidden, repair bool) error {
	if err := checkDo(do); err != nil {
		return err
	}
	argument := ""
	if len(args) == 1 {
		argument = localPath(args[0])
		if file, ok := e.file(argument); ok {
			argument = file
		} else if _, err := poller.Address(argument); err != nil {
			return unusableArgument(cmd, argument)
		}
	}
	if e.window == nil {
		return errors.New("this build has no window")
	}
	if e.console != nil {
		e.console.leave()
	}
	return e.window(cmd.Context(), e.dir, home.Start{Argument: argument, Command: do, Repair: repair}, hidden)
}

// addDo adds the flag --do to a command that shows the window.
func addDo(cmd *cobra.Command, do *string) {
	cmd.Flags().StringVar(do, "do", "", "do `COMMAND` in the window: "+strings.Join(home.StartCommands, ", "))
	cmd.RegisterFlagCompletionFunc("do", cobra.FixedCompletions(home.StartCommands, cobra.ShellCompDirectiveNoFileComp)) //nolint:errcheck // the flag is there
}

// checkDo returns an error if the window knows no such command.
func checkDo(do string) error {
	if do == "" || slices.Contains(home.StartCommands, do) {
		return nil
	}
	return &codeError{exitUsage, fmt.Errorf("--do %s is not known; there are %s", do, strings.Join(home.StartCommands, ", "))}
}

// unusableArgument says that what stands in place of a verb is not a verb, and proposes those that are spelled alike.
func unusableArgument(cmd *cobra.Command, argument string) error {
	if alike := cmd.SuggestionsFor(argument); len(alike) > 0 {
		return fmt.Errorf("%q is not a verb, a file or a web address; did you mean %s?", argument, strings.Join(alike, " or "))
	}
	return fmt.Errorf("%q is not a verb, a file or a web address; “kairos --help” lists the verbs", argument)
}

// localPath is the path of a file: address, as some file managers give it, and any other argument as it is.
func localPath(argument string) string {
	if u, err := url.Parse(argument); err == nil && u.Scheme == "file" && (u.Host == "" || u.Host == "localhost") {
		return filepath.FromSlash(u.Path)
	}
	return argument
}

// showVerb shows the window; a second start of Kairos sends it to the first.
type showVerb struct{ *env }

func (v showVerb) command() *cobra.Command {
	var do string
	show := &cobra.Command{Use: "show [URL or FILE]", Hidden: true, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkDo(do); err != nil {
				return err
			}
			if v.home == nil || v.home.Show == nil {
				return &codeError{exitSome, fmt.Errorf("another Kairos runs without a window on %s; end that one first", v.dir)}
			}
			second := home.SecondStart{Start: home.Start{Command: do}, Version: otherVersion(cmd.Context()), Token: owner.SenderOf(cmd.Context()).Token}
			if len(args) == 1 {
				second.Argument = args[0]
			}
			v.home.Show(second)
			return nil
		}}
	addDo(show, &do)
	return show
}
