package piskvork

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/book"
)

// INFO book takes a file, silently, and its moves are answered in place of the engine's; a
// file that is no book is told with the next search, which goes on without.
func TestInfoBook(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	name, bad := filepath.Join(folder, "Own.book"), filepath.Join(folder, "bad.book")
	g, err := engine.Referee(game.Variant{Rule: game.Renju, Size: 15})
	if err != nil {
		t.Fatal(err)
	}
	g.Play(game.At(7, 7))
	var d book.Draft
	if err := d.Put(g, &book.Entry{Nodes: 1 << 20, Moves: []book.Move{{Point: game.At(2, 7)}}}); err != nil {
		t.Fatal(err)
	}
	if err := d.Save(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte("Piskvorky"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := converse(t, &player{}, nil)
	expect := func(want string) {
		t.Helper()
		if s := c.line(); s != want {
			c.fail("answered %q, not %q", s, want)
		}
	}
	move := func() string { // behind its one message
		t.Helper()
		if s := c.line(); !strings.HasPrefix(s, "MESSAGE depth ") {
			c.fail("told %q", s)
		}
		return c.line()
	}
	c.send("START 15\nINFO rule 4\n")
	expect("OK")
	c.send("INFO book " + name + "\nINFO book_seed 3\nBOARD\n7,7,2\nDONE\n")
	switch s := move(); s {
	case "2,7", "12,7", "7,2", "7,12": // in one of its lies
	default:
		c.fail("answered %q", s)
	}
	for _, s := range []string{"INFO rule 1\n", "INFO rule 4\nINFO book off\n", "INFO book " + bad + "\n"} {
		c.send(s + "BOARD\n7,7,2\nDONE\n")
		if strings.Contains(s, bad) {
			expect("MESSAGE play goes on without a book: " + bad + ": this is no book of tengen")
		}
		if s := move(); s != "7,6" {
			c.fail("answered %q, not by the engine", s)
		}
	}
	c.send("END\n")
	c.ends()
}
