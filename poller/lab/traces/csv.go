package traces

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// readCSV reads a CSV file, gzipped or not, and calls each with the wanted columns of every
// row. The header must name the wanted columns, and may name the optional ones.
func readCSV(file string, wanted, optional []string, each func(line int, row []string) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := decompress(f)
	if err != nil {
		return readError(file, 1, err)
	}
	c := csv.NewReader(in)
	c.ReuseRecord, c.TrimLeadingSpace = true, true
	at, err := findColumns(c, wanted, optional)
	if err != nil {
		return readError(file, 1, err)
	}
	row, line := make([]string, len(wanted)), 1
	for {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return readError(file, line+1, err)
		}
		line, _ = c.FieldPos(0)
		for i, k := range at {
			if row[i] = record[k]; row[i] == "" {
				return fmt.Errorf("%s:%d: the %s is empty", file, line, wanted[i])
			}
		}
		if err := each(line, row); err != nil {
			return fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
}

// readError adds the place at which reading failed, and words the causes that people meet.
func readError(file string, line int, err error) error {
	var path *os.PathError
	var bad *csv.ParseError
	var corrupt flate.CorruptInputError
	switch {
	case errors.As(err, &path):
		return err
	case errors.As(err, &bad):
		line, err = bad.StartLine, bad.Err
		if errors.Is(err, csv.ErrFieldCount) {
			err = errors.New("the row has more or fewer fields than the header")
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the compressed file ends too early")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		err = errors.New("the compressed file is damaged")
	}
	return fmt.Errorf("%s:%d: %w", file, line, err)
}

// findColumns returns the positions of the wanted columns in the header.
func findColumns(c *csv.Reader, wanted, optional []string) ([]int, error) {
	header, err := c.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the file is empty; it needs the header %s", strings.Join(wanted, ","))
	}
	if err != nil {
		return nil, err
	}
	at := make([]int, len(wanted))
	for i, name := range wanted {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			return nil, fmt.Errorf("column %s is missing; the header is %q", name, strings.Join(header, ","))
		}
	}
	for i, name := range header {
		switch {
		case !slices.Contains(wanted, name) && !slices.Contains(optional, name):
			return nil, fmt.Errorf("unknown column %q", name)
		case slices.Contains(header[:i], name):
			return nil, fmt.Errorf("column %s occurs twice", name)
		}
	}
	return at, nil
}

// decompress returns the text of a file, gzipped or not, without the byte order mark that
// spreadsheets write.
func decompress(f io.Reader) (io.Reader, error) {
	b := bufio.NewReader(f)
	if magic, err := b.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		b = bufio.NewReader(z)
	}
	if mark, err := b.Peek(3); err == nil && string(mark) == "\ufeff" {
		b.Discard(3) //nolint:errcheck // Peek has read it
	}
	return b, nil
}
