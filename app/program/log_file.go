package program

import "os"

// maxLogSize is the size in bytes at which a new log is started. One old log is kept.
const maxLogSize = 4 << 20

// logFile is the log. What comes from outside ends in it, too: net/http writes a line for each odd frame of a server. Its logger
// writes one line at a time.
type logFile struct {
	name string
	file *os.File
	size int64
}

func openLogFile(name string) (*logFile, error) {
	l := &logFile{name: name}
	if err := l.open(); err != nil {
		return nil, err
	}
	if l.size > maxLogSize {
		l.restart()
	}
	return l, nil
}

func (l *logFile) open() (err error) {
	if l.file, err = os.OpenFile(l.name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return err
	}
	l.size = 0
	if info, err := l.file.Stat(); err == nil {
		l.size = info.Size()
	}
	return nil
}

// restart keeps the log as the old one and starts another. If it cannot be renamed, it is emptied.
func (l *logFile) restart() {
	l.file.Close()
	if os.Rename(l.name, l.name+".old") != nil {
		os.Truncate(l.name, 0) //nolint:errcheck // a log that is too long does little harm
	}
	l.open() //nolint:errcheck // the next line fails then
}

func (l *logFile) Write(p []byte) (int, error) {
	if l.size+int64(len(p)) > maxLogSize {
		l.restart()
	}
	n, err := l.file.Write(p)
	l.size += int64(n)
	return n, err
}

func (l *logFile) Close() error { return l.file.Close() }
