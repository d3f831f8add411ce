package protocol

import (
	"errors"
	"os"
	"path/filepath"

	"tengen/engine"
	"tengen/engine/game"
)

// UseBook takes another opening book: a file, "on" for those that come with the program,
// "off" for none. A file that is not in the present folder is looked for beside the
// program, since managers choose the folder. On error there is no book.
func (s *Session) UseBook(name string) error {
	if s.maker.Book == nil {
		return errors.New("there is no book here")
	}
	return s.maker.Book.Use(placed(name))
}

// UseNet makes the engines of a line game play with the network in a file, "on" for those
// that come with the program, which all other games go on with, "off" for none. The file is
// looked for as a book is; it returns the name of its game. On error all stays as it is.
func (s *Session) UseNet(name string) (of string, err error) {
	switch name {
	case "on":
		name = ""
	case game.NoNet:
	default:
		name = placed(name)
		if of, err = engine.CheckNet(name); err != nil {
			return "", err
		}
	}
	s.opts.Net = name
	return of, nil
}

// placed returns a file's name in the present folder or, where it is not there but beside
// the program, there.
func placed(name string) string {
	if exists(name) || filepath.IsAbs(name) {
		return name
	}
	if exe, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(exe), name); exists(beside) {
			return beside
		}
	}
	return name
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, os.ErrNotExist)
}

// SeedBook says what decides between moves and openings of a book that are about as good.
func (s *Session) SeedBook(seed uint64) { s.maker.Book.Seed(seed) }

// booked reports whether a book may answer in place of a search. Who asks for several
// lines, for other moves than some, or for a search without end, wants to see a search.
func booked(lim game.Limits) bool {
	return lim.MultiPV <= 1 && len(lim.Avoid) == 0 && (lim.Hard > 0 || lim.Nodes > 0 || lim.Depth > 0 || lim.Instant)
}

// bookTrouble says what is wrong with a book.
func bookTrouble(err error) string {
	if err == nil {
		return ""
	}
	return "the book is not used: " + err.Error()
}
