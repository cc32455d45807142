package house

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// need is why we help Fyne: a passage of the source below it, or one that is missing there.
type need struct {
	module, file string
	has, lacks   string
}

const (
	fyne   = "fyne.io/fyne/v2"
	glfw   = "github.com/go-gl/glfw/v3.4/glfw"
	portal = "github.com/rymdport/portal"
)

// needs are those of the entries of "Upgrade Fyne" in CONTRIBUTING.md, by the first file that an entry names.
var needs = map[string][]need{
	"app/display": {
		{glfw, "glfw/src/wl_init.c", "if (wl_seat_get_version(_glfw.wl.seat) >=", ""}, // TestGLFWNeedsSeat runs it
		{glfw, "glfw/src/wl_init.c", "", "text_input"},
		{glfw, "glfw/src/wl_window.c", "// If an error other than EAGAIN happens, we have likely been disconnected", ""},
	},
	"app/async/frame.go": {{fyne, "internal/driver/glfw/loop.go", "\tif canvas.EnsureMinSize() {\n\t\tw.shouldExpand = true\n\t}\n\tfreed = canvas.FreeDirtyTextures() > 0", ""}},
	"app/async/loop.go":  {{fyne, "internal/driver/glfw/loop.go", "eventTick := time.NewTicker(time.Second / 60)", ""}},
	"app/program/program.go": {
		{fyne, "internal/driver/glfw/loop.go", "if f := l.OnStopped(); f != nil {\n\t\t\t\tl.QueueEvent(f)\n\t\t\t}\n", ""},
		{glfw, "glfw/src/init.c", "The GLFW library is not initialized", ""},
	},
	"app/window_geometry.go": {{fyne, "driver/desktop/window.go", "RequestPosition(x, y int)", "\tPosition() "}},
	"app/language":           {{fyne, "lang/lang.go", "all, err := locale.GetLocales()", "func SetLanguage"}},
	"app/desktop":            {{portal, "settings/read.go", `readOneCallPath = interfaceName + ".ReadOne"`, ""}, {fyne, "app/app_xdg.go", "appearance.GetColorScheme()", "xfce"}},
	"app/look/palette.go":    {{fyne, "widget/popup.go", "canvas.NewBlur(th.Size(theme.SizeNameModalBlurRadius))", ""}},
	"app/glyphs":             {{fyne, "internal/painter/font.go", "toAdd := lookupRuneFont(r, d.family, font.Aspect{})", ""}},
	"app/bidi":               {{fyne, "internal/painter/font.go", "for _, run := range runBuffer {\n\t\tcb(run.out, run.x, y)\n\t}", ""}},
	"app/fonts": {
		{fyne, "internal/painter/font.go", "yPix := int(math.Ceil(float64(y)))", ""},
		{fyne, "internal/painter/font.go", "fyne.LogError(\"font load error\", err)\n\t\treturn nil", ""},
	},
	"app/icon": {{fyne, "internal/driver/common/canvas.go", "// No image refresh while recursing to avoid double texture upload.", ""}},
	"app/widgets": {
		{fyne, "widget/button.go", "c.Focus(nil) // the focus manager won't get this Tap", ""},
		{fyne, "widget/list.go", "currentHighlight ListItemID", ""},
		{fyne, "internal/driver/glfw/window.go", "focused.TypedKey(keyEvent)\n\t} else if w.canvas.onTypedKey != nil {", ""},
		{fyne, "widget/richtext.go", "innerPadding := th.Size(theme.SizeNameInnerPadding)", ""},
	},
	"app/accessible/describe": {{fyne, "widget/menu_item.go", "", "Accessible"}},
	"app/program/appearance.go": {
		{fyne, "app/settings.go", "!s.schema.DisableAnimations", ""},
		{fyne, "internal/driver/glfw/window_desktop.go", "return calculateDetectedScale(widthMm, videoMode.Width)", ""},
	},
	"app/keys":            {{fyne, "internal/driver/glfw/window.go", "case fyne.KeyC: // detect copy shortcut\n\t\t\tshortcut = &fyne.ShortcutCopy{", ""}},
	"app/tray":            {{fyne, "internal/driver/glfw/loop.go", "d.init()\n\tif d.trayStart != nil {\n\t\td.trayStart()\n\t}", ""}},
	"app/notify":          {{fyne, "app/app_windows.go", `exec.Command("PowerShell", "-ExecutionPolicy", "Bypass", launch)`, ""}},
	"app/program/open.go": {{fyne, "log.go", `log.Println("Fyne error: ", reason)`, ""}},
}

// Whoever upgrades Fyne learns which of our help it no longer needs: each entry of the list was needed by the version that we use,
// and has a test that fails once it is not, here or by the name that the entry gives.
func TestFyneStillNeedsHelp(t *testing.T) {
	page, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?s)\n## Upgrade Fyne\n(.*?)\n## `).FindStringSubmatch(string(page))
	if list == nil {
		t.Fatal("CONTRIBUTING.md has no list “Upgrade Fyne”")
	}
	entries := strings.Split(list[1], "\n- ")
	if version := moduleField(t, fyne, "{{.Version}}"); !strings.Contains(entries[0], strings.TrimPrefix(version, "v")) {
		t.Errorf("the list “Upgrade Fyne” was not walked through with %s", version)
	}
	tests := testNames(t)
	named := map[string]bool{}
	for _, entry := range entries[1:] {
		first := strings.SplitN(entry, "`", 3)[1]
		named[first] = true
		held := len(needs[first]) > 0
		for _, name := range regexp.MustCompile(`\bTest\w+`).FindAllString(entry, -1) {
			held = held || tests[name]
			if !tests[name] {
				t.Errorf("“Upgrade Fyne”: there is no %s", name)
			}
		}
		if !held {
			t.Errorf("“Upgrade Fyne”: nothing tells when %s can go: name a test, or put what is to be seen in the source into needs", first)
		}
	}
	for ours, all := range needs {
		if !named[ours] {
			t.Errorf("“Upgrade Fyne” does not name %s", ours)
		}
		for _, n := range all {
			n.check(t, ours)
		}
	}
}

func (n need) check(t *testing.T, ours string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(moduleField(t, n.module, "{{.Dir}}"), n.file))
	if err != nil {
		t.Errorf("%s: %v", ours, err)
		return
	}
	if !strings.Contains(string(source), n.has) || n.lacks != "" && strings.Contains(string(source), n.lacks) {
		t.Errorf("perhaps %s is needed no longer: %s/%s has changed; read “Upgrade Fyne”", ours, n.module, n.file)
	}
}

var moduleFields = map[string]string{}

// moduleField is what go list tells of a module.
func moduleField(t *testing.T, module, format string) string {
	t.Helper()
	key := module + format
	if moduleFields[key] == "" {
		list := exec.Command("go", "list", "-m", "-f", format, module)
		list.Dir = "../.."
		out, err := list.Output()
		if err != nil {
			t.Fatalf("go list -m %s: %v", module, err)
		}
		moduleFields[key] = strings.TrimSpace(string(out))
	}
	return moduleFields[key]
}

// testNames are the tests of the whole project, whatever their build tags.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := fs.WalkDir(os.DirFS("../.."), "app", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(filepath.Join("../..", path))
		for _, found := range declared.FindAllStringSubmatch(string(source), -1) {
			names[found[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
