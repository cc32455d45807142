package schedule

import (
	"testing"
	"time"
)

func TestRampEnds(t *testing.T) {
	now := monday
	var r Ramp
	saving := func(now time.Time) { r.Observe(true, 600, 1200, now) }
	normal := func(now time.Time) { r.Observe(false, 600, 4800, now) }
	saving(now)
	if !r.take(now) {
		t.Error("saving holds nothing back")
	}
	normal(now)
	n := 0
	for r.take(now) {
		n++
	}
	if n != 10 || r.take(now.Add(59*time.Second)) {
		t.Errorf("%d in the first minute", n)
	}
	waiting := 600 - n
	for waiting > 0 {
		now = r.Next
		for waiting > 0 && r.take(now) {
			waiting--
		}
	}
	if took := now.Sub(monday); took < 59*time.Minute || took > time.Hour {
		t.Errorf("600 feeds take %s", took)
	}
	if at := now.Add(rampFor - 2*time.Minute); !r.take(at) || r.Next != at.Add(time.Minute) {
		t.Error("it ends early")
	}
	for range 100 {
		if !r.take(now.Add(rampFor)) {
			t.Fatal("it does not end when it holds nothing back any more")
		}
	}
	saving(now)
	normal(now.Add(365 * day))
	if r.SetBack(now); r.Until.After(now.Add(rampFor)) || !r.take(now) {
		t.Error("a clock that was set back keeps it going")
	}
}
