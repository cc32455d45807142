package filechooser

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/app/desktop"
	"kairos/poller/power/bustest"
)

// fakePortal is a portal on a bus of the test's own.
type fakePortal struct {
	bus     *dbus.Conn
	answers chan answer // to the questions to come
	asked   chan asked
	closed  chan dbus.ObjectPath
}

// answer is what the portal answers.
type answer struct {
	code   uint32
	uris   []string
	silent bool // nothing
}

// asked is what the portal was asked.
type asked struct {
	save    bool
	parent  string
	title   string
	options map[string]dbus.Variant
}

// OpenFile is org.freedesktop.portal.FileChooser.OpenFile.
func (d *fakePortal) OpenFile(sender dbus.Sender, parent, title string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return d.answer(sender, asked{false, parent, title, options})
}

// SaveFile is org.freedesktop.portal.FileChooser.SaveFile.
func (d *fakePortal) SaveFile(sender dbus.Sender, parent, title string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return d.answer(sender, asked{true, parent, title, options})
}

// Close is org.freedesktop.portal.Request.Close.
func (d *fakePortal) Close(m dbus.Message) *dbus.Error {
	path, _ := m.Headers[dbus.FieldPath].Value().(dbus.ObjectPath)
	d.closed <- path
	return nil
}

func (d *fakePortal) answer(sender dbus.Sender, a asked) (dbus.ObjectPath, *dbus.Error) {
	token, _ := a.options["handle_token"].Value().(string)
	name := []byte(sender)[1:]
	for i, c := range name {
		if c == '.' {
			name[i] = '_'
		}
	}
	path := dbus.ObjectPath(desktop.PortalPath + "/request/" + string(name) + "/" + token)
	given := <-d.answers
	if given.silent {
		if err := d.bus.Export(d, path, desktop.PortalRequest); err != nil {
			return "", dbus.MakeFailedError(err)
		}
		d.asked <- a
		return path, nil
	}
	d.asked <- a
	if err := d.bus.Emit(path, desktop.PortalRequest+".Response", given.code, map[string]dbus.Variant{"uris": dbus.MakeVariant(given.uris)}); err != nil {
		return "", dbus.MakeFailedError(err)
	}
	return path, nil
}

func newFakePortal(t *testing.T) *fakePortal {
	t.Helper()
	bus := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	d := &fakePortal{bus: bus, answers: make(chan answer, 1), asked: make(chan asked, 10), closed: make(chan dbus.ObjectPath, 1)}
	if err := bus.Export(d, desktop.PortalPath, fileChooser); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.RequestName(desktop.PortalService, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestChooseAFileToOpen(t *testing.T) {
	d := newFakePortal(t)
	d.answers <- answer{uris: []string{"file:///home/me/My%20feeds%20%2B.opml"}}
	file, err := Choose(t.Context(), Request{Title: "Import", Parent: "x11:2a", Extensions: []string{".opml", ".xml"}, Kind: "Lists of feeds", All: "All files"})
	if err != nil || file != "/home/me/My feeds +.opml" {
		t.Errorf("%q, %v", file, err)
	}
	a := <-d.asked
	var filters []filter
	if err := a.options["filters"].Store(&filters); err != nil {
		t.Fatal(err)
	}
	if a.save || a.parent != "x11:2a" || a.title != "Import" || len(filters) != 2 || filters[0].Name != "Lists of feeds" || len(filters[0].Rules) != 4 ||
		filters[0].Rules[0].Pattern != "*.opml" || filters[1].Rules[0].Pattern != "*" {
		t.Errorf("asked %+v, filters %+v", a, filters)
	}
}

func TestChooseAFileToSave(t *testing.T) {
	d := newFakePortal(t)
	d.answers <- answer{uris: []string{"file:///tmp/kairos.opml"}}
	file, err := Choose(t.Context(), Request{Title: "Export", Save: true, Name: "kairos.opml", Folder: "/tmp"})
	if err != nil || file != "/tmp/kairos.opml" {
		t.Errorf("%q, %v", file, err)
	}
	a := <-d.asked
	name, _ := a.options["current_name"].Value().(string)
	folder, _ := a.options["current_folder"].Value().([]byte)
	if !a.save || name != "kairos.opml" || string(folder) != "/tmp\x00" {
		t.Errorf("asked %+v", a)
	}
	d.answers <- answer{code: 1}
	if file, err := Choose(t.Context(), Request{Save: true}); err != nil || file != "" {
		t.Errorf("canceled: %q, %v", file, err)
	}
	d.answers <- answer{code: 2}
	if _, err := Choose(t.Context(), Request{Save: true}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("ended otherwise: %v", err)
	}
}

// Ending the question takes the dialog off the screen.
func TestChooseIsCanceled(t *testing.T) {
	d := newFakePortal(t)
	d.answers <- answer{silent: true}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-d.asked
		stop()
	}()
	if _, err := Choose(ctx, Request{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-d.closed
}

func TestWithoutPortal(t *testing.T) {
	bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	if _, err := Choose(t.Context(), Request{}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("without a portal: %v", err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	if _, err := Choose(t.Context(), Request{}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("without a bus: %v", err)
	}
}
