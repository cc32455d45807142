package verbs

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/poller/fetch"
)

// trustedCertificate is the flag that names the certificate a server may have, though it is not valid.
type trustedCertificate struct{ fingerprint string }

func (t *trustedCertificate) addFlag(c *cobra.Command) {
	c.Flags().StringVar(&t.fingerprint, "trust-certificate", "", "accept the server's certificate with this SHA-256 `FINGERPRINT`, though it is not valid")
}

// try does something. If that fails for a certificate that is not valid, it trusts the certificate and does it again if the flag
// names this very one, or else says how to name it.
func (t *trustedCertificate) try(ctx context.Context, h *home.Home, do func() error) error {
	given, ok := fetch.ParseFingerprint(t.fingerprint)
	if !ok && t.fingerprint != "" {
		return fmt.Errorf("%q is no SHA-256 fingerprint: that is 64 hexadecimal digits, with or without colons", t.fingerprint)
	}
	err := do()
	refused, isCertificate := home.RefusedCertificate(err)
	switch {
	case !isCertificate:
		return err
	case refused.Fingerprint == given:
		if err := h.Certificates.Trust(ctx, refused.Host, given); err != nil {
			return err
		}
		return t.explain(do())
	case given != "":
		return fmt.Errorf("%s is not the fingerprint of the certificate of %s. That is %s", given, refused.Host, refused.Fingerprint)
	}
	return t.explain(err)
}

// explain says which certificate an error is about, and how to trust it.
func (t *trustedCertificate) explain(err error) error {
	refused, ok := home.RefusedCertificate(err)
	if !ok {
		return err
	}
	return fmt.Errorf("%s Its SHA-256 fingerprint is %s. Compare it with the one that the server itself shows; if they are the same, use --trust-certificate %s",
		errorText(err), refused.Fingerprint, refused.Fingerprint)
}

// trustHint says how to trust the certificate that something failed for, where no flag does; "" if none is to blame.
func trustHint(err error) string {
	refused, ok := home.RefusedCertificate(err)
	if !ok {
		return ""
	}
	return fmt.Sprintf(" Its SHA-256 fingerprint is %s. If the server itself shows the same, enter “kairos certificate trust %s %s”.", refused.Fingerprint, refused.Host, refused.Fingerprint)
}

// certificateVerb lists the certificates that are trusted, and takes that back.
type certificateVerb struct{ *env }

// certificateLine is a trusted certificate as `certificate` prints it.
type certificateLine struct {
	Host        string            `json:"host"`
	Fingerprint fetch.Fingerprint `json:"fingerprint"`
}

func (v certificateVerb) command() *cobra.Command {
	list := func(cmd *cobra.Command, _ []string) error { return v.reading(cmd.Context(), v.list) }
	c := &cobra.Command{Use: "certificate", Short: "List the certificates that you trust, though they are not valid", Args: cobra.NoArgs,
		Long: "Lists the certificates that Kairos accepts of servers of yours, though nobody known has signed them, they have expired or\n" +
			"are for another name: one of each host and port. add and account take --trust-certificate; trust is for the others.",
		RunE: list}
	c.AddCommand(&cobra.Command{Use: "list", Short: "List them", Args: cobra.NoArgs, RunE: list},
		&cobra.Command{Use: "trust HOST FINGERPRINT", Short: "Accept the certificate of a host, such as nas.local:8443, with this SHA-256 fingerprint", Args: cobra.ExactArgs(2),
			RunE: func(cmd *cobra.Command, args []string) error {
				f, ok := fetch.ParseFingerprint(args[1])
				if !ok {
					return fmt.Errorf("%q is no SHA-256 fingerprint: that is 64 hexadecimal digits, with or without colons", args[1])
				}
				return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error { return v.trust(ctx, h, args[0], f) })
			}},
		&cobra.Command{Use: "remove HOST", Short: "Trust the certificate of a host no longer", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error { return v.remove(ctx, h, args[0]) })
			}})
	return c
}

func (v certificateVerb) list(ctx context.Context, h *home.Home) error {
	all, err := h.Certificates.List(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !v.json {
		fmt.Fprintln(v.out, "There are none.")
	}
	for _, c := range all {
		if err := v.print(certificateLine{c.Host, c.Fingerprint}, "%s  %s", c.Host, c.Fingerprint); err != nil {
			return err
		}
	}
	return nil
}

func (v certificateVerb) trust(ctx context.Context, h *home.Home, typed string, f fetch.Fingerprint) error {
	host, err := certifiedHost(typed)
	if err != nil {
		return err
	}
	if err := h.Certificates.Trust(ctx, host, f); err != nil {
		return err
	}
	return v.print(certificateLine{host, f}, "the certificate of %s with the fingerprint %s is trusted", host, f)
}

func (v certificateVerb) remove(ctx context.Context, h *home.Home, typed string) error {
	host, err := certifiedHost(typed)
	if err != nil {
		return err
	}
	all, err := h.Certificates.List(ctx)
	if err != nil {
		return err
	}
	for _, c := range all {
		if c.Host == host {
			if err := h.Certificates.Distrust(ctx, host); err != nil {
				return err
			}
			return v.print(certificateLine(c), "the certificate of %s is not trusted any more", host)
		}
	}
	return fmt.Errorf("no certificate of %s is trusted", host)
}

// certifiedHost returns the host and port of what was typed: that, or an address.
func certifiedHost(typed string) (string, error) {
	for _, address := range []string{typed, "https://" + typed} {
		if host := fetch.Host(address); host != "" {
			return host, nil
		}
	}
	return "", fmt.Errorf("%q is no host", typed)
}
