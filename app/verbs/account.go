package verbs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
	"kairos/poller/sync"
	"kairos/reader"
)

// accountLine is an account as `account` prints it.
type accountLine struct {
	ID        int64      `json:"id"`
	Kind      string     `json:"kind"`
	Name      string     `json:"name"`
	URL       string     `json:"url"`
	User      string     `json:"user"`
	Paused    bool       `json:"paused"`
	Feeds     int        `json:"feeds"`
	Unread    int        `json:"unread"`
	Waiting   int        `json:"waiting"` // changes that the server does not know yet
	Phase     sync.Phase `json:"phase"`
	Stored    int        `json:"stored"` // articles of the first synchronization
	LastSync  string     `json:"lastSync"`
	Refresh   int        `json:"refresh"`   // times a day that the server is told to fetch a feed, -1: the usual number, 0: not
	Refreshed int        `json:"refreshed"` // of the last 24 hours
	NextTry   string     `json:"nextTry,omitempty"`
	Error     string     `json:"error,omitempty"`
	ErrorCode sync.Code  `json:"errorCode,omitempty"`
}

// accountVerb lists, adds, removes and syncs accounts.
type accountVerb struct{ *env }

func (v accountVerb) command() *cobra.Command {
	c := &cobra.Command{Use: "account", Short: "Read the feeds of a server: Miniflux, Tiny Tiny RSS, or one with the Google Reader API", Args: cobra.NoArgs,
		Long: "Lists the accounts. The feeds of an account are fetched by its server; Kairos syncs feeds, folders, articles and\n" +
			"marks with it. Passwords are stored in the keyring of the desktop or, with --password-file where none is unlocked, in a file.",
		RunE: func(cmd *cobra.Command, _ []string) error { return v.reading(cmd.Context(), v.list) }}
	c.AddCommand(v.addCommand(), v.changeCommand(),
		&cobra.Command{Use: "list", Short: "List the accounts", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return v.reading(cmd.Context(), v.list) }},
		v.removeCommand(),
		v.pauseCommand("pause ACCOUNT", "Stop syncing an account by itself", true), v.pauseCommand("resume ACCOUNT", "Sync an account again", false),
		v.refreshCommand(),
		&cobra.Command{Use: "sync [ACCOUNT…]", Short: "Sync all accounts now, or only some",
			RunE: func(cmd *cobra.Command, args []string) error {
				return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
					accounts, err := v.chosen(ctx, h, args)
					if err != nil {
						return err
					}
					return (&accountSync{v.env}).all(ctx, h, accounts)
				})
			}})
	return c
}

func (v accountVerb) addCommand() *cobra.Command {
	var user, name, password string
	var fromInput, sent bool
	var file passwordFile
	var certificate trustedCertificate
	c := &cobra.Command{Use: "add ADDRESS", Short: "Add a server, and sync it", Args: cobra.ExactArgs(1),
		Long: "Finds the server behind an address, logs in, and syncs. The password is asked for on the terminal, or read\n" +
			"from the first line of the standard input with --password-stdin.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if user == "" {
				return errors.New("who are you there? Use --user NAME")
			}
			if !sent {
				var err error
				if password, err = v.askPassword(fromInput); err != nil {
					return err
				}
				// The owner of the data folder gets it through a socket that only its user can open.
				v.args = append(v.args, "--"+passwordSent, "--"+passwordGiven+"="+password)
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				var a reader.Account
				err := certificate.try(ctx, h, func() error {
					return file.keep(h, func() (err error) {
						a, err = h.Subscriptions.Accounts.Add(ctx, "", home.Login{Address: args[0], User: user, Password: password}, name)
						return err
					})
				})
				if err != nil {
					return err
				}
				return (&accountSync{v.env}).all(ctx, h, []reader.Account{a})
			})
		}}
	c.Flags().StringVar(&user, "user", "", "your `NAME` there")
	c.Flags().StringVar(&name, "name", "", "what to call the account here")
	file.addFlag(c)
	certificate.addFlag(c)
	addPasswordFlags(c, &fromInput, &sent, &password)
	return c
}

