package preferences

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

// fyneValues stand for Fyne's preferences.
type fyneValues map[string]any

func (f fyneValues) String(key string) string       { s, _ := f[key].(string); return s }
func (f fyneValues) Bool(key string) bool           { b, _ := f[key].(bool); return b }
func (f fyneValues) Float(key string) float64       { n, _ := f[key].(float64); return n }
func (f fyneValues) SetString(key, value string)    { f[key] = value }
func (f fyneValues) SetBool(key string, value bool) { f[key] = value }
func (f fyneValues) SetFloat(key string, v float64) { f[key] = v }
func written(ctx context.Context, s *reader.Store) func(key, value string) {
	return func(key, value string) {
		if err := s.Settings.Set(ctx, key, value); err != nil {
			panic(err)
		}
	}
}

// opened are the preferences of the data folder dir while it is open.
func opened(t *testing.T, dir string, old Values) *Preferences {
	t.Helper()
	p := Read(t.Context(), dir, old)
	s, err := reader.Open(t.Context(), dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := p.Bind(t.Context(), s, written(t.Context(), s)); err != nil {
		t.Fatal(err)
	}
	return p
}

// Fyne's preferences are taken over once and not written to.
func TestImport(t *testing.T) {
	dir := t.TempDir()
	old := fyneValues{"look": "dark", "list.oldest": true, "window.width": 1000.5}
	before := maps.Clone(old)
	p := Read(t.Context(), dir, old)
	p.SetString("look.desktop", "light") // before the folder is open
	if p.String("look") != "dark" {
		t.Error("the theme is not there before the folder is")
	}
	s, err := reader.Open(t.Context(), dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Bind(t.Context(), s, written(t.Context(), s)); err != nil {
		t.Fatal(err)
	}
	p.SetBool("list.oldest", false)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	old["look"] = "sepia"
	p = Read(t.Context(), dir, old)
	if p.String("look") != "dark" || p.String("look.desktop") != "light" || p.Bool("list.oldest") || p.Float("window.width") != 1000.5 {
		t.Errorf("kept %v", p.stored)
	}
	if old["look"] = "dark"; !maps.Equal(old, before) {
		t.Errorf("Fyne's are %v now", old)
	}
}

// A file of Fyne's that was cut off costs nothing once its values are in the data folder.
func TestFyneLost(t *testing.T) {
	dir := t.TempDir()
	opened(t, dir, fyneValues{"look": "dark"})
	if p := opened(t, dir, fyneValues{}); p.String("look") != "dark" {
		t.Error("the theme is lost")
	}
}

// What a backup brings does not change how the window looks.
func TestStoreAll(t *testing.T) {
	dir := t.TempDir()
	p := opened(t, dir, fyneValues{"look": "dark"})
	other := opened(t, dir, fyneValues{})
	other.SetString("look", "sepia")
	p.StoreAll()
	if now := Read(t.Context(), dir, fyneValues{}); now.String("look") != "dark" {
		t.Errorf("the look is %q", now.String("look"))
	}
}

const victimOf = "KAIROS_TEST_PREFERENCES"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimOf); dir != "" {
		if err := victim(context.Background(), dir); err != nil {
			fmt.Println("broken:", err)
		}
		return
	}
	os.Exit(m.Run())
}

// victim changes a preference for as long as it lives, and prints each value when it is stored. It ends when its input does.
func victim(ctx context.Context, dir string) error {
	p := Read(ctx, dir, fyneValues{})
	s, err := reader.Open(ctx, dir, time.Now())
	if err != nil {
		return err
	}
	if err := p.Bind(ctx, s, written(ctx, s)); err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		p.SetFloat("panes.sidebar", p.Float("panes.sidebar")+1)
		os.Stdout.WriteString(strconv.Itoa(int(p.Float("panes.sidebar"))) + "\n") //nolint:errcheck // nobody is left to be told
	}
	return errors.Join(in.Err(), s.Close())
}

// No quit and no kill, whenever it comes, loses a preference that was stored, or one that nobody changed.
func TestQuitsAndKills(t *testing.T) {
	lives := 30
	if os.Getenv("KAIROS_SOAK") != "" {
		lives = 10000
	}
	dir := t.TempDir()
	opened(t, dir, fyneValues{"look": "dark"})
	stored := 0
	for life := range lives {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), victimOf+"="+dir)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range life % 4 { // changes it sees stored
			fmt.Fprintln(in)
			if !lines.Scan() {
				t.Fatalf("life %d: it ended", life)
			}
			if stored, err = strconv.Atoi(lines.Text()); err != nil {
				t.Fatalf("life %d: %s", life, lines.Text())
			}
		}
		before := stored
		asked := 0
		if life%2 == 0 { // it is killed somewhere in a burst of changes
			asked = 1 + life/2%8
			io.WriteString(in, strings.Repeat("\n", asked)) //nolint:errcheck // it reports what it stored
			for range rand.IntN(asked) {
				lines.Scan()
			}
			cmd.Process.Kill()
		}
		in.Close()
		for text := lines.Text(); ; text = lines.Text() { // until it has ended
			if text != "" {
				if stored, err = strconv.Atoi(text); err != nil {
					t.Fatalf("life %d: %s", life, text)
				}
			}
			if !lines.Scan() {
				break
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("life %d: %v", life, err)
		}
		cmd.Wait() //nolint:errcheck // it was killed
		p := Read(t.Context(), dir, fyneValues{})
		now := int(p.Float("panes.sidebar"))
		if p.String("look") != "dark" || now < stored || now > before+asked {
			t.Fatalf("life %d: %v, and %d was stored", life, p.stored, stored)
		}
		stored = now
	}
}
