package autostart

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"
)

// parseExec parses an Exec key by the Desktop Entry Specification: string escapes first, then quotes, then field codes.
func parseExec(value string) (words []string) {
	value = strings.NewReplacer(`\\`, `\`, `\s`, " ", `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(value)
	var word strings.Builder
	quoted, open := false, false
	end := func() {
		if open {
			words = append(words, strings.ReplaceAll(word.String(), "%%", "%"))
		}
		word.Reset()
		open = false
	}
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted, open = !quoted, true
		case c == ' ' && !quoted:
			end()
		case c == '\\' && quoted:
			i++
			word.WriteByte(value[i])
		default:
			open = true
			word.WriteByte(c)
		}
	}
	end()
	return words
}

var awkward = [][]string{
	{"/usr/bin/kairos", "--hidden"},
	{"/opt/Kairos Reader/kairos", "--data", "/home/ann/my feeds", "--hidden"},
	{`/opt/"q"/$HOME/back\slash\\two/tick` + "`", "100%", "", "tab\there", `end\`, "a=b;c&d|e<f>(g)#h~i*j?k'l"},
	{"/öäü/日本", "%f"},
}

func TestDesktopEntryQuoting(t *testing.T) {
	for _, command := range awkward {
		entry, err := desktopEntry(command)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(entry, "\nExec=")
		value, _, _ := strings.Cut(rest, "\n")
		if got := parseExec(value); !slices.Equal(got, command) {
			t.Errorf("%s\nreads %q\nwant  %q", value, got, command)
		}
		if !desktopEnabled(entry) {
			t.Error("not enabled")
		}
	}
	// Examples of the specification.
	for word, want := range map[string]string{`a\b`: `"a\\\\b"`, `$x`: `"\\$x"`, `a"b`: `"a\\"b"`, "50%": "50%%"} {
		if got := quoteExec(word); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
	if _, err := desktopEntry([]string{"/a=b/kairos"}); err == nil {
		t.Error("a program with an equals sign")
	}
}

func TestDesktopEnabled(t *testing.T) {
	for entry, want := range map[string]bool{
		"[Desktop Entry]\nExec=/usr/bin/kairos\n":                                  true,
		"[Desktop Entry]\nExec = /usr/bin/kairos\nHidden=false":                    true,
		"[Desktop Entry]\nExec=/usr/bin/kairos\nHidden=true\n":                     false,
		"[Desktop Entry]\nX-GNOME-Autostart-enabled=false\nExec=/usr/bin/kairos\n": false,
		"[Desktop Entry]\nExec=x\n[Desktop Action a]\nHidden=true\n":               true,
		"[Desktop Entry]\nName=Kairos\n":                                           false,
		"":                                                                         false,
	} {
		if got := desktopEnabled(entry); got != want {
			t.Errorf("%q: %v", entry, got)
		}
	}
}

func TestLaunchAgent(t *testing.T) {
	for _, command := range awkward {
		var plist struct {
			Dict struct {
				Words []string `xml:"array>string"`
			} `xml:"dict"`
		}
		if err := xml.Unmarshal([]byte(launchAgent(command)), &plist); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(plist.Dict.Words, command) {
			t.Errorf("%q, want %q", plist.Dict.Words, command)
		}
	}
}

// parseWindows does what CommandLineToArgvW does with all words but the first.
func parseWindows(line string) (words []string) {
	var word strings.Builder
	quoted, open := false, false
	for i := 0; i < len(line); i++ {
		slashes := 0
		for i < len(line) && line[i] == '\\' {
			slashes++
			i++
		}
		if i < len(line) && line[i] == '"' {
			word.WriteString(strings.Repeat(`\`, slashes/2))
			open = true
			if slashes%2 == 1 {
				word.WriteByte('"')
			} else {
				quoted = !quoted
			}
			continue
		}
		if slashes > 0 {
			open = true
			word.WriteString(strings.Repeat(`\`, slashes))
		}
		switch {
		case i >= len(line):
		case (line[i] == ' ' || line[i] == '\t') && !quoted:
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			open = true
			word.WriteByte(line[i])
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}

func TestWindowsCommand(t *testing.T) {
	for _, command := range append(awkward, []string{`C:\Program Files\Kairos\kairos.exe`, "--data", `D:\my feeds\`, "--hidden"}) {
		if got := parseWindows(windowsCommand(command)); !slices.Equal(got, command) {
			t.Errorf("%s\nreads %q\nwant  %q", windowsCommand(command), got, command)
		}
	}
	want := `"C:\Program Files\kairos.exe" "D:\my feeds\\" --hidden`
	if got := windowsCommand([]string{`C:\Program Files\kairos.exe`, `D:\my feeds\`, "--hidden"}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestIsApproved(t *testing.T) {
	for _, tt := range []struct {
		value []byte
		want  bool
	}{{nil, true}, {[]byte{2, 0, 0, 0}, true}, {[]byte{3, 0, 0, 0, 1}, false}, {[]byte{6}, true}} {
		if got := isApproved(tt.value); got != tt.want {
			t.Errorf("%v: %v", tt.value, got)
		}
	}
}
