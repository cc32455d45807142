// Package main lists the modules that Kairos is compiled with as sources for flatpak-builder, which fetches them before it
// builds without a network: a folder proxy that speaks the protocol of Go's module proxies.
//
//	go run ./packaging/flatpak >packaging/flatpak/modules.json
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// proxy is where the files are fetched from.
const proxy = "https://proxy.golang.org/"

func main() {
	all, err := sources()
	if err == nil {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		err = out.Encode(all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "flatpak:", err)
		os.Exit(1)
	}
}

// entry is a source of flatpak-builder's: a file with its sum.
type entry struct {
	Type   string `json:"type"`
	URL    string `json:"url"`
	SHA256 string `json:"sha256"`
	Dest   string `json:"dest"`
}

// sources are the files of all modules of go.mod, and the go.mod files beyond that Go looks into.
func sources() ([]entry, error) {
	cache, err := output("go", "env", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	cache = filepath.Join(strings.TrimSpace(cache), "cache", "download")
	downloaded, err := output("go", "mod", "download", "-json")
	if err != nil {
		return nil, err
	}
	var all []entry
	listed := map[string]bool{}
	add := func(file string) error {
		below, err := filepath.Rel(cache, file)
		if err != nil || listed[below] {
			return err
		}
		listed[below] = true
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sum, name := sha256.Sum256(content), filepath.ToSlash(below)
		all = append(all, entry{"file", proxy + name, hex.EncodeToString(sum[:]), path.Join("proxy", path.Dir(name))})
		return nil
	}
	for decoder := json.NewDecoder(strings.NewReader(downloaded)); ; {
		var m struct{ Info, GoMod, Zip string }
		if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go mod download: %w", err)
		}
		for _, file := range []string{m.Info, m.GoMod, m.Zip} {
			if err := add(file); err != nil {
				return nil, err
			}
		}
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(sums)) {
		words := strings.Fields(line)
		if len(words) != 3 || !strings.HasSuffix(words[1], "/go.mod") {
			continue
		}
		file := filepath.Join(cache, escape(words[0]), "@v", strings.TrimSuffix(words[1], "/go.mod")+".mod")
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			continue // Go never asked for it here, and will not there
		}
		if err := add(file); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// escape writes a module's path as proxies do: a capital letter as its small one after an exclamation mark.
func escape(module string) string {
	var b strings.Builder
	for _, c := range module {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('!')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func output(command ...string) (string, error) {
	var said bytes.Buffer
	c := exec.Command(command[0], command[1:]...)
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, said.String())
	}
	return string(out), nil
}
