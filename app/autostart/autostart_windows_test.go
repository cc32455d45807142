package autostart

import (
	"testing"

	"golang.org/x/sys/windows/registry"
)

// The test uses the real key of the user, and leaves it alone where Kairos starts at login already.
func TestRunKey(t *testing.T) {
	if on, err := Enabled(); on || err != nil {
		t.Skip("skipped: Kairos starts at login here:", err)
	}
	if err := Set(false, ""); err != nil {
		t.Errorf("disable without an entry: %v", err)
	}
	t.Cleanup(func() { _ = Set(false, "") })
	const exe = `C:\Users\Ann Doe\AppData\Local\Programs\Kairos\kairos.exe`
	for range 2 {
		if err := Set(true, exe, "--data", `D:\my feeds`); err != nil {
			t.Fatal(err)
		}
		if on, err := Enabled(); !on || err != nil {
			t.Errorf("enabled %v, %v", on, err)
		}
	}
	k, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = k.Close() }()
	if got, _, err := k.GetStringValue(id); got != `"`+exe+`" --data "D:\my feeds" --hidden` || err != nil {
		t.Errorf("%s, %v", got, err)
	}

	// The task manager switches it off.
	a, _, err := registry.CreateKey(registry.CURRENT_USER, approvedKey, registry.SET_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	if err := a.SetBinaryValue(id, []byte{3, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if on, err := Enabled(); on || err != nil {
		t.Errorf("switched off, yet enabled %v, %v", on, err)
	}
	if err := Set(false, ""); err != nil {
		t.Error(err)
	}
	if on, err := Enabled(); on || err != nil {
		t.Errorf("enabled %v, %v", on, err)
	}
}
