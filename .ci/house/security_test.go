package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var promiseTests = regexp.MustCompile("`([A-Za-z/]+)`")

// missingPromiseTests returns the tests that a table of promises names but the packages before them do not have. Each row must
// name one.
func missingPromiseTests(page string, has func(dir, test string) bool) (missing []string) {
	for line := range strings.Lines(page) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || strings.Contains(line, "---") || strings.TrimSpace(cells[2]) == "tests" {
			continue
		}
		names := promiseTests.FindAllStringSubmatch(cells[2], -1)
		dir, tests := "", 0
		for _, name := range names {
			if !strings.HasPrefix(name[1], "Test") && !strings.HasPrefix(name[1], "Fuzz") {
				dir = name[1]
				continue
			}
			if tests++; !has(dir, name[1]) {
				missing = append(missing, dir+" "+name[1])
			}
		}
		if tests == 0 {
			missing = append(missing, strings.TrimSpace(cells[1]))
		}
	}
	return missing
}

// hasTest looks for a test among the files of a package.
func hasTest(dir, test string) bool {
	files, _ := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	for _, file := range files {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}

func TestPromisesHaveTests(t *testing.T) {
	page, err := os.ReadFile("../../SECURITY.md")
	if err != nil || strings.Count(string(page), "\n|") < 5 {
		t.Fatalf("no table of promises (%v)", err)
	}
	for _, missing := range missingPromiseTests(string(page), hasTest) {
		t.Errorf("no test: %s", missing)
	}
	const broken = "| promise | tests |\n|---|---|\n| a | `reader` `TestNothing`, `TestRestore` |\n| b | none |\n"
	if missing := missingPromiseTests(broken, hasTest); strings.Join(missing, ", ") != "reader TestNothing, reader TestRestore, b" {
		t.Errorf("of a broken table: %q", missing)
	}
}
