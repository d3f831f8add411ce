package gtp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every command with its errors, and each client's way to begin and to play, in every way
// its bytes may arrive.
func TestDialogues(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d dialogues, %v", len(files), err)
	}
	for _, f := range files {
		script, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		ways := modes
		if strings.Contains(string(script), "final_s") {
			ways = ways[:2] // counting a board takes its time, however its lines came
			if testing.Short() {
				continue // and twenty times as long under the race detector
			}
		}
		for _, m := range ways {
			t.Run(strings.TrimSuffix(filepath.Base(f), ".txt")+"/"+m.name, func(t *testing.T) {
				t.Parallel()
				dialogue(t, string(script), m)
			})
		}
	}
}

// Every command is in some dialogue, with at least one success.
func TestDialoguesCoverCommands(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	good := map[string]bool{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for l := range strings.Lines(string(b)) {
			switch {
			case strings.HasPrefix(l, "> "):
				if r, ok := parse(l[2:]); ok {
					asked = append(asked, r.name)
				}
			case strings.HasPrefix(l, "<") && len(asked) > 0:
				if strings.HasPrefix(l, "< =") {
					good[asked[0]] = true
				}
				asked = asked[1:]
			case strings.HasPrefix(l, "---"):
				asked = nil
			}
		}
	}
	for _, c := range table {
		if !good[c.name] {
			t.Errorf("no dialogue shows %s", c.name)
		}
	}
}

// Every picture is made of the words that GoGui draws; it passes over all others in silence.
func TestPicturesAreDrawn(t *testing.T) {
	words := map[string]bool{}
	for _, w := range strings.Fields("BLACK CIRCLE CLEAR COLOR INFLUENCE LABEL MARK SQUARE TEXT TRIANGLE VAR WHITE") {
		words[w] = true
	}
	for _, g := range []string{"go 9", "renju 15", "omok 15", "pente 19", "freestyle 15"} {
		c := converse(t, &player{}, ServeOptions{Variant: variant(t, g)})
		ask := func(s string) string { c.send(s + "\n"); return strings.TrimPrefix(c.response(), "= ") }
		stones := "b g8 b h8 b f7 b f6 w a1 w c1 w e1 w g1"
		if g == "go 9" {
			stones = "b a2 b b2 b b1 w j8 w h8 w h9"
		}
		ask("gogui-setup " + stones)
		pictures := 0
		for l := range strings.Lines(ask("gogui-analyze_commands")) {
			kind, _, _ := strings.Cut(l, "/")
			if kind != "gfx" {
				continue
			}
			pictures++
			name := strings.TrimSpace(l[strings.LastIndex(l, "/")+1:])
			seen := map[string]bool{} // points with a mark, which would cover a label
			for p := range strings.Lines(ask(name)) {
				word, rest, _ := strings.Cut(strings.TrimSpace(p), " ")
				if !words[word] {
					t.Errorf("%s, %s: %s", g, name, p)
				}
				if at, _, _ := strings.Cut(rest, " "); word == "MARK" || word == "LABEL" {
					if seen[at] {
						t.Errorf("%s, %s: two signs on %s", g, name, at)
					}
					seen[at] = true
				}
			}
		}
		if pictures == 0 {
			t.Errorf("%s: no pictures", g)
		}
		c.send("quit\n")
		c.response()
		c.ends()
	}
}
