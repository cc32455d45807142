package verbs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller/handoff"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/content"
)

// destinationLine is a destination as `destination` prints it.
type destinationLine struct {
	ID        int64         `json:"id"`
	Kind      string        `json:"kind"`
	Name      string        `json:"name"`
	Address   string        `json:"address"`
	User      string        `json:"user,omitempty"`
	Starred   bool          `json:"starred"` // each article that is starred goes there
	Paused    bool          `json:"paused"`
	Waiting   int           `json:"waiting"`
	Refused   int           `json:"refused"`
	Delivered int           `json:"delivered"`
	Unsent    int           `json:"unsent"` // starred articles that were never to be sent there
	Last      string        `json:"last"`
	NextTry   string        `json:"nextTry,omitempty"`
	Error     string        `json:"error,omitempty"`
	ErrorCode string        `json:"errorCode,omitempty"`
	Refusals  []refusalLine `json:"refusals,omitempty"`
}

// refusalLine is an article that a destination does not accept.
type refusalLine struct {
	Article int64  `json:"article"`
	Title   string `json:"title"`
	Error   string `json:"error"`
}

// destinationVerb lists, adds and removes where starred articles are sent.
type destinationVerb struct{ *env }

func (v destinationVerb) command() *cobra.Command {
	c := &cobra.Command{Use: "destination", Short: "Send starred articles to Wallabag, Linkding or a folder", Args: cobra.NoArgs,
		Long: "Lists where starred articles are sent, with what waits and what was not accepted. From then on each article that you\n" +
			"star goes there once: its address, title, author, date and labels, and its text where you choose that or a folder.\n" +
			"Unstarring does not take it back. Passwords and tokens are stored in the keyring of the desktop\n" +
			"or, with --password-file where none is unlocked, in a file.",
		RunE: func(cmd *cobra.Command, _ []string) error { return v.reading(cmd.Context(), v.list) }}
	c.AddCommand(v.addCommand(),
		&cobra.Command{Use: "list", Short: "List the destinations", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return v.reading(cmd.Context(), v.list) }},
		v.changing("remove ID", "Remove a destination; what is there stays there", func(ctx context.Context, h *home.Home, d reader.Destination) error {
			if err := h.Destinations.Remove(ctx, d.ID); err != nil {
				return err
			}
			return v.print(struct {
				ID   int64  `json:"id"`
				Name string `json:"name"`
			}{d.ID, d.Name}, "removed %s", d.Name)
		}),
		v.changing("pause ID", "Send nothing by itself until it is resumed", v.paused(true)), v.changing("resume ID", "Send again", v.paused(false)),
		v.sendCommand(),
		v.changing("retry ID", "Try everything that waits again, also what was not accepted", func(ctx context.Context, h *home.Home, d reader.Destination) error {
			if _, err := h.Destinations.Retry(ctx, d.ID); err != nil {
				return err
			}
			return v.send(ctx, h, d)
		}),
		v.changing("discard ID", "Give up what was not accepted", func(ctx context.Context, h *home.Home, d reader.Destination) error {
			n, err := h.Destinations.Discard(ctx, d.ID)
			if err != nil {
				return err
			}
			return v.print(struct {
				Discarded int `json:"discarded"`
			}{n}, "%s: %d discarded", d.Name, n)
		}))
	return c
}

// changing returns a verb that does something with a destination, as the owner of the data folder.
func (v destinationVerb) changing(use, short string, do func(context.Context, *home.Home, reader.Destination) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		return v.onDestination(cmd.Context(), args[0], do)
	}}
}

func (v destinationVerb) onDestination(ctx context.Context, id string, do func(context.Context, *home.Home, reader.Destination) error) error {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not the ID of a destination", id)
	}
	return v.owning(ctx, func(ctx context.Context, h *home.Home) error {
		d, err := h.Store.Destinations.Get(ctx, n)
		if err != nil {
			return unknown("destination", id, err)
		}
		return do(ctx, h, d)
	})
}

func (v destinationVerb) paused(on bool) func(context.Context, *home.Home, reader.Destination) error {
	return func(ctx context.Context, h *home.Home, d reader.Destination) error {
		if err := h.Destinations.Pause(ctx, d.ID, on); err != nil {
			return err
		}
		d.Paused = on
		return v.printDestination(ctx, h, d)
	}
}

