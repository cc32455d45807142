package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The limits of a type: beyond them it hides two ideas.
const (
	mostFields      = 20
	mostMethodFiles = 10
)

// largeTypes may exceed the limits, each for its reason.
var largeTypes = map[string]string{
	"app/verbs.feedLine": "it is the line that feeds --json prints, which scripts rely on",
	"app/text.Printer":   "it has no fields but its lookup, and a file for each package whose facts it words",
}

// shape is how large a type is.
type shape struct {
	fields int
	files  map[string]bool // those with methods of the type
}

// shapes measures the struct types and those with methods, by folder and name.
func (h *house) shapes() map[string]*shape {
	all := map[string]*shape{}
	of := func(r *room, name string) *shape {
		key := r.dir + "." + name
		if all[key] == nil {
			all[key] = &shape{files: map[string]bool{}}
		}
		return all[key]
	}
	for _, r := range h.packages {
		for _, s := range r.source {
			if s.test {
				continue
			}
			for _, d := range s.tree.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Recv != nil {
						of(r, receiver(d)).files[s.path] = true
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if t, ok := spec.(*ast.TypeSpec); ok {
							if st, ok := t.Type.(*ast.StructType); ok {
								of(r, t.Name.Name).fields = st.Fields.NumFields()
							}
						}
					}
				}
			}
		}
	}
	return all
}

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

func noTypeIsARoomOfItsOwn(h *house) (broken []string) {
	all := h.shapes()
	for name, s := range all {
		if largeTypes[name] != "" {
			continue
		}
		if s.fields > mostFields {
			broken = append(broken, fmt.Sprintf("%s has %d fields, more than %d", name, s.fields, mostFields))
		}
		if len(s.files) > mostMethodFiles {
			broken = append(broken, fmt.Sprintf("%s has methods in %d files, more than %d", name, len(s.files), mostMethodFiles))
		}
	}
	for name := range largeTypes {
		if s := all[name]; len(h.packages) > 20 && (s == nil || s.fields <= mostFields && len(s.files) <= mostMethodFiles) {
			broken = append(broken, name+" is listed as large and is not")
		}
	}
	slices.Sort(broken)
	return broken
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

// matchers are the functions that look for a text in another one, by package.
var matchers = map[string][]string{
	"strings": {"Contains", "HasPrefix", "HasSuffix", "Cut", "CutPrefix", "CutSuffix", "TrimPrefix", "TrimSuffix", "Index", "LastIndex", "Split", "EqualFold"},
	"bytes":   {"Contains", "HasPrefix", "HasSuffix", "Cut", "CutPrefix", "CutSuffix", "TrimPrefix", "TrimSuffix", "Index"},
	"regexp":  {"MustCompile", "Compile", "MatchString"},
}

// english finds what reads like a piece of a sentence: two words with a space between them.
var english = regexp.MustCompile(`[A-Za-z]{2,} [a-z]{2,}`)

// foreignSentences are texts of others that have to be recognised, each for its reason.
var foreignSentences = map[string]string{
	"GLFW library is not initialized": "a panic of GLFW where there is no screen",
	"unexpected end":                  "encoding/json has no error of its own for a document that ends early",
	"failed to unlock":                "the system keyring says no more than that",
	"drawing from '":                  "the output of pmset on macOS",
	"vtable constructor failed":       "SQLite has no code of its own for a broken search index",
	"invalid fts5 file format":        "nor for this",
}

// foreignText are the folders that recognise the words of web pages, feeds and licences.
var foreignText = []string{"reader/discover", "reader/parse", "reader/content", "packaging/stage"}

func nothingParsesASentence(h *house) (broken []string) {
	complain := func(s *source, e ast.Expr) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return
		}
		text, err := strconv.Unquote(lit.Value)
		if err == nil && english.MatchString(text) && foreignSentences[text] == "" {
			broken = append(broken, fmt.Sprintf("%s recognises the sentence %q: pass on a fact", s.path, text))
		}
	}
	for _, r := range h.packages {
		for _, s := range r.source {
			if s.test || slices.Contains(foreignText, r.dir) {
				continue
			}
			ast.Inspect(s.tree, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if s.calls(n, matchers) {
						for _, arg := range n.Args {
							complain(s, arg)
						}
					}
				case *ast.BinaryExpr:
					if n.Op == token.EQL || n.Op == token.NEQ {
						complain(s, n.X)
						complain(s, n.Y)
					}
				case *ast.CaseClause:
					for _, e := range n.List {
						complain(s, e)
					}
				}
				return true
			})
		}
	}
	return broken
}

// calls reports whether a call is of one of these functions of the standard library.
func (s *source) calls(c *ast.CallExpr, functions map[string][]string) bool {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && slices.Contains(functions[id.Name], sel.Sel.Name)
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

// parametersAreUsed finds parameters that a function takes and does not use: a reader thinks that they matter. Where a
// signature is given, the parameter is named _.
func parametersAreUsed(h *house) (broken []string) {
	for _, r := range h.packages {
		for _, s := range r.source {
			for _, d := range s.tree.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Body == nil || s.test {
					continue
				}
				for _, name := range unusedParameters(f) {
					broken = append(broken, fmt.Sprintf("%s: %s does not use its parameter %s", s.path, f.Name.Name, name))
				}
			}
		}
	}
	return broken
}

// unusedParameters returns the names of the parameters that stand nowhere in the body.
func unusedParameters(f *ast.FuncDecl) (unused []string) {
	used := map[string]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok { // the name selected is no parameter
			ast.Inspect(sel.X, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					used[id.Name] = true
				}
				return true
			})
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for _, p := range f.Type.Params.List {
		for _, id := range p.Names {
			if id.Name != "_" && !used[id.Name] {
				unused = append(unused, id.Name)
			}
		}
	}
	return unused
}
