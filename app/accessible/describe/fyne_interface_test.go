package describe

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Fyne's own interface for screen readers is not used for reasons that can be read in its source. Where one of them is gone, the
// page of app/accessible says what to consider again. Windows and a Mac are needed to see more than the source.
func TestFyneAccessibilityIsUnfit(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "fyne.io/fyne/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	driver := filepath.Join(strings.TrimSpace(string(dir)), "internal", "driver", "glfw")
	for _, reason := range []struct{ what, file, has, lacks string }{
		{"elements are freed while clients hold them", "accessibility_windows.c", "free(g_root->children[i]);", ""},
		{"the focus is counted at each Tab", "accessibility_windows.c", "(g_focusedIndex + 1) % g_root->childCount", ""},
		{"elements of earlier frames are kept", "accessibility_darwin.m", "[globalAccessibilityElements addObject:element]", "[globalAccessibilityElements remove"},
	} {
		source, err := os.ReadFile(filepath.Join(driver, reason.file))
		if err != nil {
			t.Errorf("%v: read app/accessible/README.md, “Why not Fyne's interface”", err)
			continue
		}
		if !strings.Contains(string(source), reason.has) || reason.lacks != "" && strings.Contains(string(source), reason.lacks) {
			t.Errorf("perhaps no longer true of Fyne: %s (%s); read app/accessible/README.md, “Why not Fyne's interface”", reason.what, reason.file)
		}
	}
}
