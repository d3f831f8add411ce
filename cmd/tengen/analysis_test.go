package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

const tiny = "../../eval/judge/testdata/tiny.bin.gz"

func TestAnalysis(t *testing.T) {
	net, err := filepath.Abs(tiny)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:   filepath.Join("testdata", "analysis"),
		Setup: func(e *testscript.Env) error { e.Setenv("TINY", net); return nil },
	})
}

// The numbers are those of kata-analyze, with a network and without.
func TestAnalysisAgrees(t *testing.T) {
	for _, net := range []string{"", "-net " + tiny} {
		for _, black := range []bool{true, false} {
			moves, play, side := `["B","C3"],["W","D4"]`, "play b c3\nplay w d4\n", "b"
			if !black {
				moves, play, side = moves+`,["B","B4"]`, play+"play b b4\n", "w"
			}
			// The komi is such that no playout is cut short where a move is to be played.
			query := fmt.Sprintf(`{"id":"a","moves":[%s],"rules":"chinese","komi":20,"boardXSize":5,"boardYSize":5,"maxVisits":300,"includeOwnership":true,"includeMovesOwnership":true,"includePVVisits":true,"overrideSettings":{"reportAnalysisWinratesAs":"SIDETOMOVE"}}`, moves)
			var out, errs bytes.Buffer
			if code := analyze(strings.Fields("-threads 1 "+net), strings.NewReader(query), &out, &errs); code != 0 {
				t.Fatalf("exit %d, %s", code, errs.String())
			}
			var a struct {
				Moves []map[string]any `json:"moveInfos"`
				Root  map[string]any   `json:"rootInfo"`
				Owner any              `json:"ownership"`
			}
			if err := json.Unmarshal(out.Bytes(), &a); err != nil {
				t.Fatal(err)
			}
			out.Reset()
			speakGTP(strings.Fields("-size 5 -rules chinese -nodes 300 "+net), strings.NewReader("komi 20\n"+play+"kata-genmove_analyze "+side+" 100000 maxmoves 50 ownership true movesOwnership true pvVisits true rootInfo true\n"), &out, &errs)
			_, line, ok := strings.Cut(out.String(), "=\ninfo ")
			line, _, _ = strings.Cut(line, "\n")
			if !ok {
				t.Fatalf("%s", out.String())
			}
			line, rest, _ := strings.Cut(line, " rootInfo ")
			root, owners, _ := strings.Cut(rest, " ownership ")
			infos := strings.Split(line, " info ")
			if len(infos) != len(a.Moves) || len(infos) < 3 {
				t.Fatalf("%d moves, and %d by GTP", len(a.Moves), len(infos))
			}
			for k, info := range infos {
				head, tail, _ := strings.Cut(info, " pv ")
				pv, tail, _ := strings.Cut(tail, " pvVisits ")
				visits, own, _ := strings.Cut(tail, " movesOwnership ")
				same(t, a.Moves[k], head)
				if got := fmt.Sprint(a.Moves[k]["pv"]); got != "["+pv+"]" {
					t.Errorf("move %d: %s and %s", k, got, pv)
				}
				if got := fmt.Sprint(a.Moves[k]["pvVisits"]); got != "["+visits+"]" {
					t.Errorf("move %d: visits %s and %s", k, got, visits)
				}
				sameOwners(t, a.Moves[k]["ownership"], own)
			}
			same(t, a.Root, root)
			sameOwners(t, a.Owner, owners)
		}
	}
}

// same compares the values of a move or the root with GTP's words for them.
func same(t *testing.T, info map[string]any, words string) {
	t.Helper()
	f := strings.Fields(words)
	for i := 0; i+1 < len(f); i += 2 {
		got, is := info[f[i]].(float64)
		want, err := strconv.ParseFloat(f[i+1], 64)
		if is != (err == nil) || is && math.Abs(got-want) > 1e-4 || !is && info[f[i]] != f[i+1] {
			t.Errorf("%s is %v, and %s by GTP", f[i], info[f[i]], f[i+1])
		}
	}
	if len(f) < 14 {
		t.Errorf("only %q by GTP", words)
	}
}

// sameOwners compares lists of whose the points are.
func sameOwners(t *testing.T, list any, words string) {
	t.Helper()
	own, _ := list.([]any)
	f := strings.Fields(words)
	if len(own) != 25 || len(f) != 25 {
		t.Errorf("ownership of %d and %d points", len(own), len(f))
		return
	}
	for i := range f {
		if x, err := strconv.ParseFloat(f[i], 64); err != nil || math.Abs(x-own[i].(float64)) > 1e-3 {
			t.Errorf("ownership of point %d: %v and %s", i, own[i], f[i])
		}
	}
}
