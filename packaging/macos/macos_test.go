package main

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"kairos/app/home"
)

// property reads a value of a property list: a map, a list, a string or a bool.
func property(d *xml.Decoder, start xml.StartElement) (value any, err error) {
	switch start.Name.Local {
	case "string", "key":
		var text string
		err := d.DecodeElement(&text, &start)
		return text, err
	case "true", "false":
		return start.Name.Local == "true", d.Skip()
	}
	var list []any
	for {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			v, err := property(d, token)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		case xml.EndElement:
			switch start.Name.Local {
			case "array":
				return list, nil
			case "plist":
				return list[0], nil
			case "dict":
				all := map[string]any{}
				for i := 0; i+1 < len(list); i += 2 {
					all[list[i].(string)] = list[i+1]
				}
				if 2*len(all) != len(list) {
					return nil, fmt.Errorf("a key is there twice or has no value: %v", list)
				}
				return all, nil
			}
			return nil, fmt.Errorf("no property list: %s", start.Name.Local)
		}
	}
}

func readPropertyList(t *testing.T, text []byte) map[string]any {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			value, err := property(d, start)
			if err != nil {
				t.Fatal(err)
			}
			return value.(map[string]any)
		}
	}
}

func TestApplicationIsLaidOut(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("\xcf\xfa\xed\xfe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run("1.2.3", "4", []string{program, dir}); err != nil {
		t.Fatal(err)
	}
	contents := filepath.Join(dir, "Kairos.app", "Contents")
	text, err := os.ReadFile(filepath.Join(contents, "Info.plist"))
	if err != nil {
		t.Fatal(err)
	}
	info := readPropertyList(t, text)
	for key, want := range map[string]any{"CFBundleIdentifier": home.AppID, "CFBundleShortVersionString": "1.2.3", "CFBundleVersion": "4",
		"CFBundlePackageType": "APPL", "LSMinimumSystemVersion": "12.0", "NSHighResolutionCapable": true} {
		if info[key] != want {
			t.Errorf("%s is %v, want %v", key, info[key], want)
		}
	}
	first := func(key string) map[string]any { return info[key].([]any)[0].(map[string]any) }
	if got := first("CFBundleURLTypes")["CFBundleURLSchemes"]; !reflect.DeepEqual(got, []any{"feed", "feeds"}) {
		t.Errorf("it opens links to %v", got)
	}
	if opens, knows := first("CFBundleDocumentTypes")["LSItemContentTypes"], first("UTImportedTypeDeclarations")["UTTypeIdentifier"]; !reflect.DeepEqual(opens, []any{knows}) {
		t.Errorf("it opens files of %v and knows %v", opens, knows)
	}
	if found, err := os.Stat(filepath.Join(contents, "MacOS", info["CFBundleExecutable"].(string))); err != nil || found.Mode()&0o111 == 0 {
		t.Errorf("the program: %v (%v)", found, err)
	}
	icon, err := os.ReadFile(filepath.Join(contents, "Resources", info["CFBundleIconFile"].(string)+".icns"))
	if err != nil {
		t.Fatal(err)
	}
	if length := binary.BigEndian.Uint32(icon[4:]); string(icon[:4]) != "icns" || int(length) != len(icon) || string(icon[8:12]) != "ic09" {
		t.Errorf("the icon begins with %q, and has %d bytes", icon[:16], len(icon))
	}
	if picture, err := png.DecodeConfig(bytes.NewReader(icon[16:])); err != nil || picture.Width != 512 || picture.Height != 512 {
		t.Errorf("the icon is %+v (%v)", picture, err)
	}
}
