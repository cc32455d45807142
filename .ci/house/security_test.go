package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var promiseTests = regexp.MustCompile("`([A-Za-z0-9/]+)`")

// promiseKinds begin the names of what go test runs.
var promiseKinds = regexp.MustCompile("^(Test|Fuzz|Benchmark)")

// promiseHeads stand above the last columns.
var promiseHeads = []string{"tests", "by"}

// missingPromiseTests returns the tests and benchmarks that the last columns of a page's tables name but the packages before them do
// not have. Each row must name one.
func missingPromiseTests(page string, has func(dir, test string) bool) (missing []string) {
	for line := range strings.Lines(page) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.Contains(line, "---") || slices.Contains(promiseHeads, strings.TrimSpace(cells[len(cells)-2])) {
			continue
		}
		names := promiseTests.FindAllStringSubmatch(cells[len(cells)-2], -1)
		dir, tests := "", 0
		for _, name := range names {
			if !promiseKinds.MatchString(name[1]) {
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
	const broken = "| promise | tests |\n|---|---|\n| a | `reader` `TestNothing`, `TestRestore` |\n| b | none |\n" +
		"| input | time | by |\n|---|---|---|\n| c | 1 s | `reader` `BenchmarkNothing2` |\n"
	if missing := missingPromiseTests(broken, hasTest); strings.Join(missing, ", ") != "reader TestNothing, reader TestRestore, b, reader BenchmarkNothing2" {
		t.Errorf("of a broken table: %q", missing)
	}
}
