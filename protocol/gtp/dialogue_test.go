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
		for _, m := range modes {
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
