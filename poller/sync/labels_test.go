package sync

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"kairos/reader"
)

// label puts a label on the n-th article here, or takes it off.
func (s *scene) label(n int, name string, on bool) {
	s.Helper()
	if err := s.d.label(s.Context(), s.article(n), name, on); err != nil {
		s.Fatal(err)
	}
}

// labels lists the labels here.
func (s *scene) labels() (names []string) {
	s.Helper()
	list, err := s.d.store.Labels.List(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	for _, l := range list {
		names = append(names, l.Name)
	}
	return names
}

// labelScenes is scenes with a server that keeps labels, of which it has one.
func labelScenes(t *testing.T, f func(s *scene)) {
	scenes(t, func(s *scene) {
		s.model.labels = []string{"Old"}
		s.sync()
		f(s)
	})
}

func TestLabelsOfBothSides(t *testing.T) {
	labelScenes(t, func(s *scene) {
		s.label(0, "Later", true)
		if r := s.sync(); r.Sent != 1 || !s.has("labeled Later") {
			t.Errorf("%+v", r)
		}
		s.equal()
		s.setLabel([]string{s.items[1].ID}, "Work", true)
		if r := s.sync(); r.Marked != 1 || !slices.Equal(s.labels(), []string{"Later", "Work"}) {
			t.Errorf("%+v, labels %q", r, s.labels())
		}
		s.equal()
		s.label(1, "Work", false)
		s.setLabel([]string{s.items[0].ID}, "Later", false)
		s.sync()
		s.equal()
		if s.has("labeled") || slices.Contains(s.labels(), "Later") {
			t.Errorf("labels %q", s.labels())
		}
	})
}

// A label that the server writes otherwise is the same one, and a renamed label has its new name there.
func TestLabelOfAnotherSpelling(t *testing.T) {
	labelScenes(t, func(s *scene) {
		s.setLabel([]string{s.items[0].ID}, "Später", true)
		s.sync()
		s.write(func(tx *sql.Tx) error {
			_, err := tx.Exec("UPDATE label SET name = 'spater'")
			return err
		})
		s.label(1, "spater", true)
		s.sync()
		if !slices.Equal(s.labels(), []string{"spater"}) || slices.Contains(s.model.labels, "spater") {
			t.Errorf("labels %q here, %q there", s.labels(), s.model.labels)
		}
		s.write(func(tx *sql.Tx) error {
			var l reader.Label
			if err := tx.QueryRow("SELECT id FROM label").Scan(&l.ID); err != nil {
				return err
			}
			l.Name = "Evening"
			_, err := reader.SaveLabel(s.Context(), tx, l)
			return err
		})
		s.sync()
		s.equal()
		if !s.has("labeled Evening") || s.has("Später") {
			t.Error("the label was not renamed there")
		}
	})
}

// What a server does not accept, or keeps for nobody, stays here and is not sent again and again.
func TestLabelsOnlyHere(t *testing.T) {
	labelScenes(t, func(s *scene) {
		s.model.refuses = func([]string) bool { return true }
		s.label(0, "News", true)
		if r := s.sync(); len(r.Refused) != 1 || r.Refused[0].Feed != s.feed(0).ID {
			t.Errorf("%+v", r)
		}
		s.requests = nil
		if _, err := s.d.engine.Send(t.Context(), s.d.account); err != nil || len(s.requests) > 0 {
			t.Errorf("sent again by %v, %v", s.requests, err)
		}
		if n, err := s.d.engine.Waiting(t.Context(), s.d.account); n != 0 || err != nil || !slices.Equal(s.labels(), []string{"News"}) {
			t.Errorf("%d wait, %v; labels %q", n, err, s.labels())
		}
		s.model.refuses = nil
		s.sync()
		s.equal()
		s.model.labels = nil
		s.label(1, "Work", true)
		s.sync()
		if n, err := s.d.engine.Waiting(t.Context(), s.d.account); n != 0 || err != nil {
			t.Errorf("%d wait for a server that keeps no labels, %v", n, err)
		}
	})
}

// A label that the server refuses, or fails with, holds up neither others nor what else is synced. It is sent by hand, or after a day.
func TestRefusedLabelHoldsUpNoOthers(t *testing.T) {
	for _, code := range []Code{Rejected, Faulty} {
		labelScenes(t, func(s *scene) {
			s.model.labelOf = func(label string) error {
				if label == "Bad" {
					return &Error{Code: code}
				}
				return nil
			}
			for _, name := range []string{"Alpha", "Bad", "Good"} {
				s.label(0, name, true)
				s.label(1, name, true)
			}
			s.mark(2, reader.FlagStarred, true)
			s.post(modelAddress(1))
			if r := s.sync(); len(r.Refused) != 1 || r.New != 1 || !s.has("labeled Alpha Good") || !s.has("starred true") {
				t.Errorf("%s: %+v\n%v", code, r, s.state())
			}
			s.requests = nil
			if _, err := s.d.engine.Sync(t.Context(), s.d.account, false); err != nil || slices.Contains(s.requests, "label") {
				t.Errorf("%s: sent again by %v, %v", code, s.requests, err)
			}
			if !slices.Equal(s.labels(), []string{"Alpha", "Bad", "Good"}) {
				t.Errorf("%s: labels %q", code, s.labels())
			}
			s.model.labelOf = nil
			s.sync()
			s.equal()
			if !s.has("labeled Alpha Bad Good") {
				t.Errorf("%s: %v", code, s.state())
			}
		})
	}
}

// A label that the server does not put on one article is on the others there.
func TestLabelRefusedForOneArticle(t *testing.T) {
	labelScenes(t, func(s *scene) {
		bad := s.items[1].ID
		s.model.refuses = func(ids []string) bool { return slices.Contains(ids, bad) }
		for n := range 3 {
			s.label(n, "Later", true)
		}
		if r := s.sync(); r.Sent != 2 || len(r.Refused) != 1 {
			t.Errorf("%+v", r)
		}
		s.model.refuses = nil
		s.sync()
		s.equal()
	})
}

// One that was not accepted, and was taken off here since, is as it is there once it is put there elsewhere.
func TestRefusedLabelIsPutThereElsewhere(t *testing.T) {
	labelScenes(t, func(s *scene) {
		s.model.refuses = func([]string) bool { return true }
		s.label(0, "Later", true)
		s.sync()
		s.label(0, "Later", false)
		s.model.refuses = nil
		s.setLabel([]string{s.items[0].ID}, "Later", true)
		s.sync()
		s.sync()
		s.equal()
		if !s.has("labeled Later") || !slices.Equal(s.labels(), []string{"Later"}) {
			t.Errorf("labels %q; %v", s.labels(), s.state())
		}
	})
}

// A label that cannot be listed stays as it is here, and others come.
func TestLabelThatIsNotListed(t *testing.T) {
	labelScenes(t, func(s *scene) {
		s.label(0, "Bad", true)
		s.sync()
		s.setLabel([]string{s.items[1].ID}, "Work", true)
		s.model.labelOf = func(label string) error {
			if label == "Bad" {
				return &Error{Code: Faulty}
			}
			return nil
		}
		s.sync()
		s.equal()
		if !slices.Equal(s.labels(), []string{"Bad", "Work"}) {
			t.Errorf("labels %q", s.labels())
		}
	})
}

// A folder that gets the name of a label hides that at the server, which still has it.
func TestFolderCalledAsALabel(t *testing.T) {
	labelScenes(t, func(s *scene) {
		s.label(0, "Papers", true)
		s.sync()
		s.feeds[0].Folder = "Papers"
		s.model.labels = slices.DeleteFunc(s.model.labels, func(name string) bool { return name == "Papers" })
		s.sync()
		s.sync()
		s.equal()
		if !slices.Equal(s.labels(), []string{"Papers"}) {
			t.Errorf("labels %q", s.labels())
		}
	})
}

// A request without an answer is repeated, though the label was taken off meanwhile; what the server says until then counts for nothing.
func TestLabelWithoutAnswer(t *testing.T) {
	for _, after := range []bool{false, true} {
		labelScenes(t, func(s *scene) {
			s.label(0, "Later", true)
			s.failing("label", after)
			if _, err := s.try(); err == nil {
				t.Error("no failure")
			}
			s.label(0, "Later", false)
			if n, err := s.d.engine.Waiting(t.Context(), s.d.account); n != 1 || err != nil {
				t.Errorf("%d wait, %v", n, err)
			}
			s.failing("", false)
			s.clock = s.clock.Add(time.Hour)
			s.sync()
			s.equal()
			if s.has("labeled") {
				t.Error("the label is there")
			}
		})
	}
}

// An article that is labeled at the server comes, however old it is and though it was read long ago.
func TestLabeledArticleComes(t *testing.T) {
	labelScenes(t, func(s *scene) {
		s.post(modelAddress(1))
		i := s.items[len(s.items)-1]
		i.Read, i.arrived, i.changed, i.Published = true, noon.Add(-time.Hour), noon.Add(-time.Hour), noon.AddDate(-3, 0, 0)
		s.setLabel([]string{i.ID}, "Work", true)
		if r := s.sync(); r.New != 1 || !slices.Equal(s.labels(), []string{"Work"}) {
			t.Errorf("%+v, labels %q", r, s.labels())
		}
		s.equal()
	})
}

// What was labeled elsewhere comes with each synchronization, as marks do, unless there are many labels.
func TestLabelsComeWithMarks(t *testing.T) {
	labelScenes(t, func(s *scene) {
		byItself := func() bool {
			s.clock, s.requests = s.clock.Add(10*time.Minute), nil
			if _, err := s.d.engine.Sync(t.Context(), s.d.account, false); err != nil {
				t.Fatal(err)
			}
			return slices.Contains(s.requests, "labels")
		}
		s.setLabel([]string{s.items[0].ID}, "Later", true)
		if !byItself() || !slices.Equal(s.labels(), []string{"Later"}) {
			t.Errorf("by %v: labels %q", s.requests, s.labels())
		}
		for i := range fewLabels + 1 {
			s.setLabel([]string{s.items[0].ID}, fmt.Sprint("Label ", i), true)
		}
		byItself()
		if byItself() {
			t.Error("many labels are read each time")
		}
	})
}

// Without its list no label is taken off.
func TestLabelsFail(t *testing.T) {
	labelScenes(t, func(s *scene) {
		s.label(0, "Later", true)
		s.sync()
		for _, method := range []string{"labels", "labeled"} {
			s.failing(method, false)
			if _, err := s.try(); err == nil {
				t.Errorf("%s: no failure", method)
			}
			s.failing("", false)
			s.clock = s.clock.Add(time.Hour)
		}
		if !slices.Equal(s.labels(), []string{"Later"}) || !s.has("labeled Later") {
			t.Errorf("labels %q", s.labels())
		}
	})
}
