package reader

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kairos/reader/sqlitefile"
)

// applicationID tells a database of Kairos from those of other programs, in the header of the file (sqlite.org/fileformat2.html,
// 1.3.14): "Kair". Version 0.1.0 did not set it.
const (
	applicationID       = 0x4b616972
	applicationIDOffset = 68
)

// CheckFile returns ErrForeign if something else than a database of Kairos stands in its place in dir, such as a link or a pipe
// that somebody put there, or the database of another program. It writes nothing.
func CheckFile(dir string) error { return checkFile(filepath.Join(dir, FileName)) }

func checkFile(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		info, err := os.Lstat(path + suffix)
		// On Windows a file of OneDrive is irregular.
		if kind := fs.ModeDir | fs.ModeSymlink | fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice; err == nil && info.Mode()&kind != 0 {
			return fmt.Errorf("%w: %s is %s", ErrForeign, path+suffix, info.Mode())
		}
	}
	switch id, err := readApplicationID(path); {
	case err != nil, id == applicationID:
		return nil // without a header it is no database, which opening it tells
	case id != 0:
		return fmt.Errorf("%w: its application is %#x", ErrForeign, id)
	}
	return checkUnmarked(path)
}

func readApplicationID(path string) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var header [applicationIDOffset + 4]byte
	if _, err = f.ReadAt(header[:], 0); err == nil && !bytes.HasPrefix(header[:], []byte(fileMagic)) {
		err = ErrDamaged
	}
	return binary.BigEndian.Uint32(header[applicationIDOffset:]), err
}

// checkUnmarked returns ErrForeign if a database without the mark of an application has tables but not ours.
func checkUnmarked(path string) error {
	db, err := sql.Open("sqlite", sqlitefile.DSN(path, "mode=ro", "immutable=1"))
	if err != nil {
		return nil
	}
	defer db.Close()
	var tables, ours int
	err = db.QueryRow("SELECT count(*), count(*) FILTER (WHERE name IN ('migration', 'feed')) FROM sqlite_schema WHERE type = 'table'").Scan(&tables, &ours)
	if err == nil && tables > 0 && ours == 0 {
		return fmt.Errorf("%w: it has %d tables of another program", ErrForeign, tables)
	}
	return nil // what cannot be read, opening it tells
}
