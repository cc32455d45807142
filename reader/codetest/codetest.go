// Package codetest lists for tests the codes that packages declare.
package codetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// Of returns the constants of a type of ours, but for "", as its package declares them. A list beside the constants would
// have to be remembered with each new one.
func Of[Code ~string](t testing.TB) (codes []Code) {
	t.Helper()
	kind := reflect.TypeFor[Code]()
	_, dir, _ := strings.Cut(kind.PkgPath(), "/")
	files, err := filepath.Glob(filepath.Join(root(t), dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				codes = append(codes, codesIn[Code](spec, kind.Name())...)
			}
			return true
		})
	}
	if len(codes) == 0 {
		t.Fatalf("no constants of %s in %s", kind, dir)
	}
	return codes
}

func codesIn[Code ~string](spec *ast.ValueSpec, kind string) (codes []Code) {
	if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != kind {
		return nil
	}
	for _, value := range spec.Values {
		if lit, ok := value.(*ast.BasicLit); ok {
			if text, err := strconv.Unquote(lit.Value); err == nil && text != "" {
				codes = append(codes, Code(text))
			}
		}
	}
	return codes
}

// root returns the folder of go.mod, above that of the test.
func root(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("the test runs outside of the project")
		}
		dir = filepath.Dir(dir)
	}
}
