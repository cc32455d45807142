// Package main lays out Kairos.app, the application for macOS, around a program that is built already. It runs on any
// system; signing and notarising need a Mac (CHECKLIST.md).
//
//	go run ./packaging/macos -version 1.2.3 -build 4 PROGRAM FOLDER
package main

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kairos/app/home"
	"kairos/assets"
)

// infoPlist tells macOS what the application is and opens.
//
//go:embed Info.plist.in
var infoPlist string

func main() {
	version := flag.String("version", home.Version, "the version that it says")
	build := flag.String("build", "1", "the number of the build, which grows")
	flag.Parse()
	if err := run(*version, *build, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "macos:", err)
		os.Exit(1)
	}
}

func run(version, build string, args []string) error {
	if len(args) != 2 {
		return errors.New("usage: macos [-version 1.2.3] [-build 4] PROGRAM FOLDER")
	}
	program, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	contents := filepath.Join(args[1], "Kairos.app", "Contents")
	for _, file := range []struct {
		name string
		text []byte
		mode os.FileMode
	}{
		{"Info.plist", []byte(strings.NewReplacer("@ID@", home.AppID, "@VERSION@", version, "@BUILD@", build).Replace(infoPlist)), 0o644},
		{"PkgInfo", []byte("APPL????"), 0o644},
		{"MacOS/kairos", program, 0o755},
		{"Resources/kairos.icns", icns(assets.Icon), 0o644},
	} {
		path := filepath.Join(contents, file.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, file.text, file.mode); err != nil {
			return err
		}
	}
	return nil
}

// icns is an icon of macOS that holds one PNG of 512 × 512 (type ic09), which the system makes the other sizes from.
func icns(png []byte) []byte {
	const head = 8 // of the file, and of each picture in it: a type and the length with the head
	b := binary.BigEndian.AppendUint32([]byte("icns"), uint32(2*head+len(png)))
	b = binary.BigEndian.AppendUint32(append(b, "ic09"...), uint32(head+len(png)))
	return append(b, png...)
}
