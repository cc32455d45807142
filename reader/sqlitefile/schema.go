package sqlitefile

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// PruneSchema leaves out of the list of tables of a damaged file what is lost. The list grows with each version of the program, so that
// a page of it may be anywhere in the file, and without one SQLite reads no table at all.
func PruneSchema(ctx context.Context, damaged string) error {
	db, err := sql.Open("sqlite", DSN(damaged, ReadCutOff, "_pragma=query_only(1)"))
	if err != nil {
		return err
	}
	var n int
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
	if closed := db.Close(); err == nil || ctx.Err() != nil {
		return errors.Join(ctx.Err(), closed)
	}
	file, err := os.OpenFile(damaged, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if root := prunedSchemaRoot(file); root != nil {
		_, err = file.WriteAt(root, 0)
	}
	return err
}

// Of the file format of SQLite (https://www.sqlite.org/fileformat2.html §1.3 and §1.6).
const (
	fileHeader    = 100
	interiorTable = 0x05
	leafTable     = 0x0d
	cellList      = fileHeader + 12 // of an interior first page: where its cells are
)

// prunedSchemaRoot returns the first page of a database, the root of its list of tables, without the pages below it that are lost; nil if
// there is nothing to leave out, or nothing would be left.
func prunedSchemaRoot(file io.ReaderAt) []byte {
	head := make([]byte, fileHeader+8)
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil
	}
	size := int64(binary.BigEndian.Uint16(head[16:]))
	if size == 1 {
		size = 65536
	}
	if size < 512 || head[fileHeader] != interiorTable {
		return nil
	}
	page := make([]byte, size)
	if _, err := file.ReadAt(page, 0); err != nil {
		return nil
	}
	isLeaf := func(number uint32) bool {
		var first [1]byte
		_, err := file.ReadAt(first[:], (int64(number)-1)*size)
		return number > 1 && err == nil && first[0] == leafTable
	}
	cells := int(binary.BigEndian.Uint16(page[fileHeader+3:]))
	if cellList+2*cells > len(page) {
		return nil
	}
	var kept []uint16 // cells whose page is there
	lost := 0
	for i := range cells {
		at := binary.BigEndian.Uint16(page[cellList+2*i:])
		if int(at)+4 > len(page) || !isLeaf(binary.BigEndian.Uint32(page[at:])) {
			lost++
			continue
		}
		kept = append(kept, at)
	}
	if !isLeaf(binary.BigEndian.Uint32(page[fileHeader+8:])) {
		if lost++; len(kept) == 0 {
			return nil
		}
		last := kept[len(kept)-1]
		copy(page[fileHeader+8:fileHeader+12], page[last:]) // the last of the others is the last
		kept = kept[:len(kept)-1]
	}
	if lost == 0 {
		return nil
	}
	for i, at := range kept {
		binary.BigEndian.PutUint16(page[cellList+2*i:], at)
	}
	binary.BigEndian.PutUint16(page[fileHeader+3:], uint16(len(kept)))
	return page
}
