package autostart

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// desktopEntry returns an XDG autostart entry.
func desktopEntry(command []string) (string, error) {
	if strings.Contains(command[0], "=") {
		return "", fmt.Errorf("%q contains an equals sign, which the program of a desktop entry must not", command[0])
	}
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = quoteExec(word)
	}
	return "[Desktop Entry]\nType=Application\nName=Kairos\nComment=Feed reader\nIcon=" + id +
		"\nExec=" + strings.Join(words, " ") +
		"\nTerminal=false\nX-GNOME-Autostart-enabled=true\n", nil
}

// quoteExec quotes a word of an Exec key if needed (Desktop Entry Specification, "The Exec key"). Percent signs are doubled, and then
// all backslashes, as in every value of type string.
func quoteExec(word string) string {
	word = strings.ReplaceAll(word, "%", "%%")
	if word != "" && !strings.ContainsAny(word, " \t\"'\\><~|&;$*?#()`") {
		return word
	}
	quoted := `"` + strings.NewReplacer(`"`, `\"`, "`", "\\`", `$`, `\$`, `\`, `\\`).Replace(word) + `"`
	return strings.ReplaceAll(quoted, `\`, `\\`)
}

// desktopEnabled reports whether an entry is in force.
func desktopEnabled(entry string) bool {
	on, group := false, ""
	for line := range strings.Lines(entry) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			group = line
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case group != "[Desktop Entry]":
		case key == "Hidden" && value == "true", key == "X-GNOME-Autostart-enabled" && value == "false":
			return false
		case key == "Exec" && value != "":
			on = true
		}
	}
	return on
}

// launchAgent returns the property list of a macOS launch agent.
func launchAgent(command []string) string {
	var b strings.Builder
	b.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + id + `</string>
	<key>ProgramArguments</key>
	<array>
`)
	for _, word := range command {
		b.WriteString("\t\t<string>")
		_ = xml.EscapeText(&b, []byte(word)) // a strings.Builder takes everything
		b.WriteString("</string>\n")
	}
	b.WriteString(`	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>ProcessType</key>
	<string>Interactive</string>
</dict>
</plist>
`)
	return b.String()
}

// windowsCommand joins words into a command line that Windows programs split into the same words ("Parsing C Command-Line
// Arguments": backslashes count only before a quote).
func windowsCommand(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = quoteWindows(word)
	}
	return strings.Join(words, " ")
}

func quoteWindows(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\"") {
		return word
	}
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for i := range len(word) {
		switch word[i] {
		case '\\':
			slashes++
			continue
		case '"':
			b.WriteString(strings.Repeat(`\`, 2*slashes+1))
		default:
			b.WriteString(strings.Repeat(`\`, slashes))
		}
		slashes = 0
		b.WriteByte(word[i])
	}
	b.WriteString(strings.Repeat(`\`, 2*slashes) + `"`)
	return b.String()
}

// isApproved reads a value of the StartupApproved key. The task manager marks what the user switched off by an odd first byte.
func isApproved(value []byte) bool { return len(value) == 0 || value[0]&1 == 0 }
