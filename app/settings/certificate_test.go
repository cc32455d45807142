package settings

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/poller/fetch"
	accounts "kairos/poller/sync"
	"kairos/poller/sync/connect"
)

// A server with a certificate that is not valid is added once the user has trusted it by its fingerprint. Enter does not: Cancel is
// highlighted. The page Privacy takes that back.
func TestTrustCertificate(t *testing.T) {
	fingerprint := fetch.Fingerprint(strings.Repeat("0af9", 16))
	asked := 0
	refused := &fetch.Error{Code: fetch.TLS, Host: "nas.test:8443", Certificate: fetch.Untrusted, Fingerprint: fingerprint}
	var s *Settings
	s, _, q := newSettingsWith(t, home.Options{Keyring: hometest.NewRing(), Servers: home.Servers{
		Find: func(ctx context.Context, _ string, typed home.Login) (found, url string, err error) {
			asked++
			if all, err := s.Home.Certificates.List(ctx); err != nil || len(all) == 0 {
				return "", "", &accounts.Error{Code: accounts.Untrusted, Host: refused.Host, Err: refused}
			}
			return string(connect.Miniflux), "https://" + typed.Address, nil
		},
		Open: func(_, _, _, _ string) (accounts.Service, error) { return hometest.NewServer(), nil }}})
	added := 0
	f := s.newAccount(func() { added++ })
	f.address.SetText("nas.test:8443")
	f.user.SetText("ann")
	f.password.SetText("right")
	f.submit()
	q.Until("it asks", func() bool { return len(s.Dialogs.Open) == 2 })
	ask := s.Dialogs.Open[1]
	if texts := strings.Join(widgetstest.Texts(ask.Content), "\n"); ask.Title != "Trust this certificate?" || !strings.Contains(texts, "not signed by anyone") ||
		!strings.Contains(texts, "0A:F9:0A:F9") || !strings.Contains(texts, "only from nas.test:8443") {
		t.Errorf("%s\n%s", ask.Title, texts)
	}
	s.Dialogs.Key("Return")
	if len(s.Dialogs.Open) != 1 || asked != 1 {
		t.Fatalf("Enter trusts: %d dialogs, asked %d times", len(s.Dialogs.Open), asked)
	}
	refused.Changed = true
	f.submit()
	q.Until("it asks again", func() bool { return len(s.Dialogs.Open) == 2 })
	ask = s.Dialogs.Open[1]
	if texts := strings.Join(widgetstest.Texts(ask.Content), "\n"); ask.Title != "The certificate has changed" || !strings.Contains(texts, "Warning: nas.test:8443 does not show the certificate that you trusted.") {
		t.Errorf("%s\n%s", ask.Title, texts)
	}
	refused.Changed = false
	ask.Press("Trust it")
	q.Until("it is added", func() bool { return added == 1 })

	d := openDialog(t, s, General)
	d.names.Select(slices.Index(Pages, Privacy))
	shows := func() bool { return strings.Contains(strings.Join(widgetstest.Texts(d.body), "\n"), "nas.test:8443") }
	q.Until("it is listed", shows)
	for _, b := range widgetstest.Find[*widgets.DialogButton](d.body) {
		if b.Text == "Trust no longer" && b.About == "nas.test:8443" {
			b.Tapped(nil)
		}
	}
	q.Until("it is not listed any more", func() bool { return !shows() })
	if all, err := s.Home.Certificates.List(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("%v, %v", all, err)
	}
}
