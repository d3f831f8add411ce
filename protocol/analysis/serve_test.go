package analysis

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/engine/weiqi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come.
const patience = 60 * time.Second

// thinker is an engine for tests. The komi says what it does: it waits to be stopped (1), breaks
// (2), fails (3), reports thrice before its end (4), or is stopped before it knows anything (5).
type thinker struct {
	*lab
	options engine.Options
}

// lab notes what its thinkers do.
type lab struct {
	mu           sync.Mutex
	made, forgot int
	threads      []int // of each search
	memory       []int64
	limits       []game.Limits
	began        chan string // a word for each search that waits
	failToBegin  bool
}

func (t *thinker) Think(ctx context.Context, rec *game.Record, lim game.Limits, tell func(game.Info)) (game.Choice, error) {
	g, err := weiqi.Replay(rec)
	if err != nil {
		return game.Choice{}, err
	}
	t.mu.Lock()
	t.threads, t.memory, t.limits = append(t.threads, t.options.Threads), append(t.memory, t.options.Memory), append(t.limits, lim)
	t.mu.Unlock()
	komi := rec.Variant.Komi
	q, n := game.At(1, 0), rec.Variant.Size*rec.Variant.Size
	a := func(visits int64) *game.Analysis {
		owner := make([]float32, n)
		owner[1] = 0.25
		e := game.Estimate{Point: q, Visits: visits, PV: []game.Point{q, game.Pass, q}, PVVisits: []int64{visits, 2, 1},
			Win: 0.75, NoResult: 0.125, Utility: 0.5, Lead: 2.5, Score: 3.5, ScoreDev: 10, WinLow: 0.625, UtilityLow: 0.25, Prior: 0.0625,
			Owner: owner, OwnerDev: owner}
		root := e
		root.Point = game.NoPoint
		policy := make([]float32, n+1)
		policy[0], policy[n] = -1, 0.5
		return &game.Analysis{Side: g.ToMove(), Root: root, Moves: []game.Estimate{e}, Policy: policy,
			Net: &game.Impression{Win: 0.5, NoResult: 0.25, Lead: 1, Score: 2, ScoreDev: 3, WinError: -1, ScoreError: 5, TimeLeft: 6}}
	}
	switch komi {
	case 1, 5:
		t.began <- rec.ToMove().String()
		<-ctx.Done()
	case 2:
		panic("it hurts")
	case 3:
		return game.Choice{}, errors.New("no such board")
	case 4:
		for i := range int64(3) {
			tell(game.Info{MultiPV: 1, PV: []game.Point{q}}) // without an analysis
			tell(game.Info{MultiPV: 1, PV: []game.Point{q}, Analysis: a(i + 1)})
		}
	}
	visits := lim.Nodes
	if komi == 5 {
		visits = 0
	}
	tell(game.Info{MultiPV: 1, PV: []game.Point{q}, Last: true, Analysis: a(visits)})
	return game.Choice{Point: q}, nil
}

func (t *thinker) Configure(o engine.Options) { t.options = o }
func (t *thinker) Forget()                    { t.mu.Lock(); t.forgot++; t.mu.Unlock() }

func (l *lab) options() Options {
	return Options{Settings: Usual(), Engine: func(o engine.Options) (engine.Engine, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.failToBegin {
			return nil, errors.New("no engine")
		}
		l.made++
		return &thinker{lab: l, options: o}, nil
	}}
}

func newLab() *lab { return &lab{began: make(chan string, 1000)} }

// client is the other end of a conversation.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

func talk(t *testing.T, ctx context.Context, o Options) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		c.done <- Serve(ctx, inR, outW, o)
		inR.Close()
		outW.Close()
	}()
	t.Cleanup(func() { inW.Close(); outR.Close() })
	return c
}

func (c *client) send(format string, args ...any) { fmt.Fprintf(c.in, format+"\n", args...) }

