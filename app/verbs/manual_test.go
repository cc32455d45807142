package verbs

import (
	"bytes"
	"io/fs"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kairos/assets"
)

// The manual describes every verb and every option, and groff has nothing to say against it.
func TestManual(t *testing.T) {
	var page bytes.Buffer
	if err := Manual(&page, time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	if !strings.HasPrefix(text, ".TH KAIROS 1 \"2026-01-31\"") {
		t.Errorf("begins with %.60q", text)
	}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.HasParent() && !strings.Contains(text, "\n.SS "+roff(c.CommandPath())) {
			t.Errorf("no %s", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden && !strings.Contains(text, roff("--"+f.Name)+`\fR`) {
				t.Errorf("%s: no --%s", c.CommandPath(), f.Name)
			}
		})
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				visit(below)
			}
		}
	}
	visit((&env{}).root())
	if groff, err := exec.LookPath("groff"); err == nil {
		format := exec.Command(groff, "-man", "-Tutf8", "-ww", "-K", "utf8", "-z")
		format.Stdin = &page
		if said, err := format.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("groff: %v\n%s", err, said)
		}
	}
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		"--data DIR":      `\-\-data DIR`,
		".hidden":         `\&.hidden`,
		"'a phrase'":      `\&'a phrase'`,
		`a\b`:             `a\eb`,
		"one.\ntwo-three": "one.\ntwo\\-three",
	} {
		if got := roff(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got, want := paragraph("Says this:\n  kairos add x\n\nOr that.\n.So\n"), "Says this:\n.br\n    kairos add x\n.br\n.PP\nOr that.\n\\&.So\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		var script bytes.Buffer
		if err := Completion(&script, shell); err != nil || !strings.Contains(script.String(), "kairos") {
			t.Errorf("%s: %v, %d bytes", shell, err, script.Len())
		}
	}
	if err := Completion(&bytes.Buffer{}, "tcsh"); err == nil {
		t.Error("tcsh has a completion")
	}
}

// The verbs and options that the pages of help name are there.
func TestHelpNamesVerbs(t *testing.T) {
	named := regexp.MustCompile("`kairos ((?:[a-z]+ ?)+)[^`]*?(--[a-z-]+)?[^`]*`")
	err := fs.WalkDir(assets.Help(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		page, err := fs.ReadFile(assets.Help(), path)
		for _, m := range named.FindAllStringSubmatch(string(page), -1) {
			verb, _, err := (&env{}).root().Find(strings.Fields(m[1]))
			if err != nil || !verb.HasParent() {
				t.Errorf("%s: no verb %s", path, m[1])
			} else if flag := strings.TrimPrefix(m[2], "--"); flag != "" && flag != "help" && verb.Flags().Lookup(flag) == nil {
				t.Errorf("%s: %s has no --%s", path, verb.Name(), flag)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