func (v accountVerb) changeCommand() *cobra.Command {
	var address, user, name, password string
	var fromInput, sent bool
	var file passwordFile
	var certificate trustedCertificate
	c := &cobra.Command{Use: "change ACCOUNT", Short: "Change the address, user, password or name of an account; its feeds and articles stay", Args: cobra.ExactArgs(1),
		Long: "Logs in again, at another address with --address or as another user with --user, and goes on with the same account: its feeds,\n" +
			"articles and marks stay. The password is asked for as by add, also if it is the same; only a change of --name asks for none.",
		RunE: func(cmd *cobra.Command, args []string) error {
			logsIn := address != "" || user != "" || fromInput || name == ""
			if logsIn && !sent {
				var err error
				if password, err = v.askPassword(fromInput); err != nil {
					return err
				}
				v.args = append(v.args, "--"+passwordSent, "--"+passwordGiven+"="+password)
			}
			return v.onAccount(cmd.Context(), args[0], func(ctx context.Context, h *home.Home, a reader.Account) error {
				accounts := h.Subscriptions.Accounts
				if name != "" {
					if err := accounts.Rename(ctx, a.ID, name); err != nil {
						return err
					}
				}
				if !logsIn {
					a.Name = name
					return v.printAccount(ctx, h, a)
				}
				var now reader.Account
				err := certificate.try(ctx, h, func() error {
					return file.keep(h, func() (err error) {
						now, err = accounts.Change(ctx, a.ID, home.Login{Address: address, User: user, Password: password})
						return err
					})
				})
				if err != nil {
					return err
				}
				if now.Kind != a.Kind && now.URL == a.URL { // another server may have another one
					v.complain("%s: the server accepted the password by the protocol %s; Kairos syncs by that from now on.", now.Name, now.Kind)
				}
				return (&accountSync{v.env}).all(ctx, h, []reader.Account{now})
			})
		}}
	c.Flags().StringVar(&address, "address", "", "where the server is now")
	c.Flags().StringVar(&user, "user", "", "another `NAME` of yours there")
	c.Flags().StringVar(&name, "name", "", "what to call the account here")
	certificate.addFlag(c)
	file.addFlag(c)
	addPasswordFlags(c, &fromInput, &sent, &password)
	return c
}

// addPasswordFlags adds the flag that reads a password from the standard input, and the hidden ones that hand it on.
func addPasswordFlags(c *cobra.Command, fromInput, sent *bool, password *string) {
	c.Flags().BoolVar(fromInput, "password-stdin", false, "read the password from the standard input")
	c.Flags().BoolVar(sent, passwordSent, false, "")
	c.Flags().StringVar(password, passwordGiven, "", "")
	for _, hidden := range []string{passwordSent, passwordGiven} {
		c.Flags().MarkHidden(hidden) //nolint:errcheck // it was added above
	}
}

// Flags between two processes of Kairos; nobody types them, since others could read them in the list of processes.
const (
	passwordSent  = "password-sent"
	passwordGiven = "password-given"
)

// askPassword reads a password from the terminal, without showing it, or from the standard input.
func (v accountVerb) askPassword(fromInput bool) (string, error) {
	given, err := v.askSecrets(fromInput, "Password")
	if err != nil {
		return "", err
	}
	return given[0], nil
}

// askSecrets reads passwords and the like from the terminal, without showing them, or from the standard input, one a line.
func (e *env) askSecrets(fromInput bool, names ...string) (secrets []string, err error) {
	in := e.in
	if in == nil {
		in = os.Stdin
	}
	terminal, isFile := in.(*os.File)
	if !fromInput && (!isFile || !isTerminal(terminal)) {
		return nil, errors.New("there is no terminal to ask for the password; use --password-stdin")
	}
	lines := bufio.NewReader(in)
	for _, name := range names {
		read := func() (string, error) { return lines.ReadString('\n') }
		if !fromInput {
			read = func() (string, error) {
				fmt.Fprint(e.err, name+": ")
				defer fmt.Fprintln(e.err)
				defer hideInput(terminal)()
				return lines.ReadString('\n')
			}
		}
		line, err := read()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read the password: %w", err)
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			return nil, fmt.Errorf("the %s is empty", strings.ToLower(name[:1])+name[1:])
		}
		secrets = append(secrets, line)
	}
	return secrets, nil
}

func (v accountVerb) removeCommand() *cobra.Command {
	var keep bool
	c := &cobra.Command{Use: "remove ACCOUNT", Short: "Remove an account here; nothing changes at its server", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.onAccount(cmd.Context(), args[0], func(ctx context.Context, h *home.Home, a reader.Account) error {
				unsent, err := v.sendLast(ctx, h, a)
				if err != nil {
					return err
				}
				feeds, err := h.Store.Feeds.List(ctx)
				if err != nil {
					return err
				}
				if _, err := h.Subscriptions.Accounts.Remove(ctx, a.ID, keep); err != nil {
					return err
				}
				if unsent > 0 {
					v.complain("%s: %d changes made here have not been sent and will never reach the server.", a.Name, unsent)
				}
				if joined := home.AlsoHere(feeds, a.ID); keep && joined > 0 {
					v.complain("%s: %s joined what this computer had already; what was unread or starred in either still is.", a.Name, counted(joined, "feed"))
				}
				return v.print(struct {
					ID     int64  `json:"id"`
					Name   string `json:"name"`
					Unsent int    `json:"unsent"`
				}{a.ID, a.Name, unsent}, "removed %s", a.Name)
			})
		}}
	c.Flags().BoolVar(&keep, "keep-feeds", false, "keep its feeds and articles here, and fetch them from now on; those that are here already join, and the account has them again when it is added again")
	return c
}