// next returns the next answer.
func (c *client) next() map[string]any {
	c.t.Helper()
	type read struct {
		line string
		err  error
	}
	got := make(chan read, 1)
	go func() { l, err := c.out.ReadString('\n'); got <- read{l, err} }()
	select {
	case r := <-got:
		var m map[string]any
		if r.err != nil || json.Unmarshal([]byte(r.line), &m) != nil {
			c.t.Fatalf("%q, %v", r.line, r.err)
		}
		return m
	case <-time.After(patience):
		c.t.Fatal("no answer")
	}
	return nil
}

// expect checks some fields of the next answer, written as JSON.
func (c *client) expect(fields string) map[string]any {
	c.t.Helper()
	var want map[string]any
	if err := json.Unmarshal([]byte(fields), &want); err != nil {
		c.t.Fatal(err)
	}
	got := c.next()
	for k, v := range want {
		if a, b := fmt.Sprint(got[k]), fmt.Sprint(v); a != b {
			c.t.Errorf("%s is %s, not %s, in %.300v", k, a, b, got)
		}
	}
	return got
}

func (c *client) ends(want error) {
	c.t.Helper()
	select {
	case err := <-c.done:
		if !errors.Is(err, want) {
			c.t.Errorf("%v, not %v", err, want)
		}
	case <-time.After(patience):
		c.t.Fatal("does not end")
	}
}

