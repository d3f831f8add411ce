package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func table(t *testing.T, games string) *Crosstable {
	t.Helper()
	var c Crosstable
	if err := c.Read(strings.NewReader(games)); err != nil {
		t.Fatal(err)
	}
	return &c
}

func ratings(t *testing.T, c *Crosstable, anchor string) []Rating {
	t.Helper()
	rs, err := c.Ratings(anchor)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

// Seven teams of the American League in 1987: Alan Agresti, Categorical Data Analysis (2nd
// edition, 2002), tables 10.10 and 10.11, wins and losses of the first against the second. He
// finds these strengths relative to Baltimore, with standard errors of about 0.3.
const agresti = `
Milwaukee,Detroit,7,6,0
Milwaukee,Toronto,9,4,0
Milwaukee,New York,7,6,0
Milwaukee,Boston,7,6,0
Milwaukee,Cleveland,9,4,0
Milwaukee,Baltimore,11,2,0
Detroit,Toronto,7,6,0
Detroit,New York,5,8,0
Detroit,Boston,11,2,0
Detroit,Cleveland,9,4,0
Detroit,Baltimore,9,4,0
Toronto,New York,7,6,0
Toronto,Boston,7,6,0
Toronto,Cleveland,8,5,0
Toronto,Baltimore,12,1,0
New York,Boston,6,7,0
New York,Cleveland,7,6,0
New York,Baltimore,10,3,0
Boston,Cleveland,7,6,0
Boston,Baltimore,12,1,0
Cleveland,Baltimore,6,7,0
`

func TestAgresti(t *testing.T) {
	want := []struct {
		name     string
		strength float64
	}{
		{"Milwaukee", 1.58}, {"Detroit", 1.44}, {"Toronto", 1.29}, {"New York", 1.25},
		{"Boston", 1.11}, {"Cleveland", 0.68}, {"Baltimore", 0},
	}
	for i, r := range ratings(t, table(t, agresti), "Baltimore") {
		deviation := (r.Elo.High - r.Elo.Value) / z95 / perLogit
		if r.Name != want[i].name || !near(r.Elo.Value/perLogit, want[i].strength, 2) || i < 6 && !near(deviation, 0.3, 1) {
			t.Errorf("%v: strength %.3f +- %.3f, not %v", r.Name, r.Elo.Value/perLogit, deviation, want[i])
		}
	}
}

// The slow way: Hunter's MM algorithm (equation 3).
func TestMM(t *testing.T) {
	r := rand.New(rand.NewPCG(2004, 3))
	names := strings.Split("abcdefghijkl", "")
	for range 5 {
		var c Crosstable
		for i, a := range names {
			// A ring, so that the strengths can be told, and some more games.
			c.Add(a, names[(i+1)%len(names)], WLD{1 + r.IntN(30), 1 + r.IntN(9), r.IntN(9)})
			c.Add(a, names[r.IntN(len(names))], WLD{r.IntN(9), r.IntN(9), r.IntN(100)})
		}
		gamma := make([]float64, len(names))
		games := make([][]WLD, len(names))
		for i, a := range names {
			gamma[i] = 1
			for _, b := range names {
				games[i] = append(games[i], c.Between(a, b))
			}
		}
		for range 5000 {
			product := 1.0
			for i := range names {
				var points, sum float64
				for j, w := range games[i] {
					points += w.Points()
					sum += float64(w.Games()) / (gamma[i] + gamma[j])
				}
				gamma[i] = points / sum
				product *= gamma[i]
			}
			for i := range gamma {
				gamma[i] /= math.Pow(product, 1/float64(len(names)))
			}
		}
		for _, r := range ratings(t, &c, "") {
			if want := 400 * math.Log10(gamma[slices.Index(names, r.Name)]); math.Abs(r.Elo.Value-want) > 1e-4 {
				t.Fatalf("%v: %v, slowly %v", r.Name, r.Elo, want)
			}
		}
	}
}

// Two engines are rated as by their score, and the deviation is that of the score but for what one
// game more changes.
func TestTwo(t *testing.T) {
	for _, w := range []WLD{{136, 96, 111}, {400, 300, 0}, {20, 10, 970}, {90, 10, 0}} {
		var c Crosstable
		c.Add("a", "b", w)
		rs := ratings(t, &c, "b")
		i := slices.IndexFunc(rs, func(r Rating) bool { return r.Name == "a" })
		n, s := float64(w.Games()), w.Score()
		deviation := perLogit * math.Sqrt((s*(1-s)-float64(w.Draws)/n/4)/n) / (s * (1 - s))
		got := rs[i].Elo
		if e := (got.High - got.Low) / 2 / z95; math.Abs(got.Value-w.Elo().Value) > 1e-6 || math.Abs(e/deviation-1) > 0.02 {
			t.Errorf("%v: %v +- %v, not %v +- %v", w, got, e, w.Elo(), deviation)
		}
	}
}

func TestRatings(t *testing.T) {
	for _, c := range []struct{ games, anchor, want string }{
		{"", "", ""},
		{"a b 3 1 0", "", "a +95.4 [-101.2, +292.0]; b -95.4 [-292.0, +101.2]"},
		{"a b 3 1 0", "a", "a 0.0 [0.0, 0.0]; b -190.8 [-584.0, +202.3]"},
		// One has never lost, one never won; relative to an anchor each that has not is such.
		{"a b 9 0 0\nb c 9 9 0\nc d 9 0 0\nb d 3 0 0", "", "a +491.6 [+104.9, +inf]; c -11.9 [-188.5, +164.7]; b -19.9 [-185.9, +146.1]; d -459.8 [-inf, -164.2]"},
		{"a b 9 0 0\nb c 9 9 0\nc d 9 0 0\nb d 3 0 0", "b", "a +511.5 [+17.5, +inf]; c +7.9 [-149.3, +165.2]; b 0.0 [0.0, 0.0]; d -439.9 [-inf, -69.6]"},
		{"a b 9 0 0\nb c 9 9 0\nc d 9 0 0\nb d 3 0 0", "a", "a 0.0 [0.0, 0.0]; c -503.6 [-inf, +14.9]; b -511.5 [-inf, -17.5]; d -951.4 [-inf, -334.0]"},
		// Draws are worth knowing, but a few do not make sure.
		{"a b 0 0 1", "", "a 0.0 [-240.8, +240.8]; b 0.0 [-240.8, +240.8]"},
		{"a b 0 0 100", "", "a 0.0 [-3.4, +3.4]; b 0.0 [-3.4, +3.4]"},
		// Players that nothing joins.
		{"a b 1 1 0\nc d 3 1 0\ne f *", "", "a 0.0 [-240.8, +240.8]; b 0.0 [-240.8, +240.8]; c +95.4 [-101.2, +292.0] in group 1; d -95.4 [-292.0, +101.2] in group 1; e 0.0 [-inf, +inf] in group 2; f 0.0 [-inf, +inf] in group 3"},
		{"a b 1 1 0\nc d 3 1 0", "d", "a 0.0 [-240.8, +240.8]; b 0.0 [-240.8, +240.8]; c +190.8 [-202.3, +584.0] in group 1; d 0.0 [0.0, 0.0] in group 1"},
	} {
		var got []string
		for _, r := range ratings(t, table(t, c.games), c.anchor) {
			s := r.Name + " " + r.Elo.String()
			if r.Group > 0 {
				s += " in group " + string(rune('0'+r.Group))
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%q from %q:\n%s, not\n%s", c.games, c.anchor, s, c.want)
		}
	}
	if _, err := table(t, "a b 1-0").Ratings("x"); err == nil || err.Error() != `no games of "x", whose rating was to be 0` {
		t.Error(err)
	}
}

// Fifty engines of which each beats the later ones always: nothing overflows, and the order is
// that of strength.
func TestLadder(t *testing.T) {
	var c Crosstable
	for i := range 50 {
		for j := range i {
			c.Add(string(rune('0'+j)), string(rune('0'+i)), WLD{Wins: 1000})
		}
	}
	for i, r := range ratings(t, &c, "") {
		if r.Name != string(rune('0'+i)) || math.IsNaN(r.Elo.Value+r.Elo.Low) || math.IsInf(r.Elo.Value, 0) {
			t.Errorf("%d: %+v", i, r)
		}
	}
}

// The intervals hold the true difference in 95 % of tournaments, with draws or without.
func TestRatingsCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 52))
	for _, draws := range []float64{0, 0.5} {
		elo := map[string]float64{"a": 0, "b": -30, "c": -100, "d": -150}
		names := strings.Split("abcd", "")
		var held, all int
		for range 1000 {
			var c Crosstable
			for i, a := range names {
				for _, b := range names[:i] {
					s := Score(elo[a] - elo[b])
					d := draws * 4 * s * (1 - s) / 2 // fewer between unequals
					n := truth{1 - s - d/2, d, s - d/2}.draw(r, 100)
					c.Add(a, b, WLD{n[2], n[0], n[1]})
				}
			}
			for _, r := range ratings(t, &c, "a") {
				if r.Name != "a" {
					all++
					if r.Elo.Low <= elo[r.Name] && elo[r.Name] <= r.Elo.High {
						held++
					}
				}
			}
		}
		if share := float64(held) / float64(all); math.Abs(share-0.95) > 0.015 {
			t.Errorf("draws %v: %d of %d", draws, held, all)
		}
	}
}

