package bench

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The canned reports compare as they always did.
func TestCompare(t *testing.T) {
	old, err := ReadReport("testdata/old.json")
	if err != nil {
		t.Fatal(err)
	}
	now, err := ReadReport("testdata/new.json")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Compare(&b, old, now); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/compare.txt"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s\nwant:\n%s", b.String(), want)
	}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		better   Better
		unit     string
		old, new []float64
		want     string
	}{
		{More, "nodes/s", []float64{100, 101, 102, 103}, []float64{110, 111, 112, 113}, "faster"},
		{More, "nodes/s", []float64{110, 111, 112, 113}, []float64{100, 101, 102, 103}, "slower"},
		{Less, "ms", []float64{100, 101, 102, 103}, []float64{110, 111, 112, 113}, "slower"},
		{Less, "ms", []float64{110, 111, 112, 113}, []float64{100, 101, 102, 103}, "faster"},
		{More, "ratio", []float64{1, 1.01, 1.02, 1.03}, []float64{1.1, 1.11, 1.12, 1.13}, "better"},
		{Less, "ms", []float64{100, 104, 102, 103}, []float64{101, 105, 103.5, 99}, "same"},
		{Less, "ms", []float64{100, 101, 102}, []float64{200, 201, 202}, "too few runs"},
		{Neither, "", []float64{7, 7}, []float64{7}, "same"},
		{Neither, "", []float64{7, 7}, []float64{8}, "changed"},
		{Neither, "%", []float64{7, 7.1, 7.2, 7.3}, []float64{8, 8.1, 8.2, 8.3}, "more"},
		{Less, "ms", []float64{0, 0, 0, 0}, []float64{0, 0, 0, 0}, "same"},
		{Less, "ms", nil, []float64{1}, "not measured"},
	} {
		d := Diff(&Figure{Unit: c.unit, Better: c.better, Samples: c.old}, &Figure{Unit: c.unit, Better: c.better, Samples: c.new})
		if d.Verdict != c.want {
			t.Errorf("%v %v %v: %s (%+v), want %s", c.better, c.old, c.new, d.Verdict, d, c.want)
		}
		if !math.IsNaN(d.Ratio) && (d.Low > d.Ratio || d.High < d.Ratio) {
			t.Errorf("%v is not within %v and %v", d.Ratio, d.Low, d.High)
		}
	}
}

// The exact probabilities, against counting all ways to deal out the ranks.
func TestMannWhitneyExact(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for m := 1; m <= 5; m++ {
			count, total := make([]float64, n*m+1), 0.0
			for set := range 1 << (n + m) {
				first, u := 0, 0
				below := 0
				for i := range n + m {
					if set>>i&1 == 1 {
						first++
						u += below
					} else {
						below++
					}
				}
				if first == n {
					count[u]++
					total++
				}
			}
			for u, p := range uDistribution(n, m) {
				if math.Abs(p-count[u]/total) > 1e-12 {
					t.Errorf("n %d m %d u %d: %v, want %v", n, m, u, p, count[u]/total)
				}
			}
		}
	}
	// Mann and Whitney's table of 1947 has 0.016 for one side at n = m = 5, U = 2.
	a, b := []float64{1, 2, 3, 6, 7}, []float64{4, 5, 8, 9, 10}
	if p := MannWhitney(a, b); math.Abs(p-2*12./252) > 1e-12 {
		t.Errorf("p %v", p)
	}
	if p := MannWhitney([]float64{1, 2, 3, 4, 7}, []float64{5, 6, 8, 9, 10}); math.Abs(p/2-0.016) > 5e-4 {
		t.Errorf("p %v", p)
	}
}

// With ties and with many samples the normal approximation is near, and never above 1.
func TestMannWhitneyApproximation(t *testing.T) {
	if p := MannWhitney([]float64{1, 1, 1}, []float64{1, 1, 1}); p != 1 {
		t.Errorf("all alike: %v", p)
	}
	if p := MannWhitney(nil, []float64{1}); p != 1 {
		t.Errorf("none: %v", p)
	}
	var a, b, c []float64
	for i := range 40 {
		a, b, c = append(a, float64(i)), append(b, float64(i)+0.5), append(c, float64(i)+30)
	}
	if p := MannWhitney(a, b); p < 0.5 || p > 1 {
		t.Errorf("alike: %v", p)
	}
	if p := MannWhitney(a, c); p > 1e-6 {
		t.Errorf("apart: %v", p)
	}
	exact := MannWhitney(a[:30], c[:30])
	tied := MannWhitney(append([]float64{3, 3}, a[:28]...), c[:30])
	if exact > 1e-6 || tied > 1e-5 {
		t.Errorf("exact %v, with ties %v", exact, tied)
	}
}

