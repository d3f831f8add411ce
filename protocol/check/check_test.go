package check

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tengen/engine"
	"tengen/engine/game"
)

var update = flag.Bool("update", false, "write the golden files")

// patient is a pace at which nothing that comes is too late, however busy the machine is;
// what never comes takes it long.
var patient = pace{
	answer: time.Minute, start: time.Minute, slow: time.Minute, quiet: 20 * time.Millisecond, tolerance: time.Minute, turn: time.Minute, byo: time.Minute,
	suspended: 20 * time.Millisecond, end: time.Minute,
	turns: [3]time.Duration{time.Minute, time.Minute, time.Minute}, match: time.Hour,
}

// hasty is for doubles that are late or silent, of which only that is asked.
var hasty = pace{
	answer: 3 * time.Second, start: time.Minute, slow: time.Minute, quiet: 50 * time.Millisecond, tolerance: 100 * time.Millisecond, turn: 100 * time.Millisecond, byo: time.Second,
	suspended: 20 * time.Millisecond, end: 400 * time.Millisecond,
	turns: [3]time.Duration{time.Second, time.Second, 100 * time.Millisecond}, match: time.Minute,
}

func double(part string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), partVar+"="+part, "GORACE=atexit_sleep_ms=0")
	return cmd
}

func run(t *testing.T, part string, p pace, quick bool, only ...string) *Report {
	t.Helper()
	o := Options{Protocol: Piskvork, Quick: quick, pace: &p, only: only}
	if strings.HasPrefix(part, "gtp") {
		o.Protocol = GTP
		if strings.HasSuffix(part, "renju") {
			o.Games = []game.Rule{game.Renju}
		}
	}
	r, err := Run(context.Background(), double(part), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// of returns the points of a status.
func (r *Report) of(s Status) string {
	var ids []string
	for _, x := range r.Results {
		if x.Status == s {
			ids = append(ids, x.ID)
		}
	}
	return strings.Join(ids, " ")
}

// The table of a good program, but for what was measured.
func TestGoodTable(t *testing.T) {
	for _, part := range []string{"brain good", "gtp good", "gtp renju"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			r := run(t, part, patient, false)
			r.Command = []string{"pbrain-good"}
			r.Name = strings.Fields(r.Name)[0]
			var b strings.Builder
			if err := r.Write(&b); err != nil {
				t.Fatal(err)
			}
			got := regexp.MustCompile(`\d+( of \d+)?( ms| MiB|,\d\d\d| commands| moves)( each)?`).ReplaceAllString(b.String(), "N$2")
			got = regexp.MustCompile(`[BW]\+\d+\.5, N moves`).ReplaceAllString(got, "score, N moves")
			got = regexp.MustCompile(`(Black wins|White wins|draw) after`).ReplaceAllString(got, "ends after")
			name := "testdata/" + strings.ReplaceAll(part, " ", "-") + ".txt"
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Error(d)
			}
			if r.Failed+r.Warned > 0 {
				t.Error("a good program is not praised")
			}
			var back Report
			if j, err := json.Marshal(r); err != nil || json.Unmarshal(j, &back) != nil || cmp.Diff(*r, back) != "" {
				t.Errorf("JSON: %v", err)
			}
		})
	}
}

// Each double fails by its faults what it should, and nothing else.
func TestFaultsAreFound(t *testing.T) {
	for part, want := range map[string]struct{ fail, warn string }{
		"brain okplus lines upper hoards":                {"P1a P1b P1c P1d P6e P7 P16b", ""},
		"brain chatty stderr anysize nameless":           {"P3a P4 P19b", "P18a"},
		"brain no20 unknowns answersinfo bracket pieces": {"P1b P2a P3a P5 J2", "P1c P1d P1e"},
		"brain onerule eager echo noabout":               {"P9 P10b P10c P10d P11b P18a P18b P19c P20b J4 J6 J8", "P2b P3b"},
		"brain polite":                                   {"P19a", ""},
		"gtp noid unknown takes":                         {"G3a G3b G3c G3d G11", "G4 G15a"},
		"gtp stray komi":                                 {"G5 G9 G15b", ""},
		"gtp blank lost":                                 {"G12", "G5"},
		"gtp banner":                                     {"G5 G6", ""},
	} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				t.Skip("many processes")
			}
			r := run(t, part, patient, true)
			if got := r.of(Fail); got != want.fail {
				t.Errorf("fails %s, not %s", got, want.fail)
			}
			if got := r.of(Warn); got != want.warn {
				t.Errorf("is warned of %s, not %s", got, want.warn)
			}
			if t.Failed() {
				var b strings.Builder
				r.Write(&b)
				t.Log(b.String())
			}
		})
	}
}

