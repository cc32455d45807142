package filechooser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/godbus/dbus/v5"

	"kairos/app/desktop"
)

// fileChooser is an interface of the XDG desktop portal's documentation.
const fileChooser = "org.freedesktop.portal.FileChooser"

func choose(ctx context.Context, r Request) (string, error) {
	method := fileChooser + ".OpenFile"
	if r.Save {
		method = fileChooser + ".SaveFile"
	}
	code, results, err := desktop.Ask(ctx, method, r.options(), r.Parent, r.Title)
	switch {
	case errors.Is(err, desktop.ErrNoPortal):
		return "", fmt.Errorf("%w: %w", ErrUnsupported, err)
	case err != nil:
		return "", err
	}
	return chosen(code, results)
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

func (r Request) options() map[string]dbus.Variant {
	o := map[string]dbus.Variant{"modal": dbus.MakeVariant(true)}
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
func chosen(code uint32, results map[string]dbus.Variant) (string, error) {
	switch code {
	case desktop.Answered:
	case desktop.Canceled:
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