// sendLast sends what waits before an account is removed, and returns how many changes its server still does not know.
func (v accountVerb) sendLast(ctx context.Context, h *home.Home, a reader.Account) (unsent int, err error) {
	engine := h.Subscriptions.Accounts.Engine
	if unsent, err = engine.Waiting(ctx, a.ID); err != nil || unsent == 0 {
		return unsent, err
	}
	if _, err := engine.Send(ctx, a.ID); err != nil && ctx.Err() != nil {
		return unsent, err
	}
	return engine.Waiting(ctx, a.ID)
}

func (v accountVerb) pauseCommand(use, short string, paused bool) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.onAccount(cmd.Context(), args[0], func(ctx context.Context, h *home.Home, a reader.Account) error {
				if err := h.Subscriptions.Accounts.Pause(ctx, a.ID, paused); err != nil {
					return err
				}
				a.Paused = paused
				return v.printAccount(ctx, h, a)
			})
		}}
}

func (v accountVerb) refreshCommand() *cobra.Command {
	return &cobra.Command{Use: "refresh ACCOUNT on|off|N", Short: "Decide when a Miniflux or Tiny Tiny RSS server fetches its feeds", Args: cobra.ExactArgs(2),
		Long: "Kairos tells the server to fetch each feed when it is worth it for you: N times a day for all feeds together, 8 times a\n" +
			"day for each with \"on\". While Kairos does not run, the server's own schedule goes on; make that slow.",
		RunE: func(cmd *cobra.Command, args []string) error {
			perDay, ok := map[string]int{"on": poller.RefreshUsual, "off": 0}[args[1]]
			if !ok {
				n, err := strconv.Atoi(args[1])
				if err != nil || n < 0 {
					return fmt.Errorf("%q is not on, off or a number of fetches a day", args[1])
				}
				perDay = n
			}
			return v.onAccount(cmd.Context(), args[0], func(ctx context.Context, h *home.Home, a reader.Account) error {
				err := h.Subscriptions.Accounts.SetRefresh(ctx, a.ID, perDay)
				if errors.Is(err, sync.ErrNoRefresh) {
					return fmt.Errorf("%s: only Miniflux and Tiny Tiny RSS can be told when to fetch", a.Name)
				}
				if err != nil {
					return err
				}
				return v.printAccount(ctx, h, a)
			})
		}}
}

// onAccount runs change on an account as the owner of the data folder.
func (v accountVerb) onAccount(ctx context.Context, name string, change func(context.Context, *home.Home, reader.Account) error) error {
	return v.owning(ctx, func(ctx context.Context, h *home.Home) error {
		a, err := findAccount(ctx, h, name)
		if err != nil {
			return err
		}
		return change(ctx, h, a)
	})
}

func (v accountVerb) list(ctx context.Context, h *home.Home) error {
	accounts, err := h.Store.Accounts.List(ctx)
	if err != nil {
		return err
	}
	if len(accounts) == 0 && !v.json {
		fmt.Fprintln(v.out, "There are no accounts yet.")
	}
	for _, a := range accounts {
		if err := v.printAccount(ctx, h, a); err != nil {
			return err
		}
	}
	return nil
}

func (v accountVerb) printAccount(ctx context.Context, h *home.Home, a reader.Account) error {
	state, err := h.Subscriptions.Accounts.Engine.State(ctx, a.ID)
	if err != nil {
		return err
	}
	l := accountLine{ID: a.ID, Kind: a.Kind, Name: a.Name, URL: a.URL, User: a.User, Paused: a.Paused, Phase: state.Phase, Stored: state.Stored,
		LastSync: stamp(state.Synced), NextTry: stamp(state.NotBefore)}
	if l.Waiting, err = h.Subscriptions.Accounts.Engine.Waiting(ctx, a.ID); err != nil {
		return err
	}
	feeds, err := h.Store.Feeds.List(ctx)
	if err != nil {
		return err
	}
	for _, f := range feeds {
		if f.Account == a.ID {
			l.Feeds, l.Unread = l.Feeds+1, l.Unread+f.Unread
		}
	}
	line := fmt.Sprintf("%4d  %s (%s, %s): %d feeds, %d unread", a.ID, a.Name, a.User, a.Kind, l.Feeds, l.Unread)
	if l.Refresh, l.Refreshed, err = h.Subscriptions.Accounts.Refresh(ctx, a.ID); err != nil {
		return err
	}
	if l.Refresh != 0 {
		line += fmt.Sprintf(", told to fetch %d times in the last day", l.Refreshed)
	}
	if a.Paused {
		line += ", paused"
	}
	if l.Waiting > 0 {
		line += fmt.Sprintf(", %d to be sent", l.Waiting)
	}
	if state.Error != nil {
		l.Error, l.ErrorCode = text.English().SyncError(state.Error), state.Error.Code
		line += "\n      " + l.Error
	}
	return v.print(l, "%s", line)
}

