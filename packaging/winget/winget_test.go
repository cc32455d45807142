package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	installer := filepath.Join(dir, "Kairos-1.2.3-setup.exe")
	if err := os.WriteFile(installer, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if err := run("https://kairos.example", []string{"1.2.3", installer, out}); err != nil {
		t.Fatal(err)
	}
	types := []string{}
	for _, name := range []string{"Kairos.Kairos.yaml", "Kairos.Kairos.installer.yaml", "Kairos.Kairos.locale.en-US.yaml"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		keys := map[string]string{}
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
				keys[key] = value
			}
		}
		if keys["PackageIdentifier"] != "Kairos.Kairos" || keys["PackageVersion"] != "1.2.3" || keys["ManifestVersion"] != "1.6.0" ||
			!strings.Contains(string(text), "winget-manifest."+keys["ManifestType"]+".1.6.0.schema.json") {
			t.Errorf("%s:\n%s", name, text)
		}
		if types = append(types, keys["ManifestType"]); keys["ManifestType"] != "installer" {
			continue
		}
		if sum := fmt.Sprintf("%X", sha256.Sum256([]byte("program"))); keys["InstallerSha256"] != sum || keys["InstallerUrl"] != "https://kairos.example/releases/1.2.3/Kairos-1.2.3-setup.exe" {
			t.Errorf("the installer is %s with sum %s, want %s", keys["InstallerUrl"], keys["InstallerSha256"], sum)
		}
	}
	if !slices.Equal(types, []string{"version", "installer", "defaultLocale"}) {
		t.Errorf("kinds %q", types)
	}
}

func TestRunRefuses(t *testing.T) {
	for site, args := range map[string][]string{"": {"1.2.3", "a", "b"}, "https://kairos.example": {"1.2.3"}, "https://b.example": {"1.2.3", "/nothing", t.TempDir()}} {
		if err := run(site, args); err == nil {
			t.Errorf("%q %q is accepted", site, args)
		}
	}
}