// answers serves queries whole and returns the answers' lines.
func answers(t testing.TB, o Options, in string) []string {
	t.Helper()
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), strings.NewReader(in), &out, o) }()
	select {
	case err := <-done:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(patience):
		t.Fatal("does not end")
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// small is the rest of a query about a board of 3x3.
const small = `"rules":"new-zealand","boardXSize":3,"boardYSize":3`

// Everything that is told of a position, as each side's view has it.
func TestResult(t *testing.T) {
	query := func(more string) string {
		return `{"id":"a","moves":[["B","B2"]],"komi":0.5,"maxVisits":7,` + small + more + "}\n"
	}
	for view, want := range map[string]string{
		"BLACK": `{"id":"a","isDuringSearch":false,"moveInfos":[{"scoreLead":-2.5,"scoreMean":-2.5,"scoreSelfplay":-3.5,"scoreStdev":10,"utility":-0.5,"visits":7,"weight":7,"winrate":0.25,"lcb":0.375,"edgeVisits":7,"edgeWeight":7,"move":"B3","order":0,"playSelectionValue":7,"prior":0.0625,"pv":["B3","pass","B3"],"utilityLcb":-0.25}],` +
			`"rootInfo":{"scoreLead":-2.5,"scoreMean":-2.5,"scoreSelfplay":-3.5,"scoreStdev":10,"utility":-0.5,"visits":7,"weight":7,"winrate":0.25,"lcb":0.375,"rawLead":-1,"rawNoResultProb":0.25,"rawScoreSelfplay":-2,"rawScoreSelfplayStdev":3,"rawStScoreError":5,"rawStWrError":-0.5,"rawVarTimeLeft":6,"rawWinrate":0.5,"currentPlayer":"W",`,
		"SIDETOMOVE": `{"id":"a","isDuringSearch":false,"moveInfos":[{"scoreLead":2.5,"scoreMean":2.5,"scoreSelfplay":3.5,"scoreStdev":10,"utility":0.5,"visits":7,"weight":7,"winrate":0.75,"lcb":0.625,"edgeVisits":7,`,
		"white":      `{"id":"a","isDuringSearch":false,"moveInfos":[{"scoreLead":2.5,"scoreMean":2.5,"scoreSelfplay":3.5,"scoreStdev":10,"utility":0.5,"visits":7,"weight":7,"winrate":0.75,"lcb":0.625,"edgeVisits":7,`,
	} {
		got := answers(t, newLab().options(), query(`,"overrideSettings":{"reportAnalysisWinratesAs":"`+view+`"}`))
		if len(got) != 1 || !strings.HasPrefix(got[0], want) || !strings.HasSuffix(got[0], `"turnNumber":1}`) {
			t.Errorf("%s: %s\nnot %s", view, strings.Join(got, "\n"), want)
		}
	}
	all := answers(t, newLab().options(), query(`,"includeOwnership":true,"includeOwnershipStdev":true,"includeMovesOwnership":true,`+
		`"includeMovesOwnershipStdev":true,"includePolicy":true,"includePVVisits":true,"includeNoResultValue":true,"analysisPVLen":1`))
	if len(all) != 1 {
		t.Fatalf("%q", all)
	}
	for _, want := range []string{
		`"noResultValue":0.125,"edgeVisits"`, `"ownership":[0,-0.25,0,0,0,0,0,0,0],"ownershipStdev":[0,0.25,0,0,0,0,0,0,0],"playSelectionValue"`,
		`"pv":["B3","pass"],"pvVisits":[7,2],"pvEdgeVisits":[7,2],"utilityLcb"`, `}],"ownership":[0,-0.25,0,0,0,0,0,0,0],"ownershipStdev":[0,0.25,0,0,0,0,0,0,0],"policy":[-1,0,0,0,0,0,0,0,0,0.5],"rootInfo"`,
	} {
		if !strings.Contains(all[0], want) {
			t.Errorf("no %s in %s", want, all[0])
		}
	}
}

// Equal positions have equal names, however they came about; those that lie otherwise share the
// second one.
func TestHashes(t *testing.T) {
	rec := func(moves string, first game.Color) *game.Record {
		r := &game.Record{Variant: game.Variant{Rule: game.Weiqi, Size: 5, Ruleset: "chinese"}, Setup: game.Setup{ToMove: first}}
		for _, m := range strings.Fields(moves) {
			q := game.Pass
			if m != "pass" {
				q = game.At(int(m[0]-'a'), int(m[1]-'a'))
			}
			r.Moves = append(r.Moves, game.Move{Color: r.ToMove(), Point: q})
		}
		return r
	}
	hashes := func(r *game.Record) [2]string {
		h, err := hashesOf(r)
		if err != nil || len(h[0]) != 32 || len(h[1]) != 32 {
			t.Fatalf("%q, %v", h, err)
		}
		return h
	}
	a, b := hashes(rec("bb dd cc", game.Black)), hashes(rec("cc dd bb", game.Black))
	turned := hashes(rec("bd db cc", game.Black))
	if a != b || a != hashes(rec("pass bb dd cc", game.White)) {
		t.Errorf("%q and %q by another order", a, b)
	}
	if a[0] == turned[0] || a[1] != turned[1] {
		t.Errorf("%q and %q turned", a, turned)
	}
	if other := hashes(rec("bb dd cc pass", game.Black)); other[0] == a[0] || other[1] == a[1] {
		t.Error("the side to move makes no difference")
	}
	// White has taken a stone in a ko, which Black may not retake before other moves.
	taken := hashes(rec("bb cb ac db bd cd cc dc pass bc", game.Black))
	later := hashes(rec("bb cb ac db bd cd cc dc pass bc pass pass", game.Black))
	if taken[0] == later[0] || taken[1] == later[1] {
		t.Error("the ko makes no difference")
	}
}

// The most urgent position comes first, and of equal ones the first asked for; what waits is
// answered at once when it is ended, what runs with what it has.
func TestOrderAndTermination(t *testing.T) {
	l := newLab()
	c := talk(t, t.Context(), l.options())
	ask := func(id string, komi float64, more string) {
		c.send(`{"id":"%s","moves":[["B","A1"],["W","C3"],["B","B2"]],"komi":%v,%s%s}`, id, komi, small, more)
	}
	ask("first", 1, "")
	<-l.began
	ask("low", 0, `,"priority":-1`)
	ask("turns", 0, `,"analyzeTurns":[2,0,1],"priorities":[5,-7,0]`)
	ask("late", 0, "")
	ask("gone", 0, `,"analyzeTurns":[0,1,2,3]`)
	c.send(`{"id":"x","action":"terminate","terminateId":"gone","turnNumbers":[1,3],"extra":[1]}`)
	c.expect(`{"id":"gone","turnNumber":1,"noResults":true,"isDuringSearch":false}`)
	c.expect(`{"id":"gone","turnNumber":3,"noResults":true}`)
	c.expect(`{"id":"x","action":"terminate","terminateId":"gone","turnNumbers":[1,3],"extra":[1]}`)
	c.send(`{"id":"x","action":"terminate","terminateId":"gone"}`)
	c.expect(`{"id":"gone","turnNumber":0,"noResults":true}`)
	c.expect(`{"id":"gone","turnNumber":2,"noResults":true}`)
	c.expect(`{"id":"x"}`)
	c.send(`{"id":"y","action":"terminate","terminateId":"first","turnNumbers":[2]}`)
	c.expect(`{"id":"y"}`)
	c.send(`{"id":"y","action":"terminate","terminateId":"first"}`)
	// The echo may come at any time after the end of what ran.
	var order []string
	for range 7 {
		m := c.next()
		if m["id"] == "first" && m["rootInfo"] == nil {
			t.Error("no results of what ran")
		}
		if m["id"] != "y" {
			order = append(order, fmt.Sprint(m["id"], " ", m["turnNumber"]))
		}
	}
	if want := []string{"first 3", "turns 2", "turns 1", "late 3", "low 3", "turns 0"}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q", order, want)
	}
	// What was stopped before it knew anything has no results.
	ask("nothing", 5, "")
	ask("waits", 0, "")
	<-l.began
	c.send(`{"id":"z","action":"terminate_all"}`)
	c.expect(`{"id":"waits","noResults":true}`)
	c.expect(`{"id":"z","action":"terminate_all"}`)
	c.expect(`{"id":"nothing","noResults":true,"turnNumber":3}`)
	c.in.Close()
	c.ends(nil)
	if l.made != 1 {
		t.Errorf("%d engines", l.made)
	}
}

