package verbs

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/poller/fetch"
)

// command runs verbs on one data folder.
type command struct {
	t   testing.TB
	dir string
	cwd string
	now func() time.Time // nil: the real time
}

func newCommand(t testing.TB) *command {
	t.Helper()
	run, err := os.MkdirTemp("", "kr") // short, since the path of a socket must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(run) })
	switch t := t.(type) {
	case *testing.T:
		t.Setenv("XDG_RUNTIME_DIR", run)
	case *testing.B:
		t.Setenv("XDG_RUNTIME_DIR", run)
	}
	return &command{t: t, dir: filepath.Join(t.TempDir(), "data"), cwd: t.TempDir()}
}

type result struct {
	code     int
	out, err string
}

// try runs a verb in this process.
func (c *command) try(args ...string) result {
	return c.bare(append(args, "--data", c.dir)...)
}

func (c *command) bare(args ...string) result {
	c.t.Helper()
	var out, err bytes.Buffer
	client := fetch.New(fetch.Options{Now: c.now, Spacing: -1, Limits: fetch.Limits{Headers: 5 * time.Second, Total: time.Minute}})
	code := run(context.WithoutCancel(c.t.Context()), args, &env{cwd: c.cwd, out: &out, err: &err, options: home.Options{Client: client, Now: c.now}})
	return result{code, out.String(), err.String()}
}

// do runs a verb that must succeed and print nothing to standard error.
func (c *command) do(args ...string) string {
	c.t.Helper()
	r := c.try(args...)
	if r.code != 0 || r.err != "" {
		c.t.Fatalf("kairos %s: exit %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.err)
	}
	return r.out
}

// lines runs a verb with --json and returns its objects.
func (c *command) lines(args ...string) []map[string]any {
	c.t.Helper()
	return objects(c.t, c.do(append(args, "--json")...))
}

func objects(t testing.TB, text string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, v)
	}
	return all
}

// one runs a verb that prints one JSON value.
func (c *command) one(args ...string) map[string]any {
	c.t.Helper()
	all := c.lines(args...)
	if len(all) != 1 {
		c.t.Fatalf("kairos %s: %d JSON values", strings.Join(args, " "), len(all))
	}
	return all[0]
}

func (c *command) file(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.cwd, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// keys fails the test for each name that an object lacks.
func keys(t testing.TB, object string, v map[string]any, names string) {
	t.Helper()
	for _, name := range strings.Fields(names) {
		if _, ok := v[name]; !ok {
			t.Errorf("%s: no %q in %v", object, name, v)
		}
	}
}
