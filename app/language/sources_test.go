package language

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// used is a text of the sources.
type used struct {
	english string
	plural  bool
	at      token.Position
}

// sources are the texts of a tree of Go files, by key, and what is wrong with how they are
// looked up.
type sources struct {
	set    *token.FileSet
	texts  map[string]used
	faults []string
	words  bool // in package text, whose tables hold templates

	printer bool // in package text or one that imports it: a Printer p looks texts up, too
}

var errNoLiteral = errors.New("not a literal or a constant of its package: the catalogs cannot have it")

// readSources collects what lang.L, N, X and XN and the Texts of this package are given.
func readSources(root string) (*sources, error) {
	s := &sources{set: token.NewFileSet(), texts: map[string]used{}}
	packages := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(s.set, name, nil, 0)
		if dir := filepath.Dir(name); err == nil && file.Name.Name != "language" {
			packages[dir] = append(packages[dir], file)
		}
		return err
	})
	for _, files := range packages {
		s.readPackage(files)
	}
	return s, err
}

func (s *sources) readPackage(files []*ast.File) {
	s.words = files[0].Name.Name == "text"
	s.printer = s.words || slices.ContainsFunc(files, importsText)
	constants := map[string]ast.Expr{}
	for _, f := range files {
		maps.Copy(constants, constantsOf(f))
	}
	for _, f := range files {
		for _, d := range f.Decls {
			_, inFunction := d.(*ast.FuncDecl)
			s.look(d, constants, inFunction)
		}
	}
}

// look goes through a declaration, or the body of a function in it.
func (s *sources) look(in ast.Node, constants map[string]ast.Expr, inFunction bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			s.look(n.Body, constants, true) // as far as it is not called at once
			return false
		case *ast.CallExpr:
			s.call(n, constants, inFunction)
		case *ast.CompositeLit:
			switch {
			case isOf(n.Type, "language", "Texts"), s.words && isName(n.Type, "texts"):
				for _, e := range n.Elts {
					s.add(e, e, false, constants)
				}
			case s.words && isTable(n.Type):
				for _, e := range n.Elts {
					value := e.(*ast.KeyValueExpr).Value
					s.add(value, value, false, constants)
				}
			}
		}
		return true
	})
}

// call looks at a call, which may be one for a text.
func (s *sources) call(c *ast.CallExpr, constants map[string]ast.Expr, inFunction bool) {
	name := ""
	for _, f := range []string{"L", "N", "X", "XN"} {
		if isOf(c.Fun, "lang", f) || s.printer && isOf(c.Fun, "p", f) {
			name = f
		}
	}
	if id, ok := firstArgument(c); s.words && ok && (id.Name == "key" || id.Name == "english") {
		return // a method of the Printer that passes its argument on
	}
	if name == "" || len(c.Args) == 0 {
		return
	}
	if !inFunction {
		s.fault(c, "a variable of the package is set before the language is chosen: look the text up in a function")
	}
	english := c.Args[0]
	if strings.HasPrefix(name, "X") && len(c.Args) > 1 {
		english = c.Args[1]
	}
	s.add(c.Args[0], english, strings.HasSuffix(name, "N"), constants)
}

func (s *sources) add(key, english ast.Expr, plural bool, constants map[string]ast.Expr) {
	k, err := textOf(key, constants)
	e, err2 := textOf(english, constants)
	if err = errors.Join(err, err2); err != nil {
		s.fault(key, err.Error())
		return
	}
	if had, ok := s.texts[k]; ok && (had.plural != plural || had.english != e) {
		s.fault(key, fmt.Sprintf("%q is used in another way at %s", k, had.at))
	}
	s.texts[k] = used{e, plural, s.set.Position(key.Pos())}
}

func (s *sources) fault(n ast.Node, text string) {
	s.faults = append(s.faults, fmt.Sprintf("%s: %s", s.set.Position(n.Pos()), text))
}

