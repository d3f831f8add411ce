package protocol

import (
	"errors"
	"os"
	"path/filepath"

	"tengen/engine/game"
)

// UseBook takes another opening book: a file, "on" for those that come with the program,
// "off" for none. A file that is not in the present folder is looked for beside the
// program, since managers choose the folder. On error there is no book.
func (s *Session) UseBook(name string) error {
	if s.maker.Book == nil {
		return errors.New("there is no book here")
	}
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) && !filepath.IsAbs(name) {
		if exe, err := os.Executable(); err == nil {
			if beside := filepath.Join(filepath.Dir(exe), name); exists(beside) {
				name = beside
			}
		}
	}
	return s.maker.Book.Use(name)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
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
