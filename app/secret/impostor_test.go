package secret

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"kairos/poller/power/bustest"
)

const (
	servicePath   = dbus.ObjectPath("/org/freedesktop/secrets")
	secretService = "org.freedesktop.Secret.Service"
	collection    = "org.freedesktop.Secret.Collection"
	item          = "org.freedesktop.Secret.Item"
	someItem      = dbus.ObjectPath("/org/freedesktop/secrets/item")
)

// secretValue is a Secret of the protocol.
type secretValue struct {
	Session     dbus.ObjectPath
	Parameters  []byte
	Value       []byte
	ContentType string
}

// impostor are the methods of another program that answers as the keyring, by interface. They begin as those of a keyring with one item.
func impostor(value string) map[string]map[string]any {
	return map[string]map[string]any{
		secretService: {
			"OpenSession": func(string, dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
				return dbus.MakeVariant(""), "/session", nil
			},
			"SearchItems": func(map[string]string) ([]dbus.ObjectPath, []dbus.ObjectPath, *dbus.Error) {
				return []dbus.ObjectPath{someItem}, nil, nil
			},
			"Unlock": func(paths []dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
				return paths, "/", nil
			},
			"ReadAlias": func(string) (dbus.ObjectPath, *dbus.Error) { return servicePath, nil },
		},
		collection: {"SearchItems": func(map[string]string) ([]dbus.ObjectPath, *dbus.Error) { return []dbus.ObjectPath{someItem}, nil }},
		item: {"GetSecret": func(dbus.ObjectPath) (secretValue, *dbus.Error) {
			return secretValue{"/session", nil, []byte(value), "text/plain"}, nil
		}},
	}
}

// answer has a program answer as the keyring on a bus of its own.
func answer(t *testing.T, methods map[string]map[string]any) {
	t.Helper()
	conn := bustest.Start(t, "DBUS_SESSION_BUS_ADDRESS")
	for name, table := range methods {
		for _, path := range []dbus.ObjectPath{servicePath, "/org/freedesktop/secrets/aliases/default", "/org/freedesktop/secrets/collection/login", someItem} {
			if err := conn.ExportMethodTable(table, path, name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if reply, err := conn.RequestName("org.freedesktop.secrets", dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
}

// Whatever answers in the place of the keyring, with other types, with megabytes or not at all, is an error, and soon; what it says
// is no password.
func TestImpostorOfTheKeyring(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the Secret Service is of Linux")
	}
	hangs := make(chan struct{})
	t.Cleanup(func() { close(hangs) })
	nothing := func() *dbus.Error { <-hangs; return nil }
	for name, change := range map[string]func(m map[string]map[string]any){
		"megabytes":            func(m map[string]map[string]any) { m[item] = impostor(strings.Repeat("x", 2<<20))[item] },
		"not JSON":             func(m map[string]map[string]any) { m[item] = impostor("hunter2")[item] },
		"JSON of another kind": func(m map[string]map[string]any) { m[item] = impostor(`[[[[1]]]]`)[item] },
		"a number for a session": func(m map[string]map[string]any) {
			m[secretService]["OpenSession"] = func(string, dbus.Variant) (int32, *dbus.Error) { return 7, nil }
		},
		"nothing for a session": func(m map[string]map[string]any) {
			m[secretService]["OpenSession"] = func(string, dbus.Variant) *dbus.Error { return nil }
		},
		"a text for a secret": func(m map[string]map[string]any) {
			m[item]["GetSecret"] = func(dbus.ObjectPath) (string, *dbus.Error) { return "hunter2", nil }
		},
		"a number for paths": func(m map[string]map[string]any) {
			m[secretService]["Unlock"] = func([]dbus.ObjectPath) (int32, *dbus.Error) { return 1, nil }
		},
		"no items but a map": func(m map[string]map[string]any) {
			m[collection]["SearchItems"] = func(map[string]string) (map[string]string, *dbus.Error) { return nil, nil }
		},
		"an error of its own name": func(m map[string]map[string]any) {
			m[item]["GetSecret"] = func(dbus.ObjectPath) (string, *dbus.Error) { return "", dbus.NewError("\x1b]52;c;eA==\a", []any{1}) }
		},
		"no session": func(m map[string]map[string]any) {
			m[secretService]["OpenSession"] = func(string, dbus.Variant) *dbus.Error { return nothing() }
		},
		"no secret": func(m map[string]map[string]any) {
			m[item]["GetSecret"] = func(dbus.ObjectPath) *dbus.Error { return nothing() }
		},
	} {
		t.Run(name, func(t *testing.T) {
			methods := impostor("")
			change(methods)
			answer(t, methods)
			ctx, cancel := context.WithTimeout(t.Context(), timeout/30)
			defer cancel()
			user, password, err := New("k").Load(ctx, 1)
			if err == nil || user != "" || password != "" {
				t.Errorf("%q, %q, %v", user, password, err)
			}
			if errors.Is(err, ErrNone) {
				t.Errorf("%v tells that there is no password", err)
			}
		})
	}

	t.Run("as the keyring", func(t *testing.T) { // the impostor would be believed, if it said what the keyring says
		answer(t, impostor(`{"user":"ann","password":"p"}`))
		if user, password, err := New("k").Load(t.Context(), 1); user != "ann" || password != "p" || err != nil {
			t.Errorf("%q, %q, %v", user, password, err)
		}
	})
}
