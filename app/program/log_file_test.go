package program

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What a server has net/http log without end does not fill the disk; what was logged before stands in the old log.
func TestLogIsBounded(t *testing.T) {
	dir := t.TempDir()
	logger, closeLog := openLog(dir)
	defer closeLog()
	logger.Info("before")
	line := string(bytes.Repeat([]byte("Transport: unhandled response frame "), 1000))
	for range maxLogSize / len(line) * 2 {
		logger.Info(line)
	}
	logger.Info("after")
	total := int64(0)
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range all {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if err != nil || len(all) != 2 || total > 2*maxLogSize {
		t.Errorf("%v, %d bytes, %v", all, total, err)
	}
	if last, err := os.ReadFile(filepath.Join(dir, "kairos.log")); err != nil || !bytes.Contains(last, []byte("after")) {
		t.Errorf("the last line is missing: %v", err)
	}
}
