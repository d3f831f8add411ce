package report

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tengen/bench/tournament"
	"tengen/bench/tournament/stats"
	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/record"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The journals of testdata are of matches of our own engine. That of field was changed by
// hand afterwards: names that try to break the page, and games that end by faults.
var matches = []string{"duel", "field", "go"}

func played(t *testing.T, name string) *tournament.Played {
	t.Helper()
	p, err := tournament.ReadJournal(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, v *view) string {
	t.Helper()
	var b strings.Builder
	if err := page.Execute(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page of a journal is the same each time. Its style and script stand in files of
// their own and are left out of the golden ones.
func TestGolden(t *testing.T) {
	for _, name := range matches {
		var b strings.Builder
		if err := HTML(&b, played(t, name)); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		for _, part := range []struct{ text, name string }{{style, "page.css"}, {script, "page.js"}, {hash(style), "hash"}, {hash(script), "hash"}} {
			if strings.Count(got, part.text) != 1 {
				t.Fatalf("%s: %s is not in the page once", name, part.name)
			}
			got = strings.Replace(got, part.text, part.name, 1)
		}
		file := filepath.Join("testdata", name, "golden.html")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Names and last words of programs are text, whatever is in them, and the page asks for
// nothing from elsewhere.
func TestEscaping(t *testing.T) {
	p := played(t, "field")
	text := write(t, newView(p, mostGames, mostMoves))
	if n := strings.Count(text, "<script"); n != 2 {
		t.Error(n, "scripts")
	}
	if n := strings.Count(text, "</script"); n != 2 {
		t.Error(n, "ends of scripts")
	}
	for _, bad := range []string{"<b>\"", "ZgotmplZ", "src=", "href=", "@import", "url(", "<cup>"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	_, rest, _ := strings.Cut(text, `id="data">`)
	rest, _, _ = strings.Cut(rest, "</script>")
	var d data
	if err := json.Unmarshal([]byte(rest), &d); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Names, p.Names) {
		t.Error("names:", d.Names)
	}
	said := 0
	for _, g := range d.Games {
		if strings.Contains(g.Stderr, `</script><script>document.title="broken"`) {
			said++
		}
	}
	if said != 1 {
		t.Error("last words in", said, "games")
	}
}

// The stones that the page shows, put and taken by the lists alone, are after every move
// those of the referee.
func TestReplay(t *testing.T) {
	taken := map[string]int{}
	for _, name := range matches {
		p := played(t, name)
		v := newView(p, mostGames, mostMoves)
		variant := p.Conf.Variant()
		for i, r := range v.Data.Games {
			var g *tournament.Game
			for k := range p.Games {
				if p.Games[k].ID+1 == r.ID {
					g = &p.Games[k]
				}
			}
			ref, err := engine.Replay(&game.Record{Variant: variant})
			if err != nil || r.Broken != "" || r.Moves == nil {
				t.Fatal(name, i, err, r.Broken)
			}
			stones := map[string]game.Color{}
			for n, q := range strings.Fields(*r.Moves) {
				if q != "pass" {
					stones[q] = game.Color(n % 2)
				}
				for _, off := range strings.Fields(r.Taken[n+1]) {
					if _, there := stones[off]; !there {
						t.Fatalf("%s game %d move %d: %s was not there", name, r.ID, n+1, off)
					}
					delete(stones, off)
					taken[name]++
				}
				point, err := record.ParseName(strings.Fields(g.Moves)[n], variant)
				if err == nil {
					err = ref.Play(point)
				}
				if err != nil {
					t.Fatal(err)
				}
				for y := range variant.Size {
					for x := range variant.Size {
						at := game.At(x, y)
						c, there := stones[strings.ToLower(record.Name(at, variant))]
						if !there {
							c = game.Empty
						}
						if ref.At(at) != c {
							t.Fatalf("%s game %d move %d: %s is %v, not %v", name, r.ID, n+1, record.Name(at, variant), ref.At(at), c)
						}
					}
				}
			}
		}
	}
	if taken["duel"] < 50 || taken["go"] < 10 || taken["field"] != 0 {
		t.Error("stones taken:", taken)
	}
}

// A game that begins with placed stones, and with White.
func TestSetup(t *testing.T) {
	p := played(t, "go")
	g := p.Games[0]
	g.Setup, g.Moves, g.Given = "B:A7,C7 W:B7 white-to-move:", "G1 B6 A6 pass", 0
	r := outline(&g)
	r.fill(&g, p.Conf.Variant())
	want := [2]string{"a7 c7", "b7"}
	if r.Broken != "" || r.First != 1 || r.Setup == nil || *r.Setup != want {
		t.Error(r.Broken, r.First, r.Setup)
	}
	if d := cmp.Diff(map[int]string{2: "b7"}, r.Taken); d != "" {
		t.Error(d)
	}
}

// What cannot be played again is said, and the page is written all the same.
func TestBroken(t *testing.T) {
	p := played(t, "field")
	p.Games[0].Moves = "H8 H8"
	p.Games[1].Moves = "H8 Z99"
	p.Games[2].Setup = "B:?"
	v := newView(p, mostGames, mostMoves)
	for i := range 3 {
		if v.Data.Games[i].Broken == "" {
			t.Errorf("game %d is not broken", i+1)
		}
	}
	write(t, v)
}

// Games beyond the limits are listed without their moves, and the page says so.
func TestLimits(t *testing.T) {
	p := played(t, "duel")
	for _, c := range []struct{ games, moves, kept int }{{5000, 400_000, 16}, {3, 400_000, 3}, {5000, 60, 2}, {0, 0, 0}} {
		v := newView(p, c.games, c.moves)
		kept := 0
		for _, g := range v.Data.Games {
			if g.Moves != nil {
				kept++
			}
		}
		if len(v.Data.Games) != 16 || v.Kept != kept || v.Kept+v.Cut != 16 || c.games < 5000 && kept != c.games || c.moves == 60 && kept == 16 {
			t.Errorf("%v: %d games kept, %d and %d said", c, kept, v.Kept, v.Cut)
		}
		if said := strings.Contains(write(t, v), fmt.Sprintf("%d more are listed without them", v.Cut)); said != (v.Cut > 0) {
			t.Errorf("%v: said %v", c, said)
		}
	}
}

// The courses end where the tables are.
func TestCourse(t *testing.T) {
	p := played(t, "duel")
	for _, repeat := range []bool{true, false} {
		p.Conf.Repeat = repeat
		d := courseOfTwo(p)
		s := tournament.Summarize(&p.Conf, p.Names, p.Games)
		want := s.Cross[0][1].Elo()
		if repeat {
			want = s.Pairs[[2]int{0, 1}].Elo()
		}
		if got := d.elo[len(d.elo)-1]; got != want {
			t.Errorf("Elo %v, not %v", got, want)
		}
		if got := d.llr[len(d.llr)-1]; got != s.Test.LLR {
			t.Errorf("LLR %v, not %v", got, s.Test.LLR)
		}
	}
	// A decided test stays as it was.
	p.Conf.Repeat = true
	p.Conf.SPRT.Elo0, p.Conf.SPRT.Elo1 = -200, 200
	d := courseOfTwo(p)
	v := tournament.Decision(&p.Conf, p.Games)
	if v.Decision != stats.AcceptH1 || len(d.llr) >= len(d.elo) || d.llr[len(d.llr)-1] != v.LLR {
		t.Error(v, d.llr, len(d.elo))
	}

	p = played(t, "field")
	s := tournament.Summarize(&p.Conf, p.Names, p.Games)
	c := courseOfMany(p, s)
	if len(c.Lines) != 5 || c.Lines[0].Name != s.Rows[0].Name {
		t.Error(c.Lines)
	}
	if c.Lines[0].EndX != c.Right {
		t.Error("the course ends at", c.Lines[0].EndX)
	}
}

// A match that has no games yet has a page, too.
func TestEmpty(t *testing.T) {
	for _, name := range matches {
		p := played(t, name)
		p.Games = nil
		text := write(t, newView(p, mostGames, mostMoves))
		if !strings.Contains(text, "0 games") || strings.Contains(text, "NaN") {
			t.Error(name)
		}
	}
}
