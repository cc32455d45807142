package share

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var hostile = Article{Title: `A & B "$(touch x)"; {url} -é`, Link: "https://a.test/x?y=1&z=2#f", Author: "Ann", Feed: "News",
	Text: "-rf one\ntwo", Labels: []string{"To do", "Work"}}

func TestAddress(t *testing.T) {
	for target, want := range map[string]string{
		"https://s.test/share?text={title}%20{url}":    "https://s.test/share?text=A%20%26%20B%20%22%24%28touch%20x%29%22%3B%20%7Burl%7D%20-%C3%A9%20https%3A%2F%2Fa.test%2Fx%3Fy%3D1%26z%3D2%23f",
		"https://s.test/{feed}?t={labels}":             "https://s.test/News?t=To%20do%2CWork",
		" http://127.0.0.1:8080/add?u={url} ":          "http://127.0.0.1:8080/add?u=https%3A%2F%2Fa.test%2Fx%3Fy%3D1%26z%3D2%23f",
		"mailto:me@a.test?subject={title}&body={text}": "mailto:me@a.test?subject=A%20%26%20B%20%22%24%28touch%20x%29%22%3B%20%7Burl%7D%20-%C3%A9&body=-rf%20one%0Atwo",
	} {
		s := Service{"S", target}
		if u, err := s.Address(hostile); err != nil || u.String() != want || !s.IsAddress() {
			t.Errorf("%s: %v (%v)\nwant %s", target, u, err, want)
		}
	}
	long := hostile
	long.Text = strings.Repeat("é", 99_999)
	if u, err := (Service{"S", "https://s.test/?t={text}"}).Address(long); err != nil || len(u.String()) > 10_000 {
		t.Error("a long text makes an address that no server takes", err)
	}
}

func TestCommand(t *testing.T) {
	for line, want := range map[string][]string{
		"firefox {url}": {"firefox", hostile.Link},
		`prog "two words" 'it is' --t={title} {text} ""`: {"prog", "two words", "it is", "--t=" + hostile.Title, " " + hostile.Text, ""},
		`"C:\Program Files\x.exe"	{author}`:              {`C:\Program Files\x.exe`, "Ann"},
	} {
		if got, err := (Service{"S", line}).Command(hostile); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q (%v), want %q", line, got, err, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, target string
		want         ErrorCode
	}{
		{"", "https://s.test/{url}", NoName}, {"S", " ", NoTarget}, {"S", "https://s.test/", NoPlaceholder}, {"S", "prog", NoPlaceholder},
		{"S", "https://s.test/{adress}", UnknownPlaceholder}, {"S", "prog {url", UnknownPlaceholder}, {"S", "prog '{url}", OpenQuote},
		{"S", "{url} x", NoTarget}, {"S", "https://{url}", WrongAddress}, {"S", "https://{feed}.s.test/{url}", WrongAddress},
		{"S", "javascript://s/{url}", WrongAddress}, {"S", "file:///{url}", WrongAddress}, {"S", "https:///x?{url}", WrongAddress}, {"S", "https://s.test/%zz{url}", WrongAddress},
		{"S", "https://s.test/{url}", ""}, {"S", "prog {url}", ""}, {"S", "mailto:?body={url}", ""},
	} {
		err := Service{c.name, c.target}.Check()
		var problem *Error
		if errors.As(err, &problem); (problem == nil) != (c.want == "") || problem != nil && problem.Code != c.want {
			t.Errorf("%q %q: %v, want %q", c.name, c.target, err, c.want)
		}
	}
}

func TestPresets(t *testing.T) {
	for _, s := range Presets {
		if s.NeedsServer() {
			for _, server := range []string{"", "a b", "x.test/?q", "ftp://x.test", "{url}.test", "me@x.test"} {
				if got, err := s.WithServer(server); err == nil {
					t.Errorf("%s with the server %q: %v", s.Name, server, got)
				}
			}
			path := strings.SplitN(s.Target, Server, 2)[1]
			for server, want := range map[string]string{"x.test": "https://x.test", " https://x.test/ ": "https://x.test", "http://127.0.0.1:90/bag/": "http://127.0.0.1:90/bag"} {
				if got, err := s.WithServer(server); err != nil || got.Target != want+path {
					t.Errorf("%s with the server %q: %v (%v)", s.Name, server, got, err)
				}
			}
			s, _ = s.WithServer("x.test")
		}
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

func TestStoredServices(t *testing.T) {
	services := []Service{{"A", "prog {url}"}, {"B", "https://s.test/{url}"}}
	text, err := Encode(services)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(text); err != nil || !slices.Equal(got, services) {
		t.Errorf("%v (%v)", got, err)
	}
	if got, err := Decode(`[{"name":"A","target":"https://{url}"},{"name":"B","target":"x {url}"}]`); err != nil || len(got) != 1 {
		t.Errorf("%v (%v)", got, err)
	}
	if _, err := Decode("{"); err == nil {
		t.Error("damaged settings are not ignored")
	}
	if text, err := Encode(nil); err != nil || text != "" {
		t.Errorf("%q (%v)", text, err)
	}
}

func TestTexts(t *testing.T) {
	a := Article{Title: "A [b] *c*", Link: "https://a.test/<1>", Author: "Ann", Feed: "News", Text: "one\n\ntwo"}
	if got := MarkdownLink(a); got != `[A \[b\] \*c\*](<https://a.test/%3C1%3E>)` {
		t.Error(got)
	}
	if got := Quote(a); got != "> one\n>\n> two\n\n— A [b] *c*, Ann, News\nhttps://a.test/<1>" {
		t.Errorf("%q", got)
	}
	if got := Mail([]Article{{Title: "A & b", Link: "https://a.test/"}}, "").String(); got != "mailto:?subject=A%20%26%20b&body=A%20%26%20b%0D%0Ahttps%3A%2F%2Fa.test%2F" {
		t.Error(got)
	}
	if got := Mail([]Article{{Title: "A"}, {Title: "B"}}, "2 articles").String(); got != "mailto:?subject=2%20articles&body=A%0D%0A%0D%0AB" {
		t.Error(got)
	}
}

// The program gets each value as one argument, whatever it holds.
func TestStart(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a script that is no batch file")
	}
	dir := t.TempDir()
	script, out := filepath.Join(dir, "save me"), filepath.Join(dir, "out")
	text := "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" > '" + out + "'\n[ \"$1\" != fail ] || { echo first >&2; echo 'No such list.' >&2; exit 3; }\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(target string) error {
		command, err := Service{"S", target}.Command(hostile)
		if err != nil {
			return err
		}
		wait, err := Start(command)
		if err != nil {
			return err
		}
		return wait()
	}
	if err := run("'" + script + "' {title} {url}"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != "2\n"+hostile.Title+"\n"+hostile.Link+"\n" {
		t.Errorf("%q (%v)", got, err)
	}
	if err := run("'" + script + "' fail {url}"); err == nil || err.Error() != "program-failed No such list." {
		t.Error(err)
	}
	if err := run("no-such-program {url}"); err == nil || err.Error() != "no-program no-such-program" {
		t.Error(err)
	}
}
