// Vet runs the analyzers of go vet. Unlike go vet it reads what our packages import from source, so that the packages for
// a system other than this one are checked without compiling SQLite for it.
package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	found, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Tests: true, ParseFile: parse}, os.Args[1:]...)
	if err != nil {
		log.Fatal(err)
	}
	failed := packages.PrintErrors(found) > 0
	graph, err := checker.Analyze(vet.Suite, found, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := graph.PrintText(os.Stderr, -1); err != nil {
		log.Fatal(err)
	}
	for _, action := range graph.Roots {
		failed = failed || action.Err != nil || len(action.Diagnostics) > 0
	}
	if failed {
		os.Exit(1)
	}
}

// translated are the files of SQLite and its C library: a third of all source, translated from C.
var translated = regexp.MustCompile(`/modernc\.org/(sqlite|libc)@[^/]*/`)

// parse parses a file, of SQLite only what it declares: that tells the types, and its functions say nothing about ours.
func parse(set *token.FileSet, name string, source []byte) (*ast.File, error) {
	file, err := parser.ParseFile(set, name, source, parser.AllErrors|parser.ParseComments)
	if err == nil && translated.MatchString(filepath.ToSlash(name)) {
		dropBodies(file)
	}
	return file, err
}

// dropBodies makes functions look as if they were written in assembly, where Go allows that, and takes the name from each
// import that only they used.
func dropBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name != "init" && f.Type.TypeParams == nil {
			f.Body = nil
		}
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok {
				used[of.Name] = true
			}
		}
		return true
	})
	for _, i := range file.Imports {
		imported, _ := strconv.Unquote(i.Path.Value)
		name := path.Base(imported)
		if i.Name != nil {
			name = i.Name.Name
		}
		if !used[name] && name != "." {
			i.Name = ast.NewIdent("_")
		}
	}
}
