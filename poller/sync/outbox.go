package sync

import (
	"context"
	"database/sql"
	"slices"

	"kairos/reader"
)

// sendBatch is how many marks are in doubt at a time. Services split it further where their server wants that.
const sendBatch = 500

// send sends the marks that wait. While a request is under way it is not known what the server has, and stays so if there is
// no answer: the mark is then sent again, even if it was taken back meanwhile.
func (r *run) send(ctx context.Context) error {
	marks, err := reader.Outbox(ctx, r.store.Read(), r.account.ID)
	if err != nil {
		return err
	}
	for _, one := range []struct {
		flag reader.Flag
		on   bool
		set  func(context.Context, []string, bool) error
	}{
		{reader.FlagStarred, true, r.service.SetStarred}, {reader.FlagStarred, false, r.service.SetStarred},
		{reader.FlagRead, true, r.service.SetRead}, {reader.FlagRead, false, r.service.SetRead},
	} {
		of := slices.DeleteFunc(slices.Clone(marks), func(m reader.OutboxMark) bool { return m.Flag != one.flag || m.On != one.on })
		for batch := range slices.Chunk(of, sendBatch) {
			if err := r.sendMarks(ctx, batch, one.on, one.set); err != nil {
				return err
			}
		}
	}
	return nil
}

// sendMarks sends marks of one kind.
func (r *run) sendMarks(ctx context.Context, marks []reader.OutboxMark, on bool, set func(context.Context, []string, bool) error) error {
	var begun []reader.OutboxMark
	err := r.write(ctx, r.state, func(tx *sql.Tx) (err error) {
		begun, err = reader.BeginSending(ctx, tx, r.account.ID, marks)
		return err
	})
	if err != nil || len(begun) == 0 {
		return err
	}
	keys := make([]string, len(begun))
	for i, m := range begun {
		keys[i] = m.Key
	}
	if err := set(ctx, keys, on); err != nil {
		return err
	}
	r.result.Sent += len(begun)
	return r.write(ctx, r.state, func(tx *sql.Tx) error { return reader.MarksSent(ctx, tx, r.account.ID, begun) })
}