// isOf reports whether an expression is a name of a package.
func isOf(e ast.Expr, pkg, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == pkg
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func importsText(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"kairos/app/text"` })
}

// isTable reports whether a type is text's table of templates by code.
func isTable(e ast.Expr) bool {
	index, ok := e.(*ast.IndexExpr)
	return ok && isName(index.X, "table")
}

func firstArgument(c *ast.CallExpr) (*ast.Ident, bool) {
	if len(c.Args) == 0 {
		return nil, false
	}
	id, ok := c.Args[0].(*ast.Ident)
	return id, ok
}

// constantsOf are the constants of a file, by name.
func constantsOf(f *ast.File) map[string]ast.Expr {
	found := map[string]ast.Expr{}
	ast.Inspect(f, func(n ast.Node) bool {
		if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, spec := range d.Specs {
				v := spec.(*ast.ValueSpec)
				for i, name := range v.Names {
					if i < len(v.Values) {
						found[name.Name] = v.Values[i]
					}
				}
			}
		}
		return true
	})
	return found
}

// textOf is the text of a literal, a sum of such, or a constant.
func textOf(e ast.Expr, constants map[string]ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return textOf(e.X, constants)
	case *ast.BasicLit:
		return strconv.Unquote(e.Value)
	case *ast.BinaryExpr:
		left, err := textOf(e.X, constants)
		right, err2 := textOf(e.Y, constants)
		return left + right, errors.Join(err, err2)
	case *ast.Ident:
		if value, ok := constants[e.Name]; ok {
			return textOf(value, constants)
		}
	}
	return "", errNoLiteral
}

// The walk finds what it is there to find.
func TestSources(t *testing.T) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "a.go", `package a
		const said = "by a constant"
		var early = []any{func() string { return lang.L("in time") }, lang.L("too early")}
		var listed = language.Texts{"listed", "listed " + "too"}
		func f(s string) { lang.L("plain"); lang.L(said); lang.X("a.key", "its text"); lang.N("{{.PluralCount}} texts", 1); lang.L(s); other.L("other") }
		func g() { lang.N("plain", 2) }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &sources{set: set, texts: map[string]used{}}
	s.readPackage([]*ast.File{file})
	for key, want := range map[string]used{"plain": {english: "plain", plural: true}, "by a constant": {english: "by a constant"}, "too early": {english: "too early"}, "in time": {english: "in time"},
		"listed": {english: "listed"}, "listed too": {english: "listed too"}, "a.key": {english: "its text"}, "{{.PluralCount}} texts": {english: "{{.PluralCount}} texts", plural: true}} {
		got, ok := s.texts[key]
		if got.at = (token.Position{}); !ok || got != want {
			t.Errorf("%q: %+v, want %+v", key, got, want)
		}
	}
	if len(s.texts) != 8 || len(s.faults) != 3 {
		t.Errorf("%d texts; faults:\n%s", len(s.texts), strings.Join(s.faults, "\n"))
	}
}

// In package text the Printer looks texts up, and tables hold templates by code.
func TestSourcesOfWords(t *testing.T) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "a.go", `package text
		var months = texts{"January"}
		var words = table[code]{first: "a template"}
		func (p *Printer) X(key, english string) string { return p.lookup(key, english) }
		func (p *Printer) L(english string) string { return p.X(english, english) }
		func (p *Printer) Day() string { return p.L("a day") + p.X("a.key", "its text") + p.N("{{.PluralCount}} days", 2) }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &sources{set: set, texts: map[string]used{}}
	s.readPackage([]*ast.File{file})
	for key, want := range map[string]used{"January": {english: "January"}, "a template": {english: "a template"}, "a day": {english: "a day"},
		"a.key": {english: "its text"}, "{{.PluralCount}} days": {english: "{{.PluralCount}} days", plural: true}} {
		got, ok := s.texts[key]
		if got.at = (token.Position{}); !ok || got != want {
			t.Errorf("%q: %+v, want %+v", key, got, want)
		}
	}
	if len(s.texts) != 5 || len(s.faults) != 0 {
		t.Errorf("%d texts; faults:\n%s", len(s.texts), strings.Join(s.faults, "\n"))
	}
}

// Elsewhere a Printer is one where package text is imported.
func TestSourcesOfPrinters(t *testing.T) {
	for source, want := range map[string]int{
		`package a; import "kairos/app/text"; func f(p *text.Printer) { p.L("a text") }`: 1,
		`package a; func f(p other) { p.L("no text") }`:                                  0,
	} {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "a.go", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := &sources{set: set, texts: map[string]used{}}
		s.readPackage([]*ast.File{file})
		if len(s.texts) != want || len(s.faults) != 0 {
			t.Errorf("%s: %d texts, faults %v", source, len(s.texts), s.faults)
		}
	}
}
