package verbs

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/owner"
	"kairos/poller"
)

// openWindow opens the window, or shows the one that is open already.
func (e *env) openWindow(cmd *cobra.Command, args []string, hidden bool) error {
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
	return e.window(cmd.Context(), e.dir, argument, hidden)
}

// unusableArgument says that what stands in place of a verb is none, and proposes those that are spelled alike.
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
	return &cobra.Command{Use: "show [URL or FILE]", Hidden: true, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if v.home == nil || v.home.Show == nil {
				return &codeError{exitSome, fmt.Errorf("another Kairos runs without a window on %s; end that one first", v.dir)}
			}
			second := home.SecondStart{Version: otherVersion(cmd.Context()), Token: owner.SenderOf(cmd.Context()).Token}
			if len(args) == 1 {
				second.Argument = args[0]
			}
			v.home.Show(second)
			return nil
		}}
}
