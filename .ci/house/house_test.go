// Package house holds the rules of the source as tests. It imports nothing of ours: to parse files takes no program to link.
package house

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path our own imports start with.
const module = "kairos"

// house is the source of the project as its rules look at it: every Go file, whatever its build tags.
type house struct {
	files    fs.FS
	packages []*room // in the order of their folders
}

// room is one folder of Go files.
type room struct {
	dir    string // relative to the root, "." for the root itself
	name   string // of the package
	source []*source
}

// source is one parsed Go file.
type source struct {
	path  string
	test  bool
	lines int
	tree  *ast.File
}

// inspectHouse parses all Go files below root but for what was built and the folders the go command passes over.
func inspectHouse(root fs.FS) (*house, error) {
	h := &house{files: root}
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." && (strings.ContainsAny(d.Name()[:1], "._") || d.Name() == "testdata" || p == "build"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(p) != ".go":
			return nil
		}
		return h.add(p)
	})
	return h, err
}

func (h *house) add(p string) error {
	text, err := fs.ReadFile(h.files, p)
	if err != nil {
		return err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), p, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(h.packages, func(r *room) bool { return r.dir == path.Dir(p) })
	if at < 0 {
		at = len(h.packages)
		h.packages = append(h.packages, &room{dir: path.Dir(p), name: strings.TrimSuffix(tree.Name.Name, "_test")})
	}
	h.packages[at].source = append(h.packages[at].source, &source{
		path:  p,
		test:  strings.HasSuffix(p, "_test.go"),
		lines: bytes.Count(text, []byte("\n")),
		tree:  tree,
	})
	return nil
}

func (s *source) imports() []string {
	var all []string
	for _, spec := range s.tree.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		all = append(all, p)
	}
	return all
}

// ours turns an import path into the folder of one of our packages.
func ours(importPath string) (dir string, ok bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// within tells whether p is dir or lies below it, for folders and import paths alike.
func within(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

func withinAny(p string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return within(p, dir) })
}

// route is the chain of our packages, from dir on, at whose end stands a file that imports a path below banned; nil
// if there is none. Tests count for the first package alone: nobody imports them.
func (h *house) route(dir, banned string) []string {
	seen := map[string]bool{}
	var walk func(dir string, tests bool) []string
	walk = func(dir string, tests bool) []string {
		seen[dir] = true
		for _, r := range h.packages {
			if r.dir != dir {
				continue
			}
			for _, s := range r.source {
				if s.test && !tests {
					continue
				}
				for _, imported := range s.imports() {
					if within(imported, banned) {
						return []string{s.path, imported}
					}
					next, ok := ours(imported)
					if !ok || seen[next] {
						continue
					}
					if rest := walk(next, false); rest != nil {
						return append([]string{s.path}, rest...)
					}
				}
			}
		}
		return nil
	}
	return walk(dir, true)
}

// A rule lists what in the house breaks it.
type rule func(*house) []string

var rules = map[string]rule{
	"Fyne stays in the window":       fyneStaysInTheWindow,
	"arrows point one way":           arrowsPointOneWay,
	"the mathematics is pure":        mathematicsIsPure,
	"there is one HTTP client":       thereIsOneHTTPClient,
	"loop and lab share a schedule":  loopAndLabShareASchedule,
	"the reader owns its tables":     readerOwnsItsTables,
	"the lab stays a laboratory":     labStaysALaboratory,
	"every package says what it is":  everyPackageSaysWhatItIs,
	"main does nothing":              mainDoesNothing,
	"one application ID":             oneApplicationID,
	"tests do not sleep":             testsDoNotSleep,
	"tests wait for events":          testsWaitForEvents,
	"only app holds the window":      onlyTheWindowHoldsTheWindow,
	"panes stand apart":              panesStandApart,
	"the loop is woken":              theLoopIsWoken,
	"the way of a datum exists":      theWayOfADatumExists,
	"FyneApp.toml has what it needs": metadataIsWhole,
	"the version has its variable":   versionHasItsVariable,
	"the changelog has the version":  changelogHasTheVersion,
	"the map has every package":      mapIsComplete,
}