// An engine that fails or breaks costs its query an answer, and nothing else.
func TestFaults(t *testing.T) {
	l := newLab()
	c := talk(t, t.Context(), l.options())
	c.send(`{"id":"breaks","moves":[],"komi":2,` + small + `}`)
	c.expect(`{"id":"breaks","error":"internal error: it hurts"}`)
	c.send(`{"id":"fails","moves":[],"komi":3,` + small + `}`)
	c.expect(`{"id":"fails","error":"no such board"}`)
	c.send(`{"id":"good","moves":[],"komi":0,` + small + `}`)
	c.expect(`{"id":"good","isDuringSearch":false}`)
	l.mu.Lock()
	if l.made != 2 {
		t.Errorf("%d engines were made, the one that broke and another", l.made)
	}
	l.mu.Unlock()
	c.in.Close()
	c.ends(nil)

	l = newLab()
	l.failToBegin = true
	if got := answers(t, l.options(), `{"id":"a","moves":[],`+small+"}\n"); len(got) != 1 || got[0] != `{"error":"no engine","id":"a"}` {
		t.Errorf("%q", got)
	}
}

// Reports come during the search if they are asked for; settings reach the engine.
func TestLimits(t *testing.T) {
	l := newLab()
	got := answers(t, l.options(), `{"id":"a","moves":[],"komi":4,`+small+`,"reportDuringSearchEvery":0.5,"maxVisits":9,"overrideSettings":{"maxTime":2,"wideRootNoise":0.25,"rootFpuReductionMax":"1"},"rootPolicyTemperature":1.5,"includePolicy":true}
		{"id":"b","moves":[],"komi":0,`+small+`,"firstReportDuringSearchAfter":0.25,"includeMovesOwnershipStdev":true,"avoidMoves":[{"player":"W","moves":["A1","pass"],"untilDepth":3}]}`)
	during := 0
	for _, line := range got {
		if strings.Contains(line, `"isDuringSearch":true`) {
			during++
		}
	}
	if during != 3 || len(got) != 3+2+1 { // and a warning
		t.Errorf("%d reports: %s", during, strings.Join(got, "\n"))
	}
	a, b := l.limits[0], l.limits[1]
	if q := a.Inquiry; a.Nodes != 9 || a.Hard != 2*time.Second || q.First != 500*time.Millisecond || q.Every != q.First || q.Temperature != 3 || *q.Unseen != 0.5 || q.Owners || q.MoveOwners || q.Plays {
		t.Errorf("%+v, %+v", a, a.Inquiry)
	}
	if q := b.Inquiry; b.Nodes != 500 || b.Hard != 0 || q.First != 250*time.Millisecond || q.Every != 0 || q.Owners || !q.MoveOwners || q.Temperature != 1 || q.Unseen != nil ||
		q.Barred[game.White][game.At(0, 2)] != 3 || q.Barred[game.White][game.Pass] != 3 || q.Barred[game.Black][game.Pass] != 0 {
		t.Errorf("%+v, %+v", b, b.Inquiry)
	}
}

