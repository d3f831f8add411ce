// Package database keeps matches in an SQLite file, for those who want to query games and
// moves. One file holds as many matches as are written to it; each is written whole, from
// its journal, in one transaction, so that to write it again changes nothing.
//
// The tables: settings has a row for each match, engines one for each of its engines, games
// one for each game, moves one for each move. Engines, games, rounds, pairs, openings and
// moves count from 1, as in everything else that a match writes. What is not known is NULL.
package database

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"tengen/bench/tournament"
	"tengen/engine/game"
)

// version is that of the tables, kept as the file's user_version.
const version = 1

const schema = `
CREATE TABLE settings (
	match       INTEGER PRIMARY KEY,
	fingerprint TEXT NOT NULL, -- of the settings; with the time of its beginning it tells a match from others
	began       TEXT NOT NULL,
	event       TEXT,
	game        TEXT NOT NULL,
	size        INTEGER NOT NULL,
	config      TEXT NOT NULL, -- all settings, as JSON
	UNIQUE (fingerprint, began)
);
CREATE TABLE engines (
	match     INTEGER NOT NULL REFERENCES settings,
	engine    INTEGER NOT NULL,
	name      TEXT NOT NULL,
	proto     TEXT NOT NULL,
	command   TEXT,
	tc        TEXT,
	st        REAL,    -- seconds a move
	max_nodes INTEGER, -- a move
	max_depth INTEGER,
	threads   INTEGER,
	memory    INTEGER, -- bytes it may have
	options   TEXT,    -- as JSON
	PRIMARY KEY (match, engine)
) WITHOUT ROWID;
CREATE TABLE games (
	match        INTEGER NOT NULL REFERENCES settings,
	game         INTEGER NOT NULL,
	round        INTEGER NOT NULL,
	pair         INTEGER NOT NULL,
	opening      INTEGER NOT NULL,
	symmetry     INTEGER NOT NULL, -- 0 to 7
	black        INTEGER NOT NULL, -- engines
	white        INTEGER NOT NULL,
	outcome      TEXT NOT NULL,    -- 1-0 0-1 1/2 *
	points       REAL,             -- of Black: 1, 0.5, 0
	end          TEXT NOT NULL,    -- five captures forbidden illegal timeout crash resign adjudicated draw count void
	detail       TEXT,
	setup        TEXT,             -- placed stones
	given        INTEGER NOT NULL, -- moves of the opening
	plies        INTEGER NOT NULL, -- all moves
	late_black   INTEGER NOT NULL, -- moves beyond the limit but within the tolerance
	late_white   INTEGER NOT NULL,
	memory_black INTEGER,          -- bytes
	memory_white INTEGER,
	cpu_black    REAL,             -- seconds
	cpu_white    REAL,
	began        TEXT NOT NULL,
	seconds      REAL NOT NULL,
	stderr       TEXT,             -- the last words of an engine that failed
	PRIMARY KEY (match, game)
) WITHOUT ROWID;
CREATE TABLE moves (
	match  INTEGER NOT NULL,
	game   INTEGER NOT NULL,
	ply    INTEGER NOT NULL,
	engine INTEGER, -- who played it; NULL for a move of the opening
	color  TEXT NOT NULL,
	point  TEXT NOT NULL,    -- H8, or pass
	x      INTEGER,          -- from the left, from 0
	y      INTEGER,          -- from the top
	millis INTEGER,          -- measured
	own    INTEGER,          -- milliseconds as the engine told them
	value  INTEGER,          -- told, for the mover; beyond +-28999 a win or a loss is proven
	depth  INTEGER,
	nodes  INTEGER,
	PRIMARY KEY (match, game, ply),
	FOREIGN KEY (match, game) REFERENCES games
) WITHOUT ROWID;
CREATE INDEX games_black ON games (match, black);
CREATE INDEX games_white ON games (match, white);
`

// Write puts a match into the database of a file, which is made if it is not there. What
// the file has of this match is replaced, what it has of others stays.
func Write(file string, p *tournament.Played) error {
	if err := write(file, p); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func write(file string, p *tournament.Played) error {
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	// As a URL a name may have any character. Others may be writing to the file.
	at := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/"),
		RawQuery: "_txlock=immediate&_pragma=busy_timeout(60000)"}
	db, err := sql.Open("sqlite", at.String())
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := prepare(tx); err != nil {
		return err
	}
	if err := fill(tx, p); err != nil {
		return err
	}
	return tx.Commit()
}

