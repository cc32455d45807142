// Package main writes the manifest by which winget installs Kairos on Windows: three files, to be handed in to the
// repository of winget's packages with each version.
//
//	go run ./packaging/winget -site https://… 1.2.3 INSTALLER FOLDER
package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// id is what winget calls Kairos, and how the names of the files begin.
const id = "Kairos.Kairos"

// manifest is a template for each of the files.
//
//go:embed manifest.yaml.in
var manifest string

func main() {
	site := flag.String("site", "", "the address of the project, below which the installer lies")
	flag.Parse()
	if err := run(*site, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "winget:", err)
		os.Exit(1)
	}
}

func run(site string, args []string) error {
	if len(args) != 3 || !strings.HasPrefix(site, "https://") {
		return errors.New("usage: winget -site https://… VERSION INSTALLER FOLDER")
	}
	installer, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	files, err := manifests(site, args[0], filepath.Base(args[1]), installer)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(args[2], 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(args[2], name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// manifests returns the files by name. Their schemas are those of winget's manifests 1.6.
func manifests(site, version, name string, installer []byte) (map[string][]byte, error) {
	t, err := template.New("").Parse(manifest)
	if err != nil {
		return nil, err
	}
	data := map[string]string{"ID": id, "Version": version, "Site": site, "Installer": name, "SHA256": fmt.Sprintf("%X", sha256.Sum256(installer))}
	files := map[string][]byte{}
	for part, file := range map[string]string{"version": id + ".yaml", "installer": id + ".installer.yaml", "locale.en-US": id + ".locale.en-US.yaml"} {
		var b bytes.Buffer
		if err := t.ExecuteTemplate(&b, part, data); err != nil {
			return nil, err
		}
		files[file] = b.Bytes()
	}
	return files, nil
}