func TestRead(t *testing.T) {
	c := table(t, "\ufeff# results\r\na b 1-0\r\n\n a\tb 0-1\nb a 1/2-1/2\nb,a,0.5-0.5\na b *\nbig engine, a, 10, 3, 2")
	if ab, ba, x := c.Between("a", "b"), c.Between("b", "a"), c.Between("big engine", "a"); ab != (WLD{1, 1, 2}) || ba != ab || x != (WLD{10, 3, 2}) {
		t.Error(ab, ba, x)
	}
	if c.Between("a", "nobody") != (WLD{}) || !slices.Equal(c.Engines(), []string{"a", "b", "big engine"}) {
		t.Error(c.Engines())
	}
	c.Add("a", "a", WLD{1, 2, 3})
	if c.Between("a", "a") != (WLD{}) {
		t.Error("an engine is stronger than itself")
	}
	for in, want := range map[string]string{
		"a b":                                    "line 1: a game has 3 fields (first, second, result), a sum 5 (first, second, wins, losses, draws), not 2",
		"a b 1-0\na b 2-0":                       `line 2: unknown result "2-0" (1-0, 0-1, 1/2-1/2 or *)`,
		"a b 1 2 -3":                             `line 1: "-3" is not a number of games`,
		"a b 1 2 9999999999999":                  `line 1: "9999999999999" is not a number of games`,
		"a a 1-0":                                `line 1: "a" plays itself`,
		",a,1-0":                                 "line 1: a player has no name",
		"a b 1-0\n" + strings.Repeat("x", 1<<17): "line 2: bufio.Scanner: token too long",
	} {
		if err := new(Crosstable).Read(strings.NewReader(in)); err == nil || err.Error() != want {
			t.Errorf("%.20q: %v, not %s", in, err, want)
		}
	}
}