// prepare makes the tables, or finds them made.
func prepare(tx *sql.Tx) error {
	var v, tables int
	if err := tx.QueryRow("PRAGMA user_version").Scan(&v); err != nil {
		return err
	}
	if v == version {
		return nil
	}
	if err := tx.QueryRow("SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
		return err
	}
	if v != 0 || tables > 0 {
		return fmt.Errorf("the database is not one of matches, version %d", version)
	}
	_, err := tx.Exec(schema + fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}

// orNull returns v, or NULL where it says nothing.
func orNull[T comparable](v, nothing T) any {
	if v == nothing {
		return nil
	}
	return v
}

func fill(tx *sql.Tx, p *tournament.Played) error {
	c := &p.Conf
	config, err := json.Marshal(c)
	if err != nil {
		return err
	}
	var match int64
	err = tx.QueryRow(`INSERT INTO settings (fingerprint, began, event, game, size, config) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET event = excluded.event, config = excluded.config RETURNING match`,
		p.Fingerprint, stamp(p.Began), orNull(c.Event, ""), c.Game, c.BoardSize, string(config)).Scan(&match)
	if err != nil {
		return err
	}
	for _, table := range []string{"moves", "games", "engines"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE match = ?", match); err != nil {
			return err
		}
	}
	for i := range min(len(p.Names), len(c.Engines)) {
		e := &c.Engines[i]
		var options any
		if len(e.Option) > 0 {
			b, err := json.Marshal(e.Option)
			if err != nil {
				return err
			}
			options = string(b)
		}
		_, err := tx.Exec("INSERT INTO engines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			match, i+1, p.Names[i], e.Proto, orNull(e.Command, ""), orNull(e.TC, ""), orNull(e.ST, 0), orNull(e.Nodes, 0),
			orNull(e.Depth, 0), orNull(e.Thread, 0), orNull(e.MaxMemory, 0), options)
		if err != nil {
			return err
		}
	}
	games, err := tx.Prepare("INSERT INTO games VALUES (" + strings.Repeat("?, ", 23) + "?)")
	if err != nil {
		return err
	}
	defer games.Close()
	moves, err := tx.Prepare("INSERT INTO moves VALUES (" + strings.Repeat("?, ", 12) + "?)")
	if err != nil {
		return err
	}
	defer moves.Close()
	for i := range p.Games {
		g := &p.Games[i]
		if err := addGame(games, moves, match, g, c.Variant()); err != nil {
			return fmt.Errorf("game %d: %w", g.ID+1, err)
		}
	}
	return nil
}

// stamp writes a time as SQLite's functions read it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000") }

func addGame(games, moves *sql.Stmt, match int64, g *tournament.Game, v game.Variant) error {
	rec, err := g.Record(v)
	if err != nil {
		return err
	}
	var points any
	if black, _, ok := g.Points(); ok {
		points = float64(black) / 2
	}
	_, err = games.Exec(match, g.ID+1, g.Round+1, g.Pair+1, g.Slot.Opening+1, g.Symmetry, g.Black+1, g.White+1,
		g.Outcome, points, string(g.End), orNull(g.Detail, ""), orNull(g.Setup, ""), g.Given, len(rec.Moves),
		g.Late[0], g.Late[1], orNull(g.Memory[0], 0), orNull(g.Memory[1], 0), orNull(g.CPU[0], 0), orNull(g.CPU[1], 0),
		stamp(g.Began), g.Took, orNull(g.Stderr, ""))
	if err != nil {
		return err
	}
	names := strings.Fields(g.Moves)
	for ply, m := range rec.Moves {
		var engine, x, y, millis, own, value, depth, nodes any
		if m.Point != game.Pass {
			x, y = m.Point.X(), m.Point.Y()
		}
		if k := ply - g.Given; k >= 0 {
			engine = []int{g.Black, g.White}[m.Color] + 1
			millis, own, value = at(g.Millis, k, -1), at(g.Own, k, -1), at(g.Values, k, tournament.NoValue)
			depth, nodes = at(g.Depths, k, 0), at(g.Nodes, k, 0)
		}
		_, err := moves.Exec(match, g.ID+1, ply+1, engine, strings.ToLower(m.Color.String()), names[ply], x, y,
			millis, own, value, depth, nodes)
		if err != nil {
			return err
		}
	}
	return nil
}

// at returns what a list says of a move, or NULL.
func at[T comparable](list []T, k int, nothing T) any {
	if k >= len(list) {
		return nil
	}
	return orNull(list[k], nothing)
}