func (v destinationVerb) addCommand() *cobra.Command {
	n := home.NewDestination{Starred: true}
	var fromInput, sent, byHand bool
	var file passwordFile
	var certificate trustedCertificate
	c := &cobra.Command{Use: "add KIND ADDRESS", Short: "Add a destination: wallabag, linkding or folder", Args: cobra.ExactArgs(2),
		Long: "Adds a Wallabag or a Linkding by its address, or a folder for Markdown files by its path, after checking it. Secrets are\n" +
			"asked for on the terminal, or read from the standard input with --password-stdin, one a line: the password, and then the\n" +
			"secret of the API client (Wallabag: make one at API clients management); the token (Linkding: Settings, Integrations).\n" +
			"Nothing that is starred already is sent; \"destination send ID --starred\" does that.",
		RunE: func(cmd *cobra.Command, args []string) error {
			n.Kind, n.Address, n.Starred = handoff.Kind(args[0]), args[1], !byHand
			if err := v.complete(&n, fromInput, sent); err != nil {
				return err
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				var d reader.Destination
				err := certificate.try(ctx, h, func() error {
					return file.keep(h, func() (err error) { d, err = h.Destinations.Add(ctx, n); return err })
				})
				if errors.Is(err, handoff.ErrPlainHTTP) {
					return fmt.Errorf("%s Use --plain-http if you want that", text.English().Error(err))
				}
				if err != nil {
					return err
				}
				return v.printDestination(ctx, h, d)
			})
		}}
	flags := c.Flags()
	flags.StringVar(&n.User, "user", "", "your `NAME` there (Wallabag)")
	flags.StringVar(&n.Options.ClientID, "client-id", "", "the `ID` of your API client (Wallabag)")
	flags.BoolVar(&n.Options.Content, "content", false, "send the text, too, so that the server need not fetch the page (Wallabag)")
	flags.BoolVar(&n.Options.Unread, "unread", false, "mark bookmarks as unread (Linkding)")
	flags.BoolVar(&n.Options.Pictures, "pictures", false, "save pictures that are here already beside the articles (folder)")
	flags.BoolVar(&byHand, "by-hand", false, "send only what you choose, not each article that you star")
	flags.StringVar(&n.Name, "name", "", "what to call it here")
	flags.BoolVar(&n.Plain, "plain-http", false, "send the password unencrypted if the address begins with http:")
	flags.BoolVar(&fromInput, "password-stdin", false, "read secrets from the standard input")
	file.addFlag(c)
	certificate.addFlag(c)
	flags.BoolVar(&sent, passwordSent, false, "")
	flags.StringVar(&n.Secret.Password, passwordGiven, "", "")
	flags.StringVar(&n.Secret.ClientSecret, clientSecretGiven, "", "")
	for _, hidden := range []string{passwordSent, passwordGiven, clientSecretGiven} {
		flags.MarkHidden(hidden) //nolint:errcheck // it was added above
	}
	return c
}

// clientSecretGiven is a flag between two processes of Kairos, as passwordGiven.
const clientSecretGiven = "client-secret-given"

// complete checks what was given for a destination and asks for what is secret. The owner of the data folder gets that through a socket
// that only its user can open.
func (v destinationVerb) complete(n *home.NewDestination, fromInput, sent bool) error {
	var secrets []string
	switch n.Kind {
	case handoff.Wallabag:
		if n.User == "" || n.Options.ClientID == "" {
			return errors.New("name who you are there: --user NAME and --client-id ID")
		}
		secrets = []string{"Password", "Secret of the API client"}
	case handoff.Linkding:
		secrets = []string{"Token"}
	case handoff.Folder:
		n.Address = v.path(n.Address)
		return nil
	default:
		return fmt.Errorf("%q is not wallabag, linkding or folder", n.Kind)
	}
	if sent {
		return nil
	}
	given, err := v.askSecrets(fromInput, secrets...)
	if err != nil {
		return err
	}
	n.Secret.Password = given[0]
	v.args = append(v.args, "--"+passwordSent, "--"+passwordGiven+"="+given[0])
	if len(given) > 1 {
		n.Secret.ClientSecret = given[1]
		v.args = append(v.args, "--"+clientSecretGiven+"="+given[1])
	}
	return nil
}