// A lone search has all threads, several share them.
func TestShares(t *testing.T) {
	l := newLab()
	o := l.options()
	o.Parallel, o.Threads, o.Memory = 3, 6, 800
	c := talk(t, t.Context(), o)
	c.send(`{"id":"a","moves":[],"komi":1,` + small + `}`)
	<-l.began
	c.send(`{"id":"b","moves":[["B","A1"]],"komi":1,"analyzeTurns":[0,1],` + small + `}`)
	<-l.began
	<-l.began
	c.send(`{"id":"z","action":"terminate_all"}`)
	for range 4 {
		c.next()
	}
	c.in.Close()
	c.ends(nil)
	if fmt.Sprint(l.threads) != "[6 2 2]" {
		t.Errorf("threads %v", l.threads)
	}
	// Half of it for trees: first a half of that, and a quarter each for the others.
	if fmt.Sprint(l.memory) != "[800 400 400]" {
		t.Errorf("memory %v", l.memory)
	}
}

// The end of the input lets the rest be finished, or not; a signal and a reader that is gone end
// everything.
func TestEnds(t *testing.T) {
	l := newLab()
	query := `{"id":"a","moves":[],"komi":0,` + small + `}`
	if got := answers(t, l.options(), query+"\n\r\n  \n"+query); len(got) != 2 {
		t.Errorf("%q", got)
	}
	o := l.options()
	o.Hasty = true
	c := talk(t, t.Context(), o)
	c.send(`{"id":"a","moves":[["B","A1"]],"analyzeTurns":[0,1],"komi":1,` + small + `}`)
	<-l.began
	c.in.Close()
	c.expect(`{"id":"a","turnNumber":0,"isDuringSearch":false}`)
	c.ends(nil)

	ctx, cancel := context.WithCancel(context.Background())
	c = talk(t, ctx, l.options())
	c.send(`{"id":"a","moves":[["B","A1"]],"analyzeTurns":[0,1],"komi":1,` + small + `}`)
	<-l.began
	cancel()
	c.ends(context.Canceled)

	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), r, broken{}, l.options()) }()
	fmt.Fprintln(w, `{"id":"a","moves":[],"komi":1,`+small+`}`)
	<-l.began
	fmt.Fprintln(w, "nonsense")
	select {
	case err := <-done:
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v", err)
		}
	case <-time.After(patience):
		t.Error("goes on for nobody")
	}
	w.Close()
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Thousands of queries are answered once each, though the client reads nothing before it has
// asked them all.
func TestMany(t *testing.T) {
	l := newLab()
	o := l.options()
	o.Parallel, o.Threads = 4, 4
	c := talk(t, t.Context(), o)
	const queries, turns = 1500, 3
	for i := range queries {
		c.send(`{"id":"%d","moves":[["B","A1"],["W","pass"]],"analyzeTurns":[0,1,2],"komi":%v,"reportDuringSearchEvery":1,"includePolicy":true,%s}`, i, []float64{0, 2, 3, 4}[i%4], small)
	}
	c.in.Close()
	final := map[string]int{}
	for n := 0; n < queries*turns; {
		m := c.next()
		if m["isDuringSearch"] == true {
			continue
		}
		n++
		final[m["id"].(string)]++
	}
	c.ends(nil)
	for i := range queries {
		if n := final[fmt.Sprint(i)]; n != turns {
			t.Fatalf("%d answers to %d", n, i)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.forgot == 0 {
		t.Error("no engine was given back")
	}
}

// What cannot be kept is refused, and goes on once there is room.
func TestTooMany(t *testing.T) {
	l := newLab()
	o := l.options()
	o.room = 3000
	c := talk(t, t.Context(), o)
	query := func(id string, komi int) {
		c.send(`{"id":"%s","moves":[["B","A1"]],"analyzeTurns":[0,1],"komi":%d,%s}`, id, komi, small)
	}
	query("a", 1)
	<-l.began
	for range 10 {
		query("more", 0)
	}
	// Each query is answered twice or refused, in whatever order the positions end.
	refused, answers, ended := 0, map[any]int{}, false
	for !ended || answers["a"] < 2 || refused+answers["more"]/2 < 10 {
		switch m := c.next(); {
		case m["id"] == "z":
			ended = true
		case m["id"] == "more" && m["field"] == nil && m["error"] != nil:
			if refused++; refused == 1 {
				c.send(`{"id":"z","action":"terminate_all"}`)
			}
		case m["turnNumber"] != nil:
			answers[m["id"]]++
		default:
			t.Fatal(m)
		}
	}
	query("b", 0)
	c.expect(`{"id":"b","turnNumber":0,"isDuringSearch":false}`)
	c.expect(`{"id":"b","turnNumber":1}`)
	c.in.Close()
	c.ends(nil)
}

// Each line of a script is a query.
func seeds(f *testing.F) (lines []string) {
	files, _ := filepath.Glob("../../cmd/tengen/testdata/analysis/*.txt")
	if len(files) < 3 {
		f.Fatal("no dialogues")
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for l := range strings.Lines(string(b)) {
			if strings.HasPrefix(l, "{") {
				lines = append(lines, strings.TrimSpace(l))
			}
		}
	}
	return lines
}

// FuzzServe: whatever comes in, what comes out are objects, nothing breaks or hangs, and positions
// that are searched are positions.
func FuzzServe(f *testing.F) {
	lines := seeds(f)
	for i, l := range lines {
		f.Add(l)
		f.Add(l + "\r\n" + lines[(i+7)%len(lines)])
		f.Add(l[:len(l)*2/3] + "\n" + l)
	}
	f.Fuzz(func(t *testing.T, in string) {
		l := newLab()
		o := l.options()
		o.Hasty, o.Parallel = true, 2
		o.Network = &Network{Forget: func() {}}
		got := answers(t, o, in)
		for _, line := range got {
			var m map[string]any
			if line == "" {
				continue // what has not begun at the end is dropped
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil || m == nil {
				t.Fatalf("no object: %q", line)
			}
			if e, _ := m["error"].(string); strings.HasPrefix(e, "internal error") && !strings.Contains(e, "it hurts") {
				t.Fatalf("it broke: %s", line)
			}
		}
	})
}

// FuzzQuery: what is read as a query can be searched.
func FuzzQuery(f *testing.F) {
	for _, l := range seeds(f) {
		f.Add([]byte(l))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		fields, err := decode(line)
		if err != nil {
			return
		}
		q, err := parse(fields, "id", Usual(), true)
		if err != nil {
			var c complaint
			if !errors.As(err, &c) || c.field == "" {
				t.Fatalf("no complaint about a field: %v", err)
			}
			return
		}
		if _, err := weiqi.Replay(&q.rec); err != nil {
			t.Fatalf("no game: %v", err)
		}
		for i, u := range q.turns {
			if u.number < 0 || u.number > len(q.rec.Moves) || i > 0 && u.number <= q.turns[i-1].number {
				t.Fatalf("turns %v", q.turns)
			}
		}
		if q.Visits < 1 || q.PVLen < 1 || q.Time < 0 || q.first < 0 || q.every < 0 || !(q.temperature() > 0) || q.weight() <= 0 {
			t.Fatalf("settings %+v", q)
		}
		for c := range 2 {
			for p := range game.NumPoints {
				if q.barred != nil && q.barred[c][p] > 0 && !game.Point(p).On(q.rec.Variant.Size) && game.Point(p) != game.Pass {
					t.Fatalf("barred from %d", p)
				}
			}
		}
	})
}
