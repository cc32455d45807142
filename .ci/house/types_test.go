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

// callbacksOnly are the packages of the window whose types call back and do not hold the window.
var callbacksOnly = []string{"app/widgets"}

// panes are the types of package app that report through callbacks and do not hold the window.
var panes = []string{"sidebar", "timeline", "articlePane"}

func widgetsDoNotHoldTheWindow(h *house) (broken []string) {
	for _, r := range h.packages {
		for _, s := range r.source {
			if s.test || !within(r.dir, "app") {
				continue
			}
			ast.Inspect(s.tree, func(n ast.Node) bool {
				t, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				st, ok := t.Type.(*ast.StructType)
				if !ok || !withinAny(r.dir, callbacksOnly) && !(r.dir == "app" && slices.Contains(panes, t.Name.Name)) {
					return true
				}
				for _, f := range st.Fields.List {
					if isWindow(f.Type) {
						broken = append(broken, fmt.Sprintf("%s: a field of %s is the window", s.path, t.Name.Name))
					}
				}
				return true
			})
		}
	}
	return broken
}

// isWindow reports whether a type is the window of package app or one of Fyne's.
func isWindow(e ast.Expr) bool {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	switch t := e.(type) {
	case *ast.Ident:
		return t.Name == "window"
	case *ast.SelectorExpr:
		return t.Sel.Name == "Window"
	}
	return false
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
