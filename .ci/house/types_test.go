package house

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

// receiver is the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	e := d.Recv.List[0].Type
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// windowHolders are the packages that name the window. Those of all others call back, or have a shell.
var windowHolders = []string{"app", "app/program"}

// panes are the parts of the window that do not know each other: package app alone composes them. What they share is below them.
var panes = []string{"app/sidebar", "app/timeline", "app/reading", "app/feeds", "app/search", "app/labels", "app/welcome", "app/insights", "app/away"}

func panesStandApart(h *house) (broken []string) {
	for _, r := range h.packages {
		for _, s := range r.source {
			for _, imported := range s.imports() {
				to, ours := ours(imported)
				if ours && r.dir != "app" && slices.Contains(panes, to) && r.dir != to {
					broken = append(broken, s.path+" imports "+imported)
				}
			}
		}
	}
	return broken
}

func onlyTheWindowHoldsTheWindow(h *house) (broken []string) {
	for _, r := range h.packages {
		for _, s := range r.source {
			if !s.test && !slices.Contains(windowHolders, r.dir) && s.uses("fyne.io/fyne/v2", "Window") {
				broken = append(broken, s.path+" names fyne.Window")
			}
		}
	}
	return broken
}

// theLoopIsWoken: what runs on Fyne's loop comes by async.Loop.Do, which ends its rest; fyne.Do would wait up to a minute. Before
// there is a window that rests, app/program may use it.
func theLoopIsWoken(h *house) (broken []string) {
	for _, r := range h.packages {
		for _, s := range r.source {
			if s.test || r.dir == "app/program" || strings.HasPrefix(r.dir, "app/windowtest") {
				continue
			}
			for _, name := range []string{"Do", "DoAndWait"} {
				if s.uses("fyne.io/fyne/v2", name) {
					broken = append(broken, s.path+" names fyne."+name+": async.Loop.Do wakes the loop")
				}
			}
		}
	}
	return broken
}

// Only a real window has to be given time. In a bubble of testing/synctest waiting takes none.
func testsWaitForEvents(h *house) (broken []string) {
	for _, r := range h.packages {
		for _, s := range r.source {
			virtual := slices.Contains(s.imports(), "testing/synctest")
			if s.test && !virtual && r.dir != "app/windowtest" && s.uses("time", "After") {
				broken = append(broken, s.path+" waits by time.After: wait for the event itself, or use testing/synctest")
			}
		}
	}
	return broken
}

// step matches a step of the way of a datum in CONTRIBUTING.md: `file.go`, and the functions that do it.
var step = regexp.MustCompile("`([\\w/]+\\.go)`:? ((?:`\\w+(?:\\.[A-Za-z]\\w*)?`(?:, )?)+)")

var quoted = regexp.MustCompile("`([\\w.]+)`")

// leastSteps is how many steps the page names at least.
const leastSteps = 8

func theWayOfADatumExists(h *house) (broken []string) {
	text, err := h.read("CONTRIBUTING.md")
	if err != nil {
		return []string{err.Error()}
	}
	steps := step.FindAllStringSubmatch(text, -1)
	for _, found := range steps {
		file := h.source(found[1])
		if file == nil {
			broken = append(broken, "CONTRIBUTING.md names "+found[1]+", which does not exist")
			continue
		}
		for _, name := range quoted.FindAllStringSubmatch(found[2], -1) {
			if !file.declares(name[1]) {
				broken = append(broken, fmt.Sprintf("CONTRIBUTING.md names %s in %s, which does not declare it", name[1], found[1]))
			}
		}
	}
	if len(steps) < leastSteps {
		broken = append(broken, fmt.Sprintf("CONTRIBUTING.md names %d steps of the way of a datum, fewer than %d", len(steps), leastSteps))
	}
	return broken
}

// source is the file at a path, nil if there is none.
func (h *house) source(p string) *source {
	for _, r := range h.packages {
		for _, s := range r.source {
			if r.dir == path.Dir(p) && s.path == p {
				return s
			}
		}
	}
	return nil
}

// declares reports whether the file declares a function, a method as Type.Method, or a type.
func (s *source) declares(name string) bool {
	owner, method, isMethod := strings.Cut(name, ".")
	return slices.ContainsFunc(s.tree.Decls, func(d ast.Decl) bool {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				return !isMethod && d.Name.Name == name
			}
			return isMethod && receiver(d) == owner && d.Name.Name == method
		case *ast.GenDecl:
			return slices.ContainsFunc(d.Specs, func(spec ast.Spec) bool {
				t, ok := spec.(*ast.TypeSpec)
				return ok && t.Name.Name == name
			})
		}
		return false
	})
}
