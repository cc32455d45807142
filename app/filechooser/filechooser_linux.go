package filechooser

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// The names of the XDG desktop portal's documentation.
const (
	portal      = "org.freedesktop.portal.Desktop"
	portalPath  = "/org/freedesktop/portal/desktop"
	fileChooser = "org.freedesktop.portal.FileChooser"
	request     = "org.freedesktop.portal.Request"
)

// What the portal answers.
const (
	answered  = 0
	cancelled = 1
)

func choose(ctx context.Context, r Request) (string, error) {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && os.Getenv("XDG_RUNTIME_DIR") == "" {
		return "", ErrUnsupported
	}
	bus, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	defer bus.Close()
	if err := bus.Auth(nil); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if err := bus.Hello(); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	token := "kairos" + rand.Text()
	sender := strings.ReplaceAll(strings.TrimPrefix(bus.Names()[0], ":"), ".", "_")
	path := dbus.ObjectPath(portalPath + "/request/" + sender + "/" + token)
	// Listen before the question is asked: the answer may come at once.
	signals := make(chan *dbus.Signal, 4)
	bus.Signal(signals)
	if err := bus.AddMatchSignalContext(ctx, dbus.WithMatchInterface(request), dbus.WithMatchMember("Response"), dbus.WithMatchObjectPath(path)); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	method := fileChooser + ".OpenFile"
	if r.Save {
		method = fileChooser + ".SaveFile"
	}
	var asked dbus.ObjectPath
	if err := bus.Object(portal, portalPath).CallWithContext(ctx, method, 0, r.Parent, r.Title, r.options(token)).Store(&asked); err != nil {
		if ctx.Err() != nil {
			closeDialog(ctx, bus, path)
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	for {
		select {
		case <-ctx.Done():
			closeDialog(ctx, bus, path)
			return "", ctx.Err()
		case s, open := <-signals:
			if !open {
				return "", ErrUnsupported
			}
			if s.Path == path {
				return chosen(s)
			}
		}
	}
}

// closeWithin is how long the portal has to take its dialog off the screen.
const closeWithin = time.Second

func closeDialog(ctx context.Context, bus *dbus.Conn, path dbus.ObjectPath) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer stop()
	bus.Object(portal, path).CallWithContext(ctx, request+".Close", 0) // what is gone need not be closed
}

// filter is one of the portal's: a name, and patterns (kind 0).
type filter struct {
	Name  string
	Rules []rule
}

type rule struct {
	Kind    uint32
	Pattern string
}

func (r Request) options(token string) map[string]dbus.Variant {
	o := map[string]dbus.Variant{"handle_token": dbus.MakeVariant(token), "modal": dbus.MakeVariant(true)}
	if r.Save {
		o["current_name"] = dbus.MakeVariant(r.Name)
	}
	if r.Folder != "" {
		o["current_folder"] = dbus.MakeVariant(append([]byte(r.Folder), 0))
	}
	if len(r.Extensions) > 0 {
		offered := filter{Name: r.Kind}
		for _, e := range r.Extensions {
			offered.Rules = append(offered.Rules, rule{0, "*" + e}, rule{0, "*" + strings.ToUpper(e)})
		}
		o["filters"] = dbus.MakeVariant([]filter{offered, {r.All, []rule{{0, "*"}}}})
	}
	return o
}

// chosen reads the path from the portal's answer.
func chosen(s *dbus.Signal) (string, error) {
	var code uint32
	var results map[string]dbus.Variant
	if err := dbus.Store(s.Body, &code, &results); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	switch code {
	case answered:
	case cancelled:
		return "", nil
	default:
		return "", ErrUnsupported // the portal could not show its dialog
	}
	uris, _ := results["uris"].Value().([]string)
	if len(uris) == 0 {
		return "", nil
	}
	u, err := url.Parse(uris[0])
	if err != nil || u.Scheme != "file" {
		return "", fmt.Errorf("the chosen file %q is not on this computer", uris[0])
	}
	return u.Path, nil
}
