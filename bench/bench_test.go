package bench

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"tengen/engine/game"
)

var update = flag.Bool("update", false, "write the signature of this build")

// signature searches the positions of games as `tengen bench` does.
func signature(t *testing.T, games ...game.Rule) map[string]int64 {
	t.Helper()
	s := Settings{Games: games}
	if err := s.setDefaults(); err != nil {
		t.Fatal(err)
	}
	sum := map[string]int64{}
	for _, g := range games {
		ps, err := Positions(g)
		if err != nil {
			t.Fatal(err)
		}
		_, _, n, err := s.searchGame(context.Background(), g, ps, false)
		if err != nil {
			t.Fatal(err)
		}
		sum[g.String()] = n
	}
	return sum
}

func checkSignature(t *testing.T, name string, games ...game.Rule) {
	t.Helper()
	var b strings.Builder
	sum := signature(t, games...)
	for _, g := range games {
		fmt.Fprintf(&b, "%s %d\n", g, sum[g.String()])
	}
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("signature:\n%swant:\n%s", b.String(), want)
	}
}

// A change of play shows as a change of the signature, which its commit must explain.
func TestSignature(t *testing.T) {
	checkSignature(t, "testdata/signature.txt", game.Freestyle, game.Standard, game.Renju,
		game.Caro, game.CaroSix, game.Omok, game.Pente, game.Keryo)
}

// Go's is kept apart: its player changes for reasons of its own.
func TestSignatureGo(t *testing.T) {
	checkSignature(t, "testdata/signature-go.txt", game.Weiqi)
}
