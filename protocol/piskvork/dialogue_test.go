package piskvork

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each client's way to begin and to play, in every way its bytes may arrive.
func TestDialogues(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 7 {
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
