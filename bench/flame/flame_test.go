package flame

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// canned returns a profile of stacks, each from the outermost to the innermost function.
func canned(unit string, stacks map[string]int64) *profile.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: unit}}}
	functions := map[string]*profile.Location{}
	for s, v := range stacks {
		sample := &profile.Sample{Value: []int64{1, v}}
		for name := range strings.FieldsSeq(s) {
			l := functions[name]
			if l == nil {
				f := &profile.Function{ID: uint64(len(functions) + 1), Name: name}
				l = &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}}
				functions[name] = l
				p.Function, p.Location = append(p.Function, f), append(p.Location, l)
			}
			sample.Location = append([]*profile.Location{l}, sample.Location...)
		}
		p.Sample = append(p.Sample, sample)
	}
	return p
}

func drawn(t *testing.T, p *profile.Profile, kind string) string {
	t.Helper()
	// Through the file format, as a profile that was written comes.
	var file, b bytes.Buffer
	if err := p.Write(&file); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(&b, p, kind); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
	}
	return b.String()
}

func TestWrite(t *testing.T) {
	s := drawn(t, canned("nanoseconds", map[string]int64{
		"main.main a.com/x/alphabeta.(*worker).search":                                                                  2e9,
		"main.main a.com/x/alphabeta.(*worker).search a.com/x/alphabeta.(*worker).search x/line.Make[a/b.T]":            1e9,
		"main.main a.com/x/alphabeta.(*worker).search x/eval.Sum a.com/x/alphabeta.(*worker).search x/line.Make[a/b.T]": 1e9,
		"main.main runtime.tiny": 1e6,
	}), "")
	for _, want := range []string{
		"<title>all\n4s, 100.0 %; in itself 0s, 0.0 %</title>",
		"<title>alphabeta.(*worker).search\n4s, 100.0 %; in itself 2s, 50.0 %</title>", // recursion folded
		"<title>line.Make[a/b.T]\n2s, 50.0 %; in itself 2s, 50.0 %</title>",
		">alphabeta.(*worker).search</text>",
		"cpu: 4s in 4 stacks",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	if strings.Contains(s, "tiny") || strings.Contains(s, "script") {
		t.Error("too much is drawn")
	}
	// A caller is as wide as what it calls, and below it.
	box := regexp.MustCompile(`<title>(\S+)[^<]*</title><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"`)
	at := map[string][]string{}
	for _, m := range box.FindAllStringSubmatch(s, -1) {
		at[m[1]] = m[2:]
	}
	if a, b := at["all"], at["main.main"]; len(a) == 0 || len(b) == 0 || a[0] != b[0] || a[2] != b[2] || a[1] <= b[1] {
		t.Errorf("boxes: %v", at)
	}
}

func TestKindsAndUnits(t *testing.T) {
	p := canned("bytes", map[string]int64{"a.f": 3 << 20, `b.<"&>`: 1 << 20})
	if s := drawn(t, p, "cpu"); !strings.Contains(s, "3 MiB, 75.0 %") || !strings.Contains(s, "b.&lt;&quot;&amp;&gt;") {
		t.Error(s)
	}
	if s := drawn(t, p, "samples"); !strings.Contains(s, "1, 50.0 %") {
		t.Error(s)
	}
	if err := Write(io.Discard, p, "alloc"); err == nil || !strings.Contains(err.Error(), `"samples" "cpu"`) {
		t.Errorf("error %v", err)
	}
	if s := drawn(t, canned("nanoseconds", nil), ""); !strings.Contains(s, "0s in 0 stacks") {
		t.Error(s)
	}
}
