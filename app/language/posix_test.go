package language

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Once Fyne starts in silence with a list of languages of which one is not one, package locale need not take that out.
func TestFyneComplainsOfPOSIX(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := exec.Command(exe, "-test.run=^$")
	start.Env = append(os.Environ(), "LANGUAGE=de:POSIX", "LC_ALL=de_DE.UTF-8")
	if out, err := start.CombinedOutput(); err != nil || !strings.Contains(string(out), "Error parsing user locale") {
		t.Errorf("Fyne says %q (%v): see “Upgrade Fyne”", out, err)
	}
}
