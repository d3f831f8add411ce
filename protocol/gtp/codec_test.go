package gtp

import (
	"errors"
	"testing"

	"tengen/engine/game"
)

func TestVertex(t *testing.T) {
	for _, c := range []struct {
		text string
		size int
		q    game.Point
	}{
		{"A1", 19, game.At(0, 18)}, {"H8", 15, game.At(7, 7)}, {"J8", 15, game.At(8, 7)},
		{"T19", 19, game.At(18, 0)}, {"Z25", 25, game.At(24, 0)}, {"O15", 15, game.At(13, 0)}, {"P15", 15, game.At(14, 0)}, {"pass", 9, game.Pass},
	} {
		if got := Vertex(c.q, c.size); got != c.text {
			t.Errorf("%v is written %s, not %s", c.q, got, c.text)
		}
		if q, err := ParseVertex(c.text, c.size); err != nil || q != c.q {
			t.Errorf("%s is read as %v, %v", c.text, q, err)
		}
	}
	for _, s := range []string{"", "a", "i5", "I5", "k5", "j10", "a0", "a-1", "a+1", "a1 ", "aa", "1a", "resign", "é5", "a99999999999999999999"} {
		if q, err := ParseVertex(s, 9); err == nil {
			t.Errorf("%q is read as %s", s, Vertex(q, 9))
		}
	}
}

func TestResponse(t *testing.T) {
	for _, c := range []struct {
		id, text string
		err      error
		want     string
	}{
		{"", "", nil, "= \n\n"},
		{"12", "", nil, "=12 \n\n"},
		{"", "D4", nil, "= D4\n\n"},
		{"3", "x", errors.New("illegal move"), "?3 illegal move\n\n"},
		{"", "a\n\n\n \nb\n\n", nil, "= a\nb\n\n"},
		{"", "\n  A B\n 1", nil, "= \n  A B\n 1\n\n"},
		{"", "a\r\nb\x07\tc", nil, "= a\nb c\n\n"},
	} {
		if got := response(c.id, c.text, c.err); got != c.want {
			t.Errorf("%q is written %q, not %q", c.text, got, c.want)
		}
	}
}
