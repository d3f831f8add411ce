package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func counting(args []string, in *strings.Reader, out, errs *bytes.Buffer) int {
	return statistics(args, in, out, errs)
}

func TestStats(t *testing.T) {
	const games = "a b 3 1 0\nb c 0-1\nc d 1/2-1/2\nx, y z, 1-0\n"
	for _, c := range []struct {
		args, in, out, errs string
		status              int
	}{
		{"penta 379 10170 21828 10640 343 -elo0 0 -elo1 2 -model normalized", "", `pairs  43360 (379 10170 21828 10640 343)
score  50.23 % (43559.0 of 86720)
Elo    +1.6 [+0.4, +2.8]
nElo   +3.1 [+0.7, +5.4]
LOS    99.51 %
draws  50.34 % of the pairs
SPRT   LLR 2.95 [-2.94, 2.94] H1 (elo0 0, elo1 2, alpha 0.05, beta 0.05, normalized)
`, "", 0},
		{"-beta 0.1 wld 57433 -elo1 2 57030 106593", "", `games  221056 (57433-57030-106593)
score  50.09 % (110729.5 of 221056)
Elo    +0.6 [-0.4, +1.7]
nElo   +0.9 [-0.6, +2.3]
LOS    88.32 %
draws  48.22 % of the games
SPRT   LLR -2.59 [-2.25, 2.89] H0 (elo0 0, elo1 2, alpha 0.05, beta 0.1, logistic)
`, "", 0},
		{"wld 0 0 0", "", `games  0 (0-0-0)
score  50.00 % (0.0 of 0)
Elo    0.0 [-inf, +inf]
nElo   0.0 [-inf, +inf]
LOS    50.00 %
draws  0.00 % of the games
`, "", 0},
		{"wld 5 0 0 -json -elo1 10", "", `{
  "games": {
    "wins": 5,
    "losses": 0,
    "draws": 0
  },
  "points": 5,
  "score": 1,
  "elo": {
    "value": null,
    "low": -15.1743,
    "high": null
  },
  "normalizedElo": {
    "value": null,
    "low": -15.1792,
    "high": null
  },
  "los": 0.9844,
  "drawRatio": 0,
  "sprt": {
    "elo0": 0,
    "elo1": 10,
    "alpha": 0.05,
    "beta": 0.05,
    "model": "logistic",
    "verdict": {
      "llr": 0.1418,
      "lower": -2.9444,
      "upper": 2.9444,
      "decision": "continue"
    }
  }
}
`, "", 0},
		{"ratings -anchor d -", games, `  #     Elo     low    high  games    score  W-L-D  group  engine
  1     0.0    -inf  +885.9      4   75.0 %  3-1-0      1  a
  2     0.0  -626.4  +626.4      2   75.0 %  1-0-1      1  c
  3     0.0     0.0     0.0      1   50.0 %  0-0-1      1  d
  4  -190.8    -inf  +617.8      5   20.0 %  1-4-0      1  b
  5   +95.4  -182.6    +inf      1  100.0 %  1-0-0      2  x
  6   -95.4    -inf  +182.6      1    0.0 %  0-1-0      2  y z
Engines of different groups have no opponents in common and cannot be compared.

  W-L-D      1      2      3      4      5      6
      1      .      .      .  3-1-0      .      .  a
      2      .      .  0-0-1  1-0-0      .      .  c
      3      .  0-0-1      .      .      .      .  d
      4  1-3-0  0-1-0      .      .      .      .  b
      5      .      .      .      .      .  1-0-0  x
      6      .      .      .      .  0-1-0      .  y z
`, "", 0},
		{"ratings - -json", "a b 1-0\nb a 1-0\n", `{
  "ratings": [
    {
      "name": "a",
      "elo": {
        "value": 0,
        "low": -240.7562,
        "high": 240.7562
      },
      "games": {
        "wins": 1,
        "losses": 1,
        "draws": 0
      },
      "group": 0
    },
    {
      "name": "b",
      "elo": {
        "value": 0,
        "low": -240.7562,
        "high": 240.7562
      },
      "games": {
        "wins": 1,
        "losses": 1,
        "draws": 0
      },
      "group": 0
    }
  ],
  "games": [
    {
      "first": "a",
      "second": "b",
      "wins": 1,
      "losses": 1,
      "draws": 0
    }
  ]
}
`, "", 0},
		{"ratings -", "# none\n", "no games\n", "", 0},
		{"ratings -json -", "", "{\n  \"ratings\": [],\n  \"games\": []\n}\n", "", 0},
		{"ratings @/none", "", "", "tengen stats: @/none: no such file or directory\n", 1},
		{"ratings -", "a b\n", "", "tengen stats: -: line 1: a game has 3 fields (first, second, result), a sum 5 (first, second, wins, losses, draws), not 2\n", 1},
		{"ratings -anchor z -", games, "", "tengen stats: no games of \"z\", whose rating was to be 0\n", 1},
		{"ratings -", "(;GM[4]PB[a]PW[b]RE[B+](;B[hh])(;B[hg]))(;GM[4]PB[a]RE[W+];B[hh])", "", "tengen stats: -: game 2 does not name both players\n", 1},
		{"ratings", "", "", "tengen stats: no file of games\n", 2},
		{"ratings -elo1 5 -", "", "", "tengen stats: -elo1 is for penta and wld\n", 2},
		{"penta 1 2 3", "", "", "tengen stats: penta needs 5 numbers, not 3\n", 2},
		{"penta 1 2 3 4 -5", "", "", "tengen stats: \"-5\" is not a number of games\n", 2},
		{"wld 1 2 x", "", "", "tengen stats: \"x\" is not a number of games\n", 2},
		{"wld 1 2 3 -elo0 5", "", "", "tengen stats: a test needs -elo1\n", 2},
		{"wld 1 2 3 -elo0 5 -elo1 5", "", "", "tengen stats: elo0 must be less than elo1, but 5 is not less than 5\n", 2},
		{"wld 1 2 3 -anchor a", "", "", "tengen stats: -anchor is for ratings\n", 2},
		{"elo 1 2 3", "", "", "tengen stats: unknown calculation \"elo\" (penta, wld or ratings)\n", 2},
	} {
		status, out, errs := run(t, counting, t.TempDir(), c.in, strings.Fields(c.args)...)
		if status != c.status || out != c.out || errs != c.errs {
			t.Errorf("%s %q:\n%d\n%s%q, not\n%d\n%s%q", c.args, c.in, status, out, errs, c.status, c.out, c.errs)
		}
	}
	for _, args := range []string{"", "wld 1 2 3 -elo2 5", "wld 1 2 3 -elo1", "wld 1 2 3 -elo1 five", "wld 1 2 3 -model bayesian"} {
		if status, out, errs := run(t, counting, t.TempDir(), "", strings.Fields(args)...); status != 2 || out != "" || !strings.Contains(errs, "usage: tengen stats penta A B C D E") {
			t.Errorf("%q: %d %q %q", args, status, out, errs)
		}
	}
	if status, _, errs := run(t, counting, t.TempDir(), "", "-h"); status != 0 || !strings.Contains(errs, "usage: tengen stats") {
		t.Error(status, errs)
	}
}

