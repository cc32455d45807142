package presence

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kairos/useraccess/rate"
)

// A thousand unlocks a minute are one, and a clock that is set back holds nothing up for longer than the pause.
func TestSignsAreDebounced(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	var got []rate.Sign
	d := debouncer{now: func() time.Time { return now }, report: func(kind rate.Sign) { got = append(got, kind) }}
	for range 1000 {
		d.sign(rate.Unlock)
		d.sign(rate.Return)
		now = now.Add(60 * time.Millisecond)
	}
	if want := []rate.Sign{rate.Unlock, rate.Return}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	now = now.Add(-48 * time.Hour)
	d.sign(rate.Unlock)
	now = now.Add(rate.SignPause)
	d.sign(rate.Unlock)
	if len(got) != 4 {
		t.Errorf("after the clock was set back: %v", got)
	}
}

// What a system has to be asked for becomes a sign when it changes.
func TestPollFindsSigns(t *testing.T) {
	const m = time.Minute
	input := func(idle time.Duration) observation { return observation{idle: idle, idleKnown: true} }
	lock := func(on bool) observation { return observation{locked: on, lockKnown: true} }
	for name, tt := range map[string]struct {
		seen []observation
		step time.Duration
		want []rate.Sign
	}{
		"nothing known":                  {[]observation{{}, {}, {}}, m, nil},
		"in use":                         {[]observation{input(0), input(m), input(2 * m), input(0)}, m, nil},
		"back after four minutes":        {[]observation{input(4 * m), input(0)}, m, nil},
		"back after six":                 {[]observation{input(5 * m), input(6 * m), input(30 * time.Second), input(0)}, m, []rate.Sign{rate.Return}},
		"unlocked":                       {[]observation{lock(false), lock(true), lock(true), lock(false), lock(false)}, m, []rate.Sign{rate.Unlock}},
		"no longer told about the lock":  {[]observation{lock(true), {}, lock(false)}, m, nil},
		"no longer told about the input": {[]observation{input(9 * m), {}, input(0)}, m, nil},
		"slept":                          {[]observation{{}, {}}, 8 * time.Hour, []rate.Sign{rate.Resume}},
		"slept, locked, without input":   {[]observation{{true, true, time.Hour, true}, {false, true, 0, true}}, time.Hour, []rate.Sign{rate.Resume, rate.Unlock, rate.Return}},
		"clock set back":                 {[]observation{{}, {}}, -8 * time.Hour, nil},
		"a busy machine":                 {[]observation{{}, {}}, 2 * m, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var p poll
			var got []rate.Sign
			now := time.Unix(1_700_000_000, 0)
			for _, o := range tt.seen {
				got = append(got, p.next(now, o)...)
				now = now.Add(tt.step)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v, not %v", got, tt.want)
			}
		})
	}
}

// Watch ends with its context, whatever there is to listen to.
func TestWatchEnds(t *testing.T) {
	noBuses(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
		defer cancel()
		Watch(ctx, func(kind rate.Sign) { t.Errorf("%s where there is nothing", kind) })
	})
}

func TestDecode(t *testing.T) {
	const hid = `+-o IOHIDSystem  <class IOHIDSystem, id 0x100000398, registered, matched, active, busy 0 (0 ms), retain 15>
    {
      "HIDServiceSupport" = Yes
      "HIDParameters" = {"HIDMouseAcceleration"=98304,"HIDIdleTime"=7}
      "HIDIdleTime" = 318927041
      "IOClass" = "IOHIDSystem"
    }
`
	if idle, known := ioregIdle(hid); !known || idle != 318927041 {
		t.Errorf("idle for %v, %v", idle, known)
	}
	for _, out := range []string{"", `"HIDIdleTime" = `, `"HIDIdleTime" = -5`, `"HIDIdleTime" = 18446744073709551615`, "HIDIdleTime = 5"} {
		if idle, known := ioregIdle(out); known {
			t.Errorf("%q: idle for %v", out, idle)
		}
	}
	const root = `+-o Root  <class IORegistryEntry, id 0x100000100, retain 13>
    {
      "IOKitBuildVersion" = "Darwin Kernel Version 23.6.0"
      "IOConsoleLocked" = %
    }
`
	for value, want := range map[string][2]bool{"Yes": {true, true}, "No": {false, true}, "1": {}} {
		if locked, known := ioregLocked(root[:len(root)-8] + value + root[len(root)-7:]); locked != want[0] || known != want[1] {
			t.Errorf("%s: locked %v, known %v", value, locked, known)
		}
	}
	for flags, want := range map[uint32][2]bool{0: {true, true}, 1: {false, true}, 0xFFFFFFFF: {}} {
		if locked, known := wtsLocked(flags); locked != want[0] || known != want[1] {
			t.Errorf("%d: locked %v, known %v", flags, locked, known)
		}
	}
}
