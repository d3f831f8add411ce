package engine_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// may says which of our packages each package may import; one that is not listed may
// not exist. Left is imported by right: game, line, eval, threat, searches, engine, ...
var may = map[string][]string{
	"engine/game":             {},
	"tt":                      {},
	"engine/line":             {"engine/game"},
	"eval/nnue":               {"engine/game", "engine/line"},
	"eval":                    {"engine/game", "engine/line", "eval/nnue"},
	"engine/threat":           {"engine/game", "engine/line", "tt"},
	"engine/alphabeta":        {"engine/game", "engine/line", "engine/threat", "eval", "tt"},
	"engine":                  {"engine/threat", "engine/game", "engine/line", "engine/weiqi", "engine/alphabeta", "engine/mcts", "eval", "tt"},
	"engine/weiqi":            {"engine/game"},
	"engine/mcts":             {"engine/game", "engine/weiqi"},
	"openings/rule":           {"engine", "engine/game"},
	"openings":                {"engine", "engine/game", "openings/rule"},
	"openings/book":           {"engine", "engine/game", "openings", "openings/rule"},
	"protocol/process":        {},
	"protocol":                {"engine", "engine/game", "openings", "openings/book", "openings/rule"},
	"protocol/piskvork":       {"engine", "engine/game", "openings", "protocol", "protocol/process"},
	"protocol/gtp":            {"engine/game", "engine/weiqi", "protocol", "protocol/process", "protocol/record"},
	"protocol/analysis":       {"engine", "engine/game", "engine/weiqi", "protocol", "protocol/gtp"},
	"protocol/terminal":       {"engine/game", "openings/rule", "protocol"},
	"protocol/check":          {"engine", "engine/game", "engine/weiqi", "protocol/gtp", "protocol/process"},
	"protocol/record":         {"engine/game"},
	"protocol/record/diagram": {"engine/game"},
	"protocol/brain":          {"engine", "engine/game", "openings", "openings/book", "protocol", "protocol/piskvork", "tt"},
	"eval/resnet":             {},
	"eval/planes":             {"engine/game", "engine/weiqi"},
	"eval/judge":              {"engine/game", "engine/mcts", "engine/weiqi", "eval/planes", "eval/resnet"},
	"eval/choice":             {"engine/game", "engine/weiqi"},
	"eval/train":              {"engine/game", "engine/line", "engine/threat", "eval", "eval/nnue"},
	"bench": {"bench/selfplay", "eval/train", "engine", "engine/game", "engine/line", "engine/threat", "engine/alphabeta", "engine/weiqi", "eval", "eval/judge", "eval/resnet",
		"protocol", "protocol/piskvork", "protocol/gtp", "protocol/process"},
	"bench/flame":            {},
	"bench/tournament/stats": {},
	"bench/tournament": {"bench/tournament/stats", "engine", "engine/game", "openings", "openings/book", "openings/rule", "protocol", "protocol/gtp", "protocol/piskvork",
		"protocol/process", "protocol/record"},
	"bench/tournament/report":   {"bench/tournament", "bench/tournament/stats", "engine", "engine/game", "protocol/record"},
	"bench/tournament/database": {"bench/tournament", "engine/game"},
	"bench/selfplay":            {"engine", "engine/game", "eval/train"},
	"cmd/pbrain-tengen":         {"protocol/brain"},
	"cmd/tengen": {"bench", "bench/flame", "bench/tournament", "bench/tournament/database", "bench/tournament/report", "bench/tournament/stats", "bench/selfplay", "engine", "engine/game", "engine/line", "eval", "eval/choice", "eval/judge", "eval/resnet", "eval/train",
		"engine/weiqi", "openings", "openings/book", "openings/rule", "protocol", "protocol/analysis", "protocol/brain", "protocol/check", "protocol/gtp", "protocol/record", "protocol/record/diagram", "protocol/terminal"},
	"cmd/dist": {},
}

func list(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestImports(t *testing.T) {
	for _, l := range list(t, "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...") {
		f := strings.Fields(l)
		pkg := strings.TrimPrefix(f[0], "tengen/")
		allowed, ok := may[pkg]
		if !ok {
			t.Errorf("package %s is not on the plan", pkg)
			continue
		}
		for _, imp := range f[1:] {
			if of, ours := strings.CutPrefix(imp, "tengen/"); ours && !slices.Contains(allowed, of) {
				t.Errorf("%s imports %s", pkg, of)
			}
		}
	}
}

// The brain must stay small: a zip of at most 8 MB. It plays no Go, so it needs no network
// of that kind.
func TestBrainImportsNoNetwork(t *testing.T) {
	for _, p := range list(t, "-deps", "./cmd/pbrain-tengen") {
		switch p {
		case "net/http", "database/sql", "tengen/eval/resnet":
			t.Errorf("cmd/pbrain-tengen depends on %s", p)
		}
	}
}

// A browser is driven by tests alone, and a database written by cmd/tengen alone.
func TestHeavyImports(t *testing.T) {
	for _, l := range list(t, "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "./...") {
		f := strings.Fields(l)
		pkg := strings.TrimPrefix(f[0], "tengen/")
		for _, dep := range f[1:] {
			switch {
			case strings.HasPrefix(dep, "github.com/chromedp/"):
				t.Errorf("%s depends on %s", pkg, dep)
			case dep == "database/sql" && pkg != "cmd/tengen" && pkg != "bench/tournament/database":
				t.Errorf("%s depends on %s", pkg, dep)
			}
		}
	}
}
