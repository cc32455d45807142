package settings

import (
	"slices"
	"strings"
	"testing"

	"kairos/app/home"
)

// The address of an account is changed with its password only, which goes nowhere else.
func TestChangeAddressOfAccount(t *testing.T) {
	s, w, q, r := newAccountSettings(t)
	account, err := s.Home.Subscriptions.Accounts.Add(t.Context(), "", home.Login{Address: "rss.test", User: "ann", Password: "right"}, "")
	if err != nil {
		t.Fatal(err)
	}
	d := openDialog(t, s, Accounts)
	q.Until("it is listed", func() bool { return len(d.accounts.list.items) == 1 })
	f := d.accounts.edit(account)
	f.address.SetText("https://new.rss.test")
	f.submit()
	q.Until("it wants the password", func() bool { return strings.HasPrefix(f.passwordProblem.String(), "Enter the password, too") })
	f.password.SetText("right")
	f.submit()
	q.Until("it is changed", func() bool { return d.accounts.list.items[0].URL == "https://new.rss.test" })
	if a := d.accounts.list.items[0]; a.ID != account.ID || a.Name != "new.rss.test" || !slices.Equal(w.synced, []int64{a.ID}) || !holds(r, "right") {
		t.Errorf("%+v, synced %v", a, w.synced)
	}
	for _, item := range r.Items {
		if !strings.Contains(item, "new.rss.test") {
			t.Errorf("the password is for %s", item)
		}
	}
}
