// Package train learns the tables of package eval from games the engine played with
// itself.
//
// A position's evaluation is a sum of table entries, so learning it is logistic
// regression: the sum, squashed, should come near the blend of the game's result and of
// what the search thought (Buro's GLEM, 1998; Texel's tuning method, 2014).
package train

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"

	"tengen/engine/game"
)

// Game is one game of self-play.
type Game struct {
	Rule    string `json:"rule"`
	Size    int    `json:"size"`
	Seed    uint64 `json:"seed,omitempty"`   // what the opening was drawn from, with Number
	Number  int    `json:"number,omitempty"` // from 1
	Opening int    `json:"opening"`          // moves that were set, not played
	Moves   []int  `json:"moves"`            // points as y*32+x, Black first
	Values  []int  `json:"values"`           // what the search thought before each played move, for the side to move
	Winner  int    `json:"winner"`           // 1 Black, -1 White, 0 draw
	Leaves  []Leaf `json:"leaves,omitempty"` // by After
}

// Leaf is a position that the search of a game's move evaluated. Such positions, one-sided
// attacks and neglected threats among them, are not like those of games, and it is them
// that an evaluation has to judge.
type Leaf struct {
	After int   `json:"after"` // moves of the game before it
	Moves []int `json:"moves"` // and those of the search
	Value int   `json:"value"` // what a search of its own thought, for the side to move
}

// Writer appends games to a file, each batch a zstd frame of its own, so that a broken-off
// run loses at most the last batch.
type Writer struct {
	f   *os.File
	enc *zstd.Encoder
	buf []byte
	n   int
}

const batch = 64

// Resume opens a file of games for appending and calls f for each that is there. What a
// broken-off writing left behind the last whole batch is removed.
func Resume(name string, f func(*Game) error) (*Writer, error) {
	err := Read(name, f)
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return Append(name)
	case !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	}
	os.Remove(name + ".new")
	w, err := Append(name + ".new")
	if err != nil {
		return nil, err
	}
	if err = Read(name, w.Write); errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // where it was broken off
	}
	if e := w.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	if err != nil {
		return nil, err
	}
	return Append(name)
}

// Append opens a file of games for appending.
func Append(name string) (*Writer, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Writer{f: f, enc: enc}, nil
}

// Write adds a game.
func (w *Writer) Write(g *Game) error {
	line, err := json.Marshal(g)
	if err != nil {
		return err
	}
	w.buf = append(append(w.buf, line...), '\n')
	if w.n++; w.n == batch {
		return w.Flush()
	}
	return nil
}

// Flush writes what has gathered.
func (w *Writer) Flush() error {
	if w.n == 0 {
		return nil
	}
	_, err := w.f.Write(w.enc.EncodeAll(w.buf, nil))
	w.buf, w.n = w.buf[:0], 0
	return err
}

// Close flushes and closes the file.
func (w *Writer) Close() error {
	err := w.Flush()
	if e := w.f.Close(); err == nil {
		err = e
	}
	return err
}

// Read calls f for every game of a file, in order, until f returns an error.
func Read(name string, f func(*Game) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	dec, err := zstd.NewReader(file)
	if err != nil {
		return err
	}
	defer dec.Close()
	r := bufio.NewReader(dec)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: game %d: %w", name, n, err)
		}
		var g Game
		if err := json.Unmarshal(line, &g); err != nil {
			return fmt.Errorf("%s: game %d: %w", name, n, err)
		}
		if len(g.Moves) != g.Opening+len(g.Values) {
			return fmt.Errorf("%s: game %d: %d moves, %d values", name, n, len(g.Moves), len(g.Values))
		}
		if err := g.points(g.Moves); err != nil {
			return fmt.Errorf("%s: game %d: %w", name, n, err)
		}
		before := g.Opening
		for _, l := range g.Leaves {
			if l.After < before || l.After > len(g.Moves) {
				return fmt.Errorf("%s: game %d: a leaf after %d moves", name, n, l.After)
			}
			before = l.After
			if err := g.points(l.Moves); err != nil {
				return fmt.Errorf("%s: game %d: a leaf: %w", name, n, err)
			}
		}
		if err := f(&g); err != nil {
			return err
		}
	}
}

// points returns an error if one of them is not on the board.
func (g *Game) points(qs []int) error {
	for _, q := range qs {
		if q < 0 || q >= game.NumPoints || !game.Point(q).On(g.Size) {
			return fmt.Errorf("no such point %d", q)
		}
	}
	return nil
}
