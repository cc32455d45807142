package house

// What the project says of itself: its ID, its version and its news, which stand in several files.

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// read is the text of a file beside the rooms.
func (h *house) read(name string) (string, error) {
	text, err := fs.ReadFile(h.files, name)
	return string(text), err
}

// metadata is the value of a string key of FyneApp.toml, "" if it is not there.
func (h *house) metadata(key string) string {
	text, _ := fs.ReadFile(h.files, "FyneApp.toml")
	found := regexp.MustCompile(`(?m)^\s*` + key + `\s*=\s*"([^"]*)"`).FindSubmatch(text)
	if found == nil {
		return ""
	}
	return string(found[1])
}

// likeID is what looks like our application ID in a text or a file name.
var likeID = regexp.MustCompile(`org\.kairos\.\w+`)

func oneApplicationID(h *house) (broken []string) {
	id, declared := h.metadata("ID"), false
	check := func(where, text string) {
		for _, found := range likeID.FindAllString(text, -1) {
			if found != id {
				broken = append(broken, fmt.Sprintf("%s says %s, FyneApp.toml %s", where, found, id))
			}
		}
	}
	for _, r := range h.packages {
		for _, s := range r.source {
			if s.test {
				continue
			}
			ast.Inspect(s.tree, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					declared = declared || lit.Value == strconv.Quote(id)
					check(s.path, lit.Value)
				}
				return true
			})
		}
	}
	assets, _ := fs.ReadDir(h.files, "assets")
	for _, e := range assets {
		check("assets/"+e.Name(), e.Name())
	}
	if !declared {
		broken = append(broken, "no Go file declares the ID "+strconv.Quote(id)+" of FyneApp.toml")
	}
	return broken
}

var threeNumbers = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

func metadataIsWhole(h *house) (broken []string) {
	for _, key := range []string{"ID", "Name", "Icon", "Version"} {
		if h.metadata(key) == "" {
			broken = append(broken, "FyneApp.toml has no "+key)
		}
	}
	if v := h.metadata("Version"); v != "" && !threeNumbers.MatchString(v) {
		broken = append(broken, "FyneApp.toml: the Version "+v+" is not of the form 1.2.3")
	}
	if icon := h.metadata("Icon"); icon != "" {
		if _, err := fs.Stat(h.files, icon); err != nil {
			broken = append(broken, "FyneApp.toml: there is no icon "+icon)
		}
	}
	return broken
}

var (
	changelogHeading = regexp.MustCompile(`(?m)^## (.*)$`)
	changelogVersion = regexp.MustCompile(`^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$`)
	changelogLine    = regexp.MustCompile("^(|[^ #*-].*|### (Added|Changed|Deprecated|Removed|Fixed|Security)|(- |  )[^ *-].*)$")
)

// changelogHasTheVersion: packages and the pages of app stores are made from CHANGELOG.md, line by line.
func changelogHasTheVersion(h *house) (broken []string) {
	text, err := h.read("CHANGELOG.md")
	if err != nil {
		return []string{"CHANGELOG.md is missing"}
	}
	headings := changelogHeading.FindAllStringSubmatch(text, -1)
	if len(headings) > 0 && headings[0][1] == "[Unreleased]" {
		headings = headings[1:]
	}
	for i, heading := range headings {
		found := changelogVersion.FindStringSubmatch(heading[1])
		if found == nil {
			broken = append(broken, "CHANGELOG.md: "+heading[1]+" is not of the form [1.2.3] - 2006-01-02")
		} else if i == 0 && found[1] != h.metadata("Version") {
			broken = append(broken, "CHANGELOG.md begins with "+found[1]+", FyneApp.toml says "+h.metadata("Version"))
		}
	}
	if len(headings) == 0 {
		return []string{"CHANGELOG.md names no version"}
	}
	_, entries, _ := strings.Cut(text, "\n## ")
	for line := range strings.Lines(entries) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "## ") && !changelogLine.MatchString(line) {
			broken = append(broken, "CHANGELOG.md has neither a heading nor a paragraph nor an entry here: "+line)
		}
	}
	return broken
}

// linked finds the variables that the build sets: the linker passes over a name that does not exist. Without the linker's
// doing, as by go install, the variable has the same value.
var linked = regexp.MustCompile(`-X[ =]([\w/]+)\.(\w+)=`)

func versionHasItsVariable(h *house) (broken []string) {
	text, _ := fs.ReadFile(h.files, ".ci/build")
	told := false
	for _, found := range linked.FindAllStringSubmatch(string(text), -1) {
		dir, _ := ours(found[1])
		value, ok := h.variable(dir, found[2])
		if told = told || found[2] == "Version"; !ok {
			broken = append(broken, fmt.Sprintf(".ci/build sets %s.%s, which is no variable of ours", found[1], found[2]))
		} else if found[2] == "Version" && value != h.metadata("Version") {
			broken = append(broken, fmt.Sprintf("%s.%s is %q, FyneApp.toml says %s", found[1], found[2], value, h.metadata("Version")))
		}
	}
	if !told {
		broken = append(broken, ".ci/build sets no version")
	}
	return broken
}

// variable is what a variable of the package in dir begins as, if it is declared as a literal: "" if not, or if there is none.
func (h *house) variable(dir, name string) (value string, found bool) {
	for _, r := range h.packages {
		if r.dir != dir {
			continue
		}
		for _, s := range r.source {
			ast.Inspect(s.tree, func(n ast.Node) bool {
				decl, ok := n.(*ast.GenDecl)
				if !ok || decl.Tok != token.VAR {
					return !found
				}
				for _, spec := range decl.Specs {
					spec := spec.(*ast.ValueSpec)
					i := slices.IndexFunc(spec.Names, func(id *ast.Ident) bool { return id.Name == name })
					if found = found || i >= 0; i >= 0 && i < len(spec.Values) {
						if lit, ok := spec.Values[i].(*ast.BasicLit); ok {
							value, _ = strconv.Unquote(lit.Value)
						}
					}
				}
				return false
			})
		}
	}
	return value, found
}