func TestRankBound(t *testing.T) {
	for _, c := range []struct {
		n, m, k    int
		confidence float64
	}{{3, 3, 0, 0}, {4, 4, 1, 1 - 2./70}, {5, 5, 3, 1 - 2*4./252}, {10, 10, 24, 0.9567}} {
		if k, p := rankBound(c.n, c.m); k != c.k || math.Abs(p-c.confidence) > 1e-4 {
			t.Errorf("%d and %d samples: rank %d, %v", c.n, c.m, k, p)
		}
	}
	if k, _ := rankBound(40, 40); k < 595 || k > 600 {
		t.Errorf("40 and 40 samples: rank %d", k)
	}
}

func TestReportRoundTrip(t *testing.T) {
	r := NewReport()
	r.add("a", "b", "c", "ms", Less, 1.5)
	r.add("a", "b", "c", "ms", Less, 2.5)
	r.add("a", "b", "nothing", "ms", Less, math.NaN())
	r.Signature["renju"] = 12
	r.note("one %d", 1)
	r.note("one %d", 1)
	name := filepath.Join(t.TempDir(), "r.json")
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(name, b.Bytes(), 0o644)
	back, err := ReadReport(name)
	if err != nil {
		t.Fatal(err)
	}
	if f := back.Find("a", "b", "c"); f == nil || f.Median() != 2 || f.Better != Less || back.Signature["renju"] != 12 || len(back.Notes) != 1 || len(back.Figures) != 1 {
		t.Errorf("%+v", back)
	}
	for _, c := range []struct{ text, want string }{
		{"", "not a report"}, {"[1]", "not a report"}, {`{"format":99}`, "format 99"}, {`{"format":1,"figures":[null]}`, "figure 1"},
	} {
		os.WriteFile(name, []byte(c.text), 0o644)
		if _, err := ReadReport(name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	if _, err := ReadReport(name + "x"); err == nil {
		t.Error("no file, no error")
	}
}

func TestPrint(t *testing.T) {
	r := NewReport()
	r.add("s", "renju", "speed", "nodes/s", More, 1_234_567)
	r.add("s", "renju", "speed", "nodes/s", More, 1_300_000)
	r.add("s", "renju", "n", "", Neither, 12)
	r.add("s", "go", "n", "", Neither, 3.14159)
	r.add("t", "x", "y", "%", Neither, 0)
	r.add("t", "z", "y", "%", Neither, -1)
	r.add("t", "z", "y", "%", Neither, 2)
	r.note("A word.")
	r.Threads = 2
	for _, g := range Games() {
		r.Signature[g.String()] = 10
	}
	var b bytes.Buffer
	r.Print(&b)
	const want = `s      speed (nodes/s)      n
renju      1267k ±2.6%     12
go                   -  3.142

t     y (%)
x         0
z  0.5 ±1.5

A word.
use -threads 2
signature of go 10
signature 80
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", 9999: "9999", 12.3456: "12.35", 0.000123456: "0.0001235", 10_000: "10k", 123_456: "123.5k",
		9_999_499: "9999k", 12_345_678: "12.35M", 12_345_678_901: "12.35G", -12_345: "-12.35k", math.NaN(): "-",
	} {
		if s := Number(x); s != want {
			t.Errorf("%v: %s, want %s", x, s, want)
		}
	}
}

func TestQuantile(t *testing.T) {
	s := []float64{5, 1, 3, 2, 4}
	for q, want := range map[float64]float64{0: 1, 0.5: 3, 1: 5, 0.25: 2, 0.1: 1.4} {
		if x := Quantile(s, q); math.Abs(x-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", q, x, want)
		}
	}
	if x := Quantile([]float64{7}, 0.3); x != 7 || !math.IsNaN(Quantile(nil, 0.5)) {
		t.Error("one or no sample")
	}
}