// Programs that hang, flood or die are given up, with the reason.
func TestUnruly(t *testing.T) {
	for _, c := range []struct{ part, point, reason string }{
		{"brain hang", "P3b", "nothing in"},
		{"brain half", "P3b", "nothing in"},
		{"brain crash", "P3b", "exit status 3"},
		{"brain cheat", "P19c", "occupied"},
		{"brain off", "P3b", "off the board"},
		{"gtp crash", "G13", "exit status 3"},
		{"brain flood", "P3b", "flood|nothing in"},
		{"brain deaf", "P3b", "nothing in"},
		{"brain dies", "P1a", "exit status 7"},
		{"brain mute", "P1a", "nothing in"},
		{"brain slow", "P14a", "took"},
		{"brain slow", "P15a", "took"},
		{"brain slow", "P13d", "lost on time"},
		{"brain stays", "P17a", "still there"},
		{"brain stays", "P17c", "still there"},
		{"brain noend", "P17b", "still there"},
		{"gtp stays", "G19a", "still there"},
		{"gtp stays", "G19b", "still there"},
		{"gtp oneline", "G1", "no empty line"},
	} {
		t.Run(c.part+" "+c.point, func(t *testing.T) {
			t.Parallel()
			r := run(t, c.part, hasty, true, c.point)
			if len(r.Results) != 1 || r.Failed != 1 || !regexp.MustCompile(c.reason).MatchString(r.Results[0].Reason) {
				t.Errorf("%+v", r.Results)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := patient
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := Run(ctx, double("brain mute"), Options{Protocol: Piskvork, pace: &p}); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

func TestUsage(t *testing.T) {
	for _, o := range []Options{
		{},
		{Protocol: "uci"},
		{Protocol: Piskvork, Size: 5},
		{Protocol: Piskvork, Size: 30},
		{Protocol: Piskvork, Games: []game.Rule{game.Weiqi}},
		{Protocol: GTP, Games: []game.Rule{game.Renju, game.Weiqi}},
	} {
		if _, err := Run(context.Background(), double("brain good"), o); !errors.Is(err, ErrUsage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := Run(context.Background(), exec.Command("/no/such/program"), Options{Protocol: Piskvork}); err == nil {
		t.Error("a program that is not there is checked")
	}
}

// What the positions ask for is what the rules say: the points win, and no others do; or
// the opponent wins if they are not blocked.
func TestPositions(t *testing.T) {
	wins := func(v game.Variant, s game.Setup) (qs []game.Point) {
		g, err := engine.Replay(&game.Record{Variant: v, Setup: s})
		if err != nil || g.Result().Outcome != game.Open {
			t.Fatalf("%v: %v", v, err)
		}
		me := g.ToMove()
		for y := range v.Size {
			for x := range v.Size {
				if q := game.At(x, y); g.Play(q) == nil {
					if g.Result().Outcome == game.WinFor(me) {
						qs = append(qs, q)
					}
					g.Undo()
				}
			}
		}
		return qs
	}
	sorted := func(points string) []game.Point { return slices.Sorted(slices.Values(stones(points))) }
	for _, c := range []struct {
		rules    string
		position string
		points   string
	}{
		{"freestyle caro6 omok pente", sixOnly, "g8"},
		{"standard renju caro", sixOnly, ""},
		{"standard renju caro", sixOrNot, "l9"},
		{"caro caro6", closed, "l9"},
		{"freestyle standard renju", closed, "g8l9"},
		{"renju freestyle", white6, "g8"},
		{"standard", white6, ""},
		{"freestyle standard renju caro caro6 omok pente", twoFours, "g8l8"},
		{"freestyle standard renju caro caro6 omok pente", corner, "e5"},
		{"freestyle standard renju caro caro6", fourAgainst, ""},
		{"freestyle standard renju caro caro6", open, ""},
	} {
		for _, name := range strings.Fields(c.rules) {
			r, _ := game.ParseRule(name)
			if got := wins(game.Variant{Rule: r, Size: 15}, turnabout(stones(c.position))); !slices.Equal(got, sorted(c.points)) {
				t.Errorf("%s: %s is won by %s, not %s", name, c.position, names(c.points), xys(got))
			}
		}
	}
	for _, r := range gomocup {
		s := turnabout(stones(fourAgainst))
		s.ToMove = s.ToMove.Other()
		if got := wins(game.Variant{Rule: r, Size: 15}, s); !slices.Equal(got, sorted("g8")) {
			t.Errorf("%v: not blocked, it is won by %s", r, xys(got))
		}
	}
	v := game.Variant{Rule: game.Renju, Size: 15}
	s := turnabout(stones(onlyBlockForbidden))
	g, err := engine.Replay(&game.Record{Variant: v, Setup: s})
	if err != nil || g.Legal(stones("h8")[0]) == nil {
		t.Errorf("h8 is not forbidden (%v)", err)
	}
	s.ToMove = game.White
	if got := wins(v, s); !slices.Equal(got, sorted("h8")) {
		t.Errorf("White wins by %s", xys(got))
	}
	for size := 10; size <= 22; size++ {
		s, holes := nearlyFull(size)
		for _, r := range []game.Rule{game.Freestyle, game.Standard, game.Renju, game.CaroSix, game.Omok, game.Pente} {
			g, err := engine.Replay(&game.Record{Variant: game.Variant{Rule: r, Size: size}, Setup: s})
			if err != nil || g.Result().Outcome != game.Open || len(holes) != 4 {
				t.Fatalf("%v %d: %v, %d holes", r, size, err, len(holes))
			}
			if d := len(s.Black) - len(s.White); d != 0 && (d != 1 || s.ToMove != game.White) {
				t.Errorf("%d stones more of Black, %v is to move", d, s.ToMove)
			}
		}
	}
}