var (
	createdTable = regexp.MustCompile(`CREATE (?:VIRTUAL )?TABLE (\w+)`)
	namedTable   = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)`)
)

// readerOwnsItsTables: SQL outside the reader asks its views (reader/database_views.go), which are named reader_…, and none of its
// tables. What a room's schema was once made from stays as it was.
func readerOwnsItsTables(h *house) (broken []string) {
	tables := map[string]bool{}
	eachText := func(dir func(string) bool, do func(s *source, text string)) {
		for _, r := range h.packages {
			for _, s := range r.source {
				if s.test || !dir(r.dir) {
					continue
				}
				ast.Inspect(s.tree, func(n ast.Node) bool {
					if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						do(s, lit.Value)
					}
					return true
				})
			}
		}
	}
	eachText(func(dir string) bool { return dir == "reader" }, func(_ *source, text string) {
		for _, found := range createdTable.FindAllStringSubmatch(text, -1) {
			tables[found[1]] = true
		}
	})
	if len(tables) == 0 {
		return []string{"reader creates no table"}
	}
	eachText(func(dir string) bool { return dir != "reader" && !strings.HasSuffix(dir, "test") }, func(s *source, text string) {
		for _, found := range namedTable.FindAllStringSubmatch(text, -1) {
			if tables[found[1]] && path.Base(s.path) != "schema.go" {
				broken = append(broken, s.path+" names the reader's table "+found[1])
			}
		}
	})
	return broken
}

// plainApp are the parts of app that need no window: the command uses them, or tests do.
var plainApp = []string{"app/library", "app/session", "app/verbs", "app/owner", "app/home", "app/secret", "app/autostart", "app/text", "app/atomicfile", "app/printable", "app/flatpak", "app/desktop"}

func fyneStaysInTheWindow(h *house) (broken []string) {
	for _, r := range h.packages {
		if r.dir == "." || within(r.dir, "app") && !withinAny(r.dir, plainApp) {
			continue
		}
		if route := h.route(r.dir, "fyne.io"); route != nil {
			broken = append(broken, strings.Join(route, " → "))
		}
	}
	return broken
}

// arrows says for a folder which of our packages it may import beside those below itself; the first entry that
// holds a folder counts.
var arrows = []struct {
	dir string
	may []string
}{
	{"useraccess/rate", nil},
	{"poller/plan", []string{"useraccess/rate"}},
	{"poller/schedule", []string{"poller/plan", "useraccess/rate"}},
	{"poller/score", nil},
	{"useraccess", nil},
	{"reader", nil},
	{"assets", nil},
	{"poller", []string{"reader", "useraccess"}},
	{"app", []string{"poller", "reader", "useraccess", "assets"}},
	{"packaging", []string{"app", "assets"}},
}

func arrowsPointOneWay(h *house) (broken []string) {
	for _, r := range h.packages {
		for _, arrow := range arrows {
			if !within(r.dir, arrow.dir) {
				continue
			}
			for _, s := range r.source {
				for _, imported := range s.imports() {
					to, ok := ours(imported)
					if ok && !within(to, arrow.dir) && !withinAny(to, arrow.may) {
						broken = append(broken, s.path+" imports "+imported)
					}
				}
			}
			break
		}
	}
	return broken
}

var (
	mathematics = []string{"useraccess/rate", "poller/plan", "poller/schedule", "poller/score"}
	outside     = []string{"net", "os", "database/sql", "syscall", "C"}
	clock       = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}
)

func mathematicsIsPure(h *house) (broken []string) {
	for _, r := range h.packages {
		if !slices.Contains(mathematics, r.dir) {
			continue
		}
		for _, s := range r.source {
			if s.test {
				continue
			}
			for _, imported := range s.imports() {
				if withinAny(imported, outside) {
					broken = append(broken, s.path+" imports "+imported)
				}
			}
			for _, name := range clock {
				if s.uses("time", name) {
					broken = append(broken, s.path+" names time."+name)
				}
			}
		}
	}
	for _, dir := range mathematics {
		if !slices.ContainsFunc(h.packages, func(r *room) bool { return r.dir == dir }) {
			broken = append(broken, dir+" is missing")
		}
	}
	return broken
}

// thereIsOneHTTPClient holds that every request of the program obeys the manners and the limits of poller/fetch.
func thereIsOneHTTPClient(h *house) (broken []string) {
	for _, r := range h.packages {
		if r.dir == "poller/fetch" || strings.HasSuffix(r.dir, "test") {
			continue
		}
		for _, s := range r.source {
			for _, name := range []string{"Client", "Transport", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm"} {
				if !s.test && s.uses("net/http", name) {
					broken = append(broken, s.path+" names http."+name)
				}
			}
		}
	}
	return broken
}

// loopAndLabShareASchedule holds that the background loop and the lab drive the same code, so that what the lab
// measures is what runs. That this code stays pure is mathematicsIsPure's and arrowsPointOneWay's business.
func loopAndLabShareASchedule(h *house) (broken []string) {
	const shared = "poller/schedule"
	imports := func(in func(dir string) bool) bool {
		return slices.ContainsFunc(h.packages, func(r *room) bool {
			return in(r.dir) && slices.ContainsFunc(r.source, func(s *source) bool {
				return !s.test && slices.Contains(s.imports(), module+"/"+shared)
			})
		})
	}
	if !imports(func(dir string) bool { return dir == "poller" }) {
		broken = append(broken, "the loop in poller does not import "+shared)
	}
	if !imports(func(dir string) bool { return within(dir, "poller/lab") }) {
		broken = append(broken, "nothing in poller/lab imports "+shared)
	}
	return broken
}

// labStaysALaboratory holds that only the command that runs the lab has it in the program.
func labStaysALaboratory(h *house) (broken []string) {
	const lab = "poller/lab"
	for _, r := range h.packages {
		if within(r.dir, lab) || r.dir == "app/verbs" {
			continue
		}
		for _, s := range r.source {
			for _, imported := range s.imports() {
				if !s.test && within(imported, module+"/"+lab) {
					broken = append(broken, s.path+" imports "+imported)
				}
			}
		}
	}
	return broken
}

// uses reports whether the file names an exported thing of a package of the standard library or of Fyne, under whatever name
// it imports the package; a dot import counts as naming everything.
func (s *source) uses(pkg, name string) (found bool) {
	local := ""
	for _, spec := range s.tree.Imports {
		if spec.Path.Value != strconv.Quote(pkg) {
			continue
		}
		local = path.Base(strings.TrimSuffix(pkg, "/v2"))
		if spec.Name != nil {
			local = spec.Name.Name
		}
	}
	if local == "" || local == "." {
		return local == "."
	}
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == name {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == local {
				found = true
			}
		}
		return !found
	})
	return found
}

func everyPackageSaysWhatItIs(h *house) (broken []string) {
	for _, r := range h.packages {
		onlyTests := !slices.ContainsFunc(r.source, func(s *source) bool { return !s.test })
		var docs []string
		for _, s := range r.source {
			if s.test && !onlyTests {
				continue
			}
			// Text leaves out directives such as //go:build.
			if text := s.tree.Doc.Text(); text != "" {
				docs = append(docs, s.path)
				if r.name != "main" && !strings.HasPrefix(text, "Package "+r.name+" ") {
					broken = append(broken, fmt.Sprintf("%s: the comment does not start with Package %s", s.path, r.name))
				}
			}
		}
		if len(docs) != 1 {
			broken = append(broken, fmt.Sprintf("%s has %d package comments, not one: %v", r.dir, len(docs), docs))
		}
	}
	return broken
}

func mainDoesNothing(h *house) []string {
	for _, r := range h.packages {
		for _, s := range r.source {
			if s.path != "main.go" {
				continue
			}
			if s.lines >= 30 {
				return []string{fmt.Sprintf("main.go has %d lines, not under 30", s.lines)}
			}
			return nil
		}
	}
	return []string{"main.go is missing"}
}

func testsDoNotSleep(h *house) (broken []string) {
	for _, r := range h.packages {
		for _, s := range r.source {
			if s.test && s.uses("time", "Sleep") {
				broken = append(broken, s.path+" sleeps: wait for what is to happen, or drive a clock")
			}
		}
	}
	return broken
}

// root is the folder of the project, from that of these tests.
const root = "../.."

func TestHouse(t *testing.T) {
	h, err := inspectHouse(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(root + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if first, _, _ := bufio.NewReader(bytes.NewReader(text)).ReadLine(); string(first) != "module "+module {
		t.Fatalf("go.mod starts with %q, not with module %s", first, module)
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			for _, broken := range rule(h) {
				t.Error(broken)
			}
		})
	}
}
