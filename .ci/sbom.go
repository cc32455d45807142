//go:build ignore

// sbom VERSION BINARY: what a Go program is made of, as a software bill of materials (CycloneDX 1.6, JSON), read from what Go has
// written into it: so it tells of what was linked, not of what go.mod would allow. It says no time, and no random number: the
// same program has the same bill. (cyclonedx-gomod, which does as much, cannot be had from the module proxy.)
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Licenses   []any      `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"` // github.com/package-url
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func main() {
	if len(os.Args) != 3 {
		fail("usage: sbom VERSION BINARY")
	}
	info, err := buildinfo.ReadFile(os.Args[2])
	if err != nil {
		fail(err)
	}
	whole := component{Type: "application", Ref: "kairos", Name: "kairos", Version: os.Args[1],
		Licenses: []any{map[string]any{"license": map[string]string{"id": "MIT"}}}}
	for _, s := range info.Settings {
		whole.Properties = append(whole.Properties, property{"go:" + s.Key, s.Value})
	}
	parts := []component{library("std", strings.TrimPrefix(info.GoVersion, "go"), "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, library(m.Path, m.Version, m.Sum))
	}
	refs := make([]string, len(parts))
	for i, p := range parts {
		refs[i] = p.Ref
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	err = out.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":     map[string]any{"component": whole},
		"components":   parts,
		"dependencies": []any{map[string]any{"ref": whole.Ref, "dependsOn": refs}},
	})
	if err != nil {
		fail(err)
	}
}

// library is a module with its sum in go.sum; a version of Go's own library has none.
func library(path, version, sum string) component {
	purl := "pkg:golang/" + path + "@" + version
	c := component{Type: "library", Ref: purl, Name: path, Version: version, PURL: purl}
	if sum != "" {
		c.Properties = []property{{"go.sum", sum}}
	}
	return c
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, "sbom:", why)
	os.Exit(1)
}
