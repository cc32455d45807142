package home

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"kairos/poller/fetch"
	"kairos/reader"
)

// Certificates are those that the user trusts, though they are not valid: one of a host and port, as servers at home have them.
type Certificates struct {
	store  *reader.Store
	client *fetch.Client
}

// TrustedCertificate is a certificate that the user trusts.
type TrustedCertificate struct {
	Host        string // as fetch.Host writes it
	Fingerprint fetch.Fingerprint
}

// RefusedCertificate returns the certificate that something failed for and that the user may trust; ok is false if there is none.
// The user has to be warned if another one of the host was trusted before (Changed).
func RefusedCertificate(err error) (refused *fetch.Error, ok bool) {
	ok = errors.As(err, &refused) && refused.Fingerprint != ""
	return refused, ok
}

// Trust makes Kairos accept this one certificate of a host from now on, in place of the one that was trusted before.
func (c *Certificates) Trust(ctx context.Context, host string, f fetch.Fingerprint) error {
	if err := c.store.Settings.Set(ctx, reader.SettingCertificate+host, string(f)); err != nil {
		return err
	}
	return c.load(ctx)
}

// Distrust takes back that a certificate of a host is accepted.
func (c *Certificates) Distrust(ctx context.Context, host string) error {
	return c.Trust(ctx, host, "")
}

// List returns the trusted certificates by their hosts.
func (c *Certificates) List(ctx context.Context) (all []TrustedCertificate, err error) {
	stored, err := c.store.Settings.WithPrefix(ctx, reader.SettingCertificate)
	for key, value := range stored {
		if f, ok := fetch.ParseFingerprint(value); ok {
			all = append(all, TrustedCertificate{strings.TrimPrefix(key, reader.SettingCertificate), f})
		}
	}
	slices.SortFunc(all, func(a, b TrustedCertificate) int { return cmp.Compare(a.Host, b.Host) })
	return all, err
}

// load tells the client which certificates are trusted.
func (c *Certificates) load(ctx context.Context) error {
	all, err := c.List(ctx)
	if err != nil {
		return err
	}
	trusted := make(map[string]fetch.Fingerprint, len(all))
	for _, one := range all {
		trusted[one.Host] = one.Fingerprint
	}
	c.client.SetTrusted(trusted)
	return nil
}