func (v destinationVerb) sendCommand() *cobra.Command {
	starred := false
	c := &cobra.Command{Use: "send ID [ARTICLE…]", Short: "Send what waits now, or some articles", Args: cobra.MinimumNArgs(1),
		Long: "Sends what waits for a destination now, or these articles, starred or not. Articles that are already\n" +
			"there are not added twice.",
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := parseIDs(args[1:])
			if err != nil {
				return err
			}
			return v.onDestination(cmd.Context(), args[0], func(ctx context.Context, h *home.Home, d reader.Destination) error {
				if len(ids) > 0 {
					n, err := h.Destinations.Deliver(ctx, d.ID, ids)
					if err != nil {
						return err
					}
					if n < len(ids) {
						v.complain("%d of these articles do not exist", len(ids)-n)
					}
				}
				if starred {
					if _, err := h.Destinations.DeliverStarred(ctx, d.ID); err != nil {
						return err
					}
				}
				return v.send(ctx, h, d)
			})
		}}
	c.Flags().BoolVar(&starred, "starred", false, "also all articles that are starred already")
	return c
}

// sentLine is what `destination send` prints.
type sentLine struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	Sent      int    `json:"sent"`
	Waiting   int    `json:"waiting"`
	Error     string `json:"error,omitempty"`
	ErrorCode string `json:"errorCode,omitempty"`
}

func (v destinationVerb) send(ctx context.Context, h *home.Home, d reader.Destination) error {
	r, err := h.Destinations.Engine.Send(ctx, d.ID, true)
	var waits *sync.WaitError
	fault := r.Last
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &fault), errors.As(err, &waits):
	case err != nil:
		return err
	}
	counts, countErr := h.Store.Destinations.Counts(context.WithoutCancel(ctx), d.ID)
	if countErr != nil {
		return countErr
	}
	line := sentLine{ID: d.ID, Name: d.Name, Sent: r.Delivered, Waiting: counts.Waiting}
	switch {
	case waits != nil:
		line.Error = text.English().SyncWaits(waits)
	case fault != nil:
		line.Error, line.ErrorCode = text.English().HandoffError(fault), codeOfHandoff(fault)
	}
	if err := v.print(line, "%s: %d sent, %d wait", d.Name, r.Delivered, counts.Waiting); err != nil || line.Error == "" {
		return err
	}
	v.complain("%s%s", about(d.Name, line.Error), trustHint(err))
	return someFailed
}

func codeOfHandoff(e *handoff.Error) string {
	if e.Server != nil {
		return string(e.Server.Code)
	}
	return string(e.Code)
}

func (v destinationVerb) list(ctx context.Context, h *home.Home) error {
	all, err := h.Store.Destinations.List(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !v.json {
		fmt.Fprintln(v.out, "Starred articles are sent nowhere. kairos destination add --help says how.")
	}
	for _, d := range all {
		if err := v.printDestination(ctx, h, d); err != nil {
			return err
		}
	}
	return nil
}

func (v destinationVerb) printDestination(ctx context.Context, h *home.Home, d reader.Destination) error {
	s, err := h.Destinations.Engine.Status(ctx, d)
	if err != nil {
		return err
	}
	words := text.English()
	l := destinationLine{ID: d.ID, Kind: d.Kind, Name: d.Name, Address: d.Address, User: d.User, Starred: d.Starred, Paused: d.Paused, Waiting: s.Waiting, Refused: s.Refused,
		Delivered: s.Delivered, Unsent: s.Unsent, Last: stamp(s.Last), NextTry: stamp(d.NotBefore)}
	if s.Trouble != nil {
		l.Error, l.ErrorCode = words.HandoffError(s.Trouble), codeOfHandoff(s.Trouble)
	}
	line := fmt.Sprintf("%4d  %s (%s, %s): %s", d.ID, d.Name, d.Kind, d.Address, words.DestinationStatus(s, time.Now()))
	if !d.Starred {
		line += " Only what you choose is sent."
	}
	for _, r := range s.Refusals {
		why := ""
		if r.Why != nil {
			why = words.HandoffError(r.Why)
		}
		l.Refusals = append(l.Refusals, refusalLine{r.Article, r.Title, why})
		line += fmt.Sprintf("\n      %d  %s: %s", r.Article, content.Cut(r.Title, 60), why)
	}
	return v.print(l, "%s", line)
}