// Game files tell the players and the result, or the rules tell it; several files are one table.
func TestStatsOfGameFiles(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]string{
		"1.sgf": "(;GM[4]PB[a]PW[b]RE[B+Time];B[hh])(;GM[4]PB[b]PW[a]RE[0];B[hh])(;GM[4]PB[b]PW[a]RE[?];B[hh])",
		"2.psq": "Piskvorky 15x15, 0:0, 0\n1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,0\nc.exe\nb.exe\n0\n",
		"3.txt": "a b 0-1\na b.exe 4 4 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	status, out, errs := run(t, counting, dir, "", "ratings", "@/1.sgf", "@/2.psq", "@/3.txt")
	const want = `  #     Elo     low    high  games    score  W-L-D  engine
  1  +143.1  -268.4    +inf      1  100.0 %  1-0-0  c.exe
  2   -47.7  -237.7  +142.3     12   50.0 %  5-5-2  a
  3   -47.7  -368.2  +272.8      3   50.0 %  1-1-1  b
  4   -47.7  -237.7  +142.3     10   45.0 %  4-5-1  b.exe

  W-L-D      1      2      3      4
      1      .      .      .  1-0-0  c.exe
      2      .      .  1-1-1  4-4-1  a
      3      .  1-1-1      .      .  b
      4  0-1-0  4-4-1      .      .  b.exe
`
	if status != 0 || out != want || errs != "tengen stats: @/1.sgf: games without a result, left out: 1\n" {
		t.Errorf("%d %q\n%s", status, errs, out)
	}
}
