package bench

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"tengen/engine"
	"tengen/engine/game"
)

var update = flag.Bool("update", false, "write the signature of this build")

const signatureFile = "testdata/signature.txt"

// A change of play shows as a change of the signature, which its commit must explain.
func TestSignature(t *testing.T) {
	var b strings.Builder
	for r := game.Freestyle; r <= game.CaroSix; r++ {
		ps, err := Positions(r)
		if err != nil {
			t.Fatal(err)
		}
		if len(ps) == 0 {
			t.Fatalf("no positions of %v", r)
		}
		sum, err := Run(context.Background(), ps, engine.Options{Memory: 100 << 20}, SignatureLimits(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %d\n", r, sum.Nodes)
	}
	if *update {
		if err := os.WriteFile(signatureFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(signatureFile)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("signature:\n%swant:\n%s", b.String(), want)
	}
}
