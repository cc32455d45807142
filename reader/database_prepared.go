package reader

import (
	"context"
	"database/sql/driver"
	"fmt"

	"modernc.org/sqlite"
)

// maxPrepared bounds the statements that the writing connection keeps prepared. A fetch and a plan
// take some forty; texts with a list of ids differ each time.
const maxPrepared = 100

// preparingConnector opens connections that keep their statements prepared, by their text:
// transactions run the same ones again and again, and parsing them takes longer than running them.
type preparingConnector struct{ driver.Connector }

// Connect implements driver.Connector.
func (c preparingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	own, ok := conn.(sqliteConn)
	if !ok {
		return nil, fmt.Errorf("%T cannot be kept", conn)
	}
	return &preparingConn{sqliteConn: own, idle: map[string]*keptStatement{}}, nil
}

// sqliteConn is what is used of SQLite's connection. That it can run a text at once is left out, so that
// database/sql prepares all.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	NewRestore(source string) (*sqlite.Backup, error)
}

type preparingConn struct {
	sqliteConn
	idle map[string]*keptStatement // those that nobody uses
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *preparingConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if s, ok := c.idle[query]; ok {
		delete(c.idle, query)
		return s, nil
	}
	stmt, err := c.sqliteConn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	own, ok := stmt.(sqliteStatement)
	if !ok {
		return stmt, nil
	}
	return &keptStatement{sqliteStatement: own, conn: c, query: query}, nil
}

// Close implements driver.Conn.
func (c *preparingConn) Close() error {
	c.forget()
	return c.sqliteConn.Close()
}

func (c *preparingConn) forget() {
	for _, s := range c.idle {
		s.sqliteStatement.Close() //nolint:errcheck // it has run, and reported what it had to
	}
	clear(c.idle)
}

type sqliteStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type keptStatement struct {
	sqliteStatement
	conn  *preparingConn
	query string
}

// Close implements driver.Stmt: the statement stays prepared for whoever asks for the same text next.
func (s *keptStatement) Close() error {
	if len(s.conn.idle) >= maxPrepared {
		s.conn.forget()
	}
	if _, there := s.conn.idle[s.query]; there { // two were in use at once
		return s.sqliteStatement.Close()
	}
	s.conn.idle[s.query] = s
	return nil
}
