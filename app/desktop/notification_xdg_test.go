//go:build !windows && !darwin

package desktop

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/app/flatpak"
	"kairos/poller/power/bustest"
)

// notificationServer is a notification server on a bus of the test's own.
type notificationServer struct {
	markup bool
	shown  chan [2]string

	replaced chan uint32
}

// Notify is org.freedesktop.Notifications.Notify.
func (d *notificationServer) Notify(_ string, replaces uint32, _, title, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	d.replaced <- replaces
	d.shown <- [2]string{title, body}
	return cmp.Or(replaces, 7), nil
}

// GetCapabilities is org.freedesktop.Notifications.GetCapabilities.
func (d *notificationServer) GetCapabilities() ([]string, *dbus.Error) {
	if d.markup {
		return []string{"actions", "body", "body-markup"}, nil
	}
	return []string{"body"}, nil
}

func newNotificationServer(t *testing.T, markup bool) (*notificationServer, *dbus.Conn) {
	t.Helper()
	bus := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	d := &notificationServer{markup: markup, shown: make(chan [2]string, 10), replaced: make(chan uint32, 10)}
	if err := bus.Export(d, notificationsPath, notifications); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.RequestName(notifications, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return d, bus
}

// Feed text is shown as it is, whether or not the desktop reads markup.
func TestFeedTextIsNoMarkup(t *testing.T) {
	const hostile = `<b>"$(rm -rf ~)" & <img src="http://a.test/">`
	for markup, want := range map[bool]string{
		false: hostile,
		true:  `&lt;b&gt;&#34;$(rm -rf ~)&#34; &amp; &lt;img src=&#34;http://a.test/&#34;&gt;`,
	} {
		d, _ := newNotificationServer(t, markup)
		if err := Notify(t.Context(), Notification{Title: "New", Body: hostile}, nil); err != nil {
			t.Fatal(err)
		}
		if got := <-d.shown; got != [2]string{"New", want} {
			t.Errorf("with markup %v: %q", markup, got)
		}
	}
}

// A click comes with the token that the desktop has sent just before, where it sends one.
func TestClickOnNotification(t *testing.T) {
	for _, token := range []string{"", "of-this-click"} {
		d, bus := newNotificationServer(t, false)
		clicked := make(chan string, 1)
		if err := Notify(t.Context(), Notification{Title: "New"}, func(token string) { clicked <- token }); err != nil {
			t.Fatal(err)
		}
		<-d.shown
		emit := func(signal string, id uint32, text string) {
			if err := bus.Emit(notificationsPath, notifications+signal, id, text); err != nil {
				t.Fatal(err)
			}
		}
		emit(".ActivationToken", 8, "of another program")
		emit(".ActionInvoked", 8, "default")
		if token != "" {
			emit(".ActivationToken", 7, token)
		}
		emit(".ActionInvoked", 7, "default")
		if got := <-clicked; got != token {
			t.Errorf("the token of the click is %q, want %q", got, token)
		}
	}
}

// A notification takes the place of the last one of its kind, and a click counts for it alone.
func TestNotificationTakesThePlaceOfTheOneBefore(t *testing.T) {
	d, bus := newNotificationServer(t, false)
	first, second := make(chan string, 1), make(chan string, 1)
	for i, clicked := range []chan string{first, second} {
		if err := Notify(t.Context(), Notification{Title: "New", Kind: "a kind"}, func(token string) { clicked <- token }); err != nil {
			t.Fatal(err)
		}
		<-d.shown
		if got := <-d.replaced; got != []uint32{0, 7}[i] {
			t.Errorf("notification %d replaces %d", i, got)
		}
	}
	if err := Notify(t.Context(), Notification{Title: "A test"}, nil); err != nil {
		t.Fatal(err)
	}
	if got := <-d.replaced; got != 0 {
		t.Errorf("one without a kind replaces %d", got)
	}
	if err := bus.Emit(notificationsPath, notifications+".ActionInvoked", uint32(7), "default"); err != nil {
		t.Fatal(err)
	}
	<-second
	if len(first) > 0 {
		t.Error("a click counts for the one that was replaced, too")
	}
}

func TestWithoutBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	if err := Notify(context.Background(), Notification{Title: "New"}, nil); !errors.Is(err, ErrNone) {
		t.Errorf("without a bus: %v", err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	if err := Notify(context.Background(), Notification{Title: "New"}, nil); !errors.Is(err, ErrNone) {
		t.Errorf("without a session: %v", err)
	}
}

// A session without a panel has a bus, but often nobody who shows notifications.
func TestWithoutServer(t *testing.T) {
	bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	if err := Notify(t.Context(), Notification{Title: "New"}, nil); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

// portalDesktop is a Notification portal on a bus of the test's own.
type portalDesktop struct{ shown chan map[string]dbus.Variant }

// AddNotification is org.freedesktop.portal.Notification.AddNotification.
func (d portalDesktop) AddNotification(_ string, n map[string]dbus.Variant) *dbus.Error {
	d.shown <- n
	return nil
}

// In a Flatpak notifications go to the portal, and come back as clicks; of two the newer one counts.
func TestNotificationInFlatpak(t *testing.T) {
	usual := flatpak.Info
	flatpak.Info = t.TempDir()
	defer func() { flatpak.Info = usual }()
	bus := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	if err := Notify(t.Context(), Notification{Title: "New"}, nil); !errors.Is(err, ErrNone) {
		t.Errorf("without a portal: %v", err)
	}
	d := portalDesktop{make(chan map[string]dbus.Variant, 10)}
	if err := bus.Export(d, PortalPath, portalNotification); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.RequestName(PortalService, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	first, second := make(chan string, 1), make(chan string, 1)
	for _, clicked := range []chan string{first, second} {
		if err := Notify(t.Context(), Notification{Title: "New", Body: "<b>&"}, func(token string) { clicked <- token }); err != nil {
			t.Fatal(err)
		}
		if n := <-d.shown; n["title"].Value() != "New" || n["body"].Value() != "<b>&" {
			t.Errorf("shown %v", n)
		}
	}
	platform := []dbus.Variant{dbus.MakeVariant("a target"), dbus.MakeVariant(map[string]dbus.Variant{"activation-token": dbus.MakeVariant("token")})}
	for _, id := range []string{"another", portalID} {
		if err := bus.Emit(PortalPath, portalNotification+".ActionInvoked", id, "show", platform); err != nil {
			t.Fatal(err)
		}
	}
	if token := <-second; token != "token" {
		t.Errorf("the token of the click is %q", token)
	}
	select {
	case <-first:
		t.Error("the replaced notification was clicked")
	default:
	}
}
