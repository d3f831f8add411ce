package report

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestScale(t *testing.T) {
	up := scale{0, 10, 100, 200}
	down := scale{-1, 1, 220, 20} // as the vertical axis of a picture
	for _, c := range []struct {
		s       scale
		v, want float64
	}{
		{up, 0, 100}, {up, 5, 150}, {up, 10, 200}, {up, -3, 100}, {up, 11, 200},
		{up, math.Inf(1), 200}, {up, math.Inf(-1), 100}, {up, math.NaN(), 100},
		{down, 1, 20}, {down, -1, 220}, {down, 0, 120}, {down, math.Inf(1), 20},
		{scale{3, 3, 7, 9}, 3, 7}, // a range of nothing
	} {
		if got := c.s.at(c.v); got != c.want {
			t.Errorf("%v at %v: %v, want %v", c.s, c.v, got, c.want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   []float64
	}{
		{0, 10, 5, []float64{0, 2, 4, 6, 8, 10}},
		{-2.94, 2.94, 5, []float64{-2, 0, 2}},
		{0, 1, 5, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{-130, 470, 4, []float64{0, 200, 400}},
		{0, 3, 6, []float64{0, 0.5, 1, 1.5, 2, 2.5, 3}},
		{0.1, 0.3, 2, []float64{0.1, 0.2, 0.3}},
		{5, 5, 4, nil}, {7, 5, 4, nil}, {0, 1, 0, nil}, {math.Inf(-1), 0, 4, nil}, {0, math.NaN(), 4, nil},
	} {
		got := ticks(c.lo, c.hi, c.n)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%v to %v, %d: %v, want %v", c.lo, c.hi, c.n, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 1e6).Draw(t, "span")
		n := rapid.IntRange(2, 10).Draw(t, "n")
		got := ticks(lo, hi, n)
		if len(got) > n+1 || len(got) < n/3 {
			t.Fatal(len(got), "ticks", got)
		}
		for _, v := range got {
			if slack := (hi - lo) * 1e-6; v < lo-slack || v > hi+slack {
				t.Fatal(v, "is outside")
			}
		}
	})
}

func TestPath(t *testing.T) {
	a, b := []xy{{1, 2}, {3.14159, 4}}, []xy{{1, 9}, {3, 10}}
	for _, c := range []struct{ got, want string }{
		{path(nil), ""}, {path(a), "M1 2L3.1 4"}, {path(a[:1]), "M1 2"}, {path([]xy{{-0.01, 1e6}}), "M0 1000000"},
		{area(a, b), "M1 2L3.1 4L3 10L1 9Z"}, {area(nil, nil), ""},
		{number(0.1 + 0.2), "0.3"}, {number(-200), "−200"}, {number(math.Copysign(0, -1)), "0"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestThin(t *testing.T) {
	for _, c := range []struct {
		n, most int
		want    []int
	}{
		{0, 5, []int{}}, {3, 5, []int{0, 1, 2}}, {5, 5, []int{0, 1, 2, 3, 4}}, {9, 3, []int{0, 4, 8}}, {10, 1, []int{9}}, {1, 1, []int{0}},
	} {
		if got := thin(c.n, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%d of %d: %v, want %v", c.most, c.n, got, c.want)
		}
	}
}

// Whatever the values are, a line stays within its plot.
func TestDraw(t *testing.T) {
	c := newChart("a", "games", 10, -100, 100)
	h, v := c.horizontal(10), c.vertical(-100, 100)
	c.draw("x", 0, h, v, []value{{1, math.Inf(1), -20, math.Inf(1)}, {2, 50, 0, 90}, {10, -100, math.Inf(-1), 0}}, true)
	l := c.Lines[0]
	if want := "M101.6 14L151.2 66L548 222"; l.Path != want {
		t.Errorf("line %s, want %s", l.Path, want)
	}
	if want := "M101.6 14L151.2 24.4L548 118L548 222L151.2 118L101.6 138.8Z"; l.Band != want {
		t.Errorf("band %s, want %s", l.Band, want)
	}
	if l.EndX != 548 || l.EndY != 222 {
		t.Error("ends at", l.EndX, l.EndY)
	}
	if c.draw("nothing", 1, h, v, nil, true); len(c.Lines) != 1 {
		t.Error("a line without points")
	}
}
