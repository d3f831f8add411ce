package gtp

import (
	"path/filepath"
	"strings"
	"testing"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/book"
)

// tengen-book takes a file, whose moves are then played in place of the engine's, and
// refuses what is no book. Go has no such command.
func TestBookCommand(t *testing.T) {
	name := filepath.Join(t.TempDir(), "own.book")
	v := variant(t, "standard 15")
	g, err := engine.Referee(v)
	if err != nil {
		t.Fatal(err)
	}
	var d book.Draft
	if err := d.Put(g, &book.Entry{Nodes: 1 << 20, Value: 5, Moves: []book.Move{{Point: game.At(7, 3), Value: 5}}}); err != nil {
		t.Fatal(err)
	}
	if err := d.Save(name); err != nil {
		t.Fatal(err)
	}
	c := converse(t, &player{}, ServeOptions{Variant: v})
	ask := func(s string) string { c.send(s + "\n"); return strings.TrimSpace(c.response()) }
	if s := ask("tengen-book " + name); s != "=" {
		t.Error(s)
	}
	switch s := ask("genmove b"); s { // the board's four sides are one
	case "= H12", "= H4", "= D8", "= M8":
	default:
		t.Error(s)
	}
	for _, s := range []string{"clear_board", "tengen-book off"} {
		if got := ask(s); got != "=" {
			t.Error(s, got)
		}
	}
	if s := ask("genmove b"); s != "= H8" {
		t.Error(s)
	}
	for s, want := range map[string]string{"tengen-book": "? a file, on or off", "tengen-book none.book": "? open none.book: no such file or directory"} {
		if got := ask(s); got != want {
			t.Errorf("%s: %q", s, got)
		}
	}
	c.send("quit\n")
	c.response()
	c.ends()

	c = converse(t, &player{}, ServeOptions{Variant: variant(t, "go 9")})
	if s := ask("known_command tengen-book"); s != "= false" {
		t.Error(s)
	}
	c.send("quit\n")
	c.response()
	c.ends()
}
