package poller

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/useraccess"
)

// Instants survive their stored form; what is no such form is told, and nothing of it makes the program fail.
func TestInstantsBinary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	instants := []Instant{
		{Feed: 3, At: time.Unix(-5, 0), Value: 0.25, Reason: schedule.Reason{Code: schedule.Planned, Purpose: schedule.OftenPost}},
		{Feed: 3, At: time.Unix(7, 0), Reason: schedule.Reason{Code: schedule.Planned, Purpose: schedule.Unlearned, Times: 8}},
		{Feed: 3, At: monday.Local(), Value: 1e300, Reason: schedule.Reason{Code: "of a later version", Posts: 0.1, Days: 7}},
		{Feed: 3, At: monday.Local().Add(time.Second), Reason: schedule.Reason{Code: schedule.CatchUp, Ago: 17*day + 3, Visit: monday.Local().Add(day)}},
		{Feed: 3, At: monday.Local().Add(2 * day), Reason: schedule.Reason{Code: schedule.Retry, Failures: 12, Every: 5 * time.Hour}},
	}
	for n := range len(instants) + 1 {
		data := appendInstants(nil, instants[:n])
		got, err := readInstants(nil, 3, data)
		if err != nil || !slices.Equal(got, instants[:n]) {
			t.Fatalf("%v, %+v, want %+v", err, got, instants[:n])
		}
		for cut := range data {
			if got, err := readInstants(nil, 3, data[:cut]); err == nil && len(got) == n && n > 0 {
				t.Errorf("%d bytes of %d are all", cut, len(data))
			}
		}
	}
	data := appendInstants(nil, instants)
	for range 2000 {
		bad := slices.Clone(data)
		bad[r.IntN(len(bad))] ^= byte(1 << r.IntN(8))
		readInstants(nil, 3, bad) //nolint:errcheck // that it returns is all
	}
	old := []byte{1, 1, 20, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 4, 'p', 'l', 'a', 'n', 40, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 4}
	want := Instant{Feed: 3, At: time.Unix(10, 0), Value: 1, Reason: schedule.Reason{Code: schedule.Planned, Visit: time.Unix(20, 0), Posts: 1, Failures: 2}}
	if got, err := readInstants(nil, 3, old); err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("version 1: %+v, %v", got, err)
	}
	for _, bad := range [][]byte{nil, {9}, data[:len(data)-1], []byte("[{]")} {
		if _, err := readInstants(nil, 3, bad); !errors.Is(err, errInstants) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A data folder of before keeps what was planned, sentences of the first versions included.
func TestInstantsAreMoved(t *testing.T) {
	const agendaStep = 12 // of Steps, which made one row of a feed's instants
	dir := t.TempDir()
	rooms := func(steps int) []reader.Room {
		return []reader.Room{{Name: "useraccess", Steps: useraccess.Steps}, {Name: "poller", Steps: Steps[:steps]}}
	}
	before, err := reader.Open(t.Context(), dir, monday, rooms(agendaStep)...)
	if err != nil {
		t.Fatal(err)
	}
	var one, two int64
	err = before.Write(t.Context(), func(tx *sql.Tx) (err error) {
		if one, err = reader.Subscribe(t.Context(), tx, reader.Feed{URL: "http://one.example/"}, monday); err != nil {
			return err
		}
		if two, err = reader.Subscribe(t.Context(), tx, reader.Feed{URL: "http://two.example/"}, monday); err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO instant (feed, at, code, why, value, posts) VALUES
			(?1, 2000, 'retry', '{"code":"retry","failures":2,"visit":"2026-01-05T07:40:00Z"}', 0.1, 0),
			(?1, 1000, 'plan', 'ready for your usual "7:40" visit', 1.5e-9, 0.25),
			(?2, 500, 'plan', '{"code":"plan","posts":3}', 2, 3)`, one, two)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	before.Close()
	store, err := reader.Open(t.Context(), dir, monday, rooms(len(Steps))...)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	records := records{store: store, db: store.Prepared()}
	planner := &planner{env: &env{records: records}}
	want := []Instant{
		{Feed: two, At: time.Unix(500, 0), Value: 2, Reason: schedule.Reason{Code: schedule.Planned, Posts: 3}},
		{Feed: one, At: time.Unix(1000, 0), Value: 1.5e-9, Reason: schedule.Reason{Code: schedule.Planned, Posts: 0.25}},
		{Feed: one, At: time.Unix(2000, 0), Value: 0.1, Reason: schedule.Reason{Code: schedule.Retry, Failures: 2, Visit: time.Date(2026, 1, 5, 7, 40, 0, 0, time.UTC)}},
	}
	for range 2 { // as they were moved, and stored again
		got, err := records.instants(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if v := &got[i].Reason.Visit; !v.IsZero() {
				*v = v.UTC()
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
		for after, first := range map[int64]int64{0: 500, 500: 1000, 999: 1000, 1000: 2000} {
			if at, there, err := planner.upcoming(t.Context(), time.Unix(after, 0)); err != nil || !there || at.At.Unix() != first {
				t.Errorf("after %d comes %v, %v", after, at, err)
			}
		}
		if at, there, err := planner.upcoming(t.Context(), time.Unix(2000, 0)); err != nil || there {
			t.Errorf("after all comes %v, %v", at, err)
		}
		for after, first := range map[int64]int64{0: 500, 500: 1000, 999: 1000, 1000: 1000 + 86400} {
			if at, err := records.nextAgenda(t.Context(), time.Unix(after, 0)); err != nil || at.Unix() != first {
				t.Errorf("of feeds with nothing at %d the first comes at %d, %v", after, at.Unix(), err)
			}
		}
		err = store.Write(t.Context(), func(tx *sql.Tx) error {
			return errors.Join(putInstants(t.Context(), tx, one, want[1:]), putInstants(t.Context(), tx, two, want[:1]))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
