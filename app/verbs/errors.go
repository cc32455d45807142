package verbs

import (
	"context"
	"errors"
	"fmt"

	"kairos/app/owner"
	"kairos/app/text"
	"kairos/reader"
)

// exit prints an error and returns the exit code.
func (e *env) exit(err error) int {
	var code *codeError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &code):
		if code.err != nil {
			fmt.Fprintln(e.err, "kairos:", code.err)
		}
		return code.code
	case errors.Is(err, context.Canceled):
		if e.home != nil {
			fmt.Fprintln(e.err, "kairos:", owner.ErrOwnerEnded)
		}
		return exitSome
	case errors.Is(err, owner.ErrOwnerEnded):
		fmt.Fprintln(e.err, "kairos:", err)
		return exitSome
	case isTemporary(err):
		fmt.Fprintln(e.err, "kairos:", e.errorText(err))
		return exitSome
	}
	fmt.Fprintln(e.err, "kairos:", e.errorText(err))
	return exitUsage
}

// isTemporary reports whether a verb failed because of the disk or another program, not because of
// its arguments or the folder.
func isTemporary(err error) bool {
	switch fault := reader.FileError(err); fault {
	case reader.ErrLocked, reader.ErrFull, reader.ErrDisk, reader.ErrNoLocks:
		return true
	default:
		return fault != nil && !errors.As(err, &folderError{}) // the error occurred after opening
	}
}

// errorText describes an error, with the name of the data folder.
func (e *env) errorText(err error) string {
	if fault := reader.FileError(err); fault != nil {
		if foreign := owner.Foreign(e.dir); fault == reader.ErrReadOnly && foreign != nil {
			return foreign.Error()
		}
		return text.English().FolderError(e.dir, fault)
	}
	if words, ok := text.English().Fact(err); ok {
		return words
	}
	return err.Error()
}

// errorText describes an error as a sentence.
func errorText(err error) string {
	if words, ok := text.English().Fact(err); ok {
		return words
	}
	return text.Technical(err)
}

// codeError is an exit code; if it has no error, that has been printed already.
type codeError struct {
	code int
	err  error
}

func (c *codeError) Error() string {
	if c.err == nil {
		return fmt.Sprintf("exit %d", c.code)
	}
	return c.err.Error()
}

func (c *codeError) Unwrap() error { return c.err }

// someFailed ends a verb whose failed parts have been printed.
var someFailed = &codeError{code: exitSome}

// folderError is an error of opening the data folder, with its words.
type folderError struct {
	text string
	error
}

func (t folderError) Error() string { return t.text }
func (t folderError) Unwrap() error { return t.error }

// cannotOpen wraps an error of opening the data folder.
func (e *env) cannotOpen(err error) error { return folderError{e.errorText(err), err} }

// ended prints further errors at the end of a verb and combines them with its result.
func (e *env) ended(err error, others ...error) error {
	for _, other := range others {
		if other == nil {
			continue
		}
		e.complain("%s", e.errorText(other))
		if err == nil {
			err = someFailed
		}
	}
	return err
}

// unknown says which feed or article does not exist.
func unknown(kind, id string, err error) error {
	if errors.Is(err, reader.ErrUnknown) {
		return fmt.Errorf("there is no %s %s", kind, id)
	}
	return err
}