// syncLine is the result of a synchronization.
type syncLine struct {
	Account      int64         `json:"account"`
	Name         string        `json:"name"`
	New          int           `json:"new"`
	Updated      int           `json:"updated"`
	Marked       int           `json:"marked"`
	Sent         int           `json:"sent"`
	FeedsAdded   int           `json:"feedsAdded"`
	FeedsJoined  int           `json:"feedsJoined"`
	FeedsRemoved int           `json:"feedsRemoved"`
	Full         bool          `json:"full"`
	Refused      []refusedLine `json:"refused"`
	Shortened    int           `json:"shortened,omitempty"`
	Error        string        `json:"error,omitempty"`
	ErrorCode    sync.Code     `json:"errorCode,omitempty"`
}

// refusedLine is a change of a feed that a server did not accept.
type refusedLine struct {
	Feed  int64  `json:"feed"`
	Error string `json:"error"`
}

// chosen returns the accounts that are named, or all that are not paused.
func (v accountVerb) chosen(ctx context.Context, h *home.Home, names []string) (accounts []reader.Account, err error) {
	if len(names) == 0 {
		return activeAccounts(ctx, h)
	}
	for _, name := range names {
		a, err := findAccount(ctx, h, name)
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, a)
	}
	return accounts, nil
}

func activeAccounts(ctx context.Context, h *home.Home) (active []reader.Account, err error) {
	all, err := h.Store.Accounts.List(ctx)
	for _, a := range all {
		if !a.Paused {
			active = append(active, a)
		}
	}
	return active, err
}

// accountSync syncs accounts and prints a line for each.
type accountSync struct{ *env }

func (v *accountSync) all(ctx context.Context, h *home.Home, accounts []reader.Account) error {
	failed := false
	for _, a := range accounts {
		r, err := h.Subscriptions.Accounts.Sync(ctx, a.ID)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		line := syncLine{a.ID, a.Name, r.New, r.Updated, r.Marked, r.Sent, r.FeedsAdded, r.FeedsJoined, r.FeedsRemoved, r.Full, []refusedLine{}, r.Shortened, "", ""}
		for _, refused := range r.Refused {
			words := text.English().SyncError(refused.Err)
			line.Refused = append(line.Refused, refusedLine{refused.Feed, words})
			v.complain("%s, feed %d: %s", a.Name, refused.Feed, text.English().Refusal(refused))
			failed = true
		}
		if r.Shortened > 0 {
			v.complain("%s: %d articles have no text here: it is too long", a.Name, r.Shortened)
		}
		hint := trustHint(err)
		var fault *sync.Error
		switch {
		case errors.As(err, &fault):
			line.Error, line.ErrorCode = text.English().SyncError(fault), fault.Code
			if fault.NeedsPassword() {
				hint = fmt.Sprintf(" In a terminal, kairos account change %d asks for it.", a.ID)
			}
		case err != nil && reader.FileError(err) != nil:
			return err
		case err != nil:
			line.Error = errorText(err)
		}
		if line.Error != "" {
			v.complain("%s%s", about(a.Name, line.Error), hint)
			failed = true
		}
		if line.Error != "" && !v.json {
			continue
		}
		joined := ""
		if r.FeedsJoined > 0 {
			joined = ", " + counted(r.FeedsJoined, "kept feed") + " synced again"
		}
		if err := v.print(line, "%s: %d new, %d marked elsewhere, %d sent%s", a.Name, r.New, r.Marked, r.Sent, joined); err != nil {
			return err
		}
	}
	if failed {
		return someFailed
	}
	return nil
}

// about names the account that a sentence is about, unless it names it first itself.
func about(name, sentence string) string {
	if strings.HasPrefix(sentence, name) {
		return sentence
	}
	return name + ": " + sentence
}
