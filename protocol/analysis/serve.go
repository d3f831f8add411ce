// Package analysis is the JSON protocol of KataGo's analysis engine, which KaTrain and other
// front ends speak: a line asks about positions of a game of Go, as many as are wished, and
// each is answered by a line when its search has ended. Nothing waits for anything else: any
// number of questions may be open.
//
// The idea: one goroutine reads and answers at once what needs no search, a few search, each
// with an engine of its own, the most urgent position first, and one writes.
//
// Source: KataGo's document "Analysis Engine" (docs/Analysis_Engine.md), and what its program
// answers.
package analysis

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
)

// Options are what the queries do not tell.
type Options struct {
	Settings
	Parallel int   // positions searched at once; 0 means 1
	Threads  int   // search threads, which these share; 0 means 1
	Memory   int64 // bytes for the searches, all together
	// Engine makes a player of Go.
	Engine  func(engine.Options) (engine.Engine, error)
	Network *Network // that it asks, nil if there is none
	// Hasty ends all searches at the end of the input, instead of waiting for them.
	Hasty bool

	room int64 // for what waits, in bytes; 0 means maxOpen
}

// Network is what is told of a network.
type Network struct {
	File, Name string
	Version    int
	Batch      int    // positions at once
	Forget     func() // drops what is remembered of its answers
}

const (
	maxLine = 16 << 20 // bytes of a query
	// maxOpen bounds what the positions that wait may take, in bytes. Queries beyond it are
	// refused.
	maxOpen = 64 << 20
)

// Serve answers queries until the end of r, and then what is still open; or until w fails or
// ctx is done. Each answer is a line.
func Serve(ctx context.Context, r io.Reader, w io.Writer, o Options) error {
	o.Parallel, o.Threads = max(o.Parallel, 1), max(o.Threads, 1)
	o.room = cmp.Or(o.room, maxOpen)
	sv := &server{o: o, out: newOutbox(w), running: map[*job]context.CancelFunc{}}
	sv.more = sync.NewCond(&sv.mu)
	lines, quit := make(chan line, 16), make(chan struct{})
	defer close(quit)
	go readLines(r, lines, quit)
	done := make(chan error, 1)
	go func() { done <- sv.serve(ctx, lines) }()
	return protocol.Await(ctx, done)
}

// server is one conversation.
type server struct {
	o   Options
	out *outbox

	mu      sync.Mutex
	more    *sync.Cond // there is something to do, or there will be nothing any more
	queue   queue
	running map[*job]context.CancelFunc
	count   int64 // of jobs so far
	open    int64 // bytes that they take that have not ended
	lent    int64 // bytes for trees that the running searches have
	closed  bool
}

// job is one position to be searched.
type job struct {
	*query
	turn
	number int64 // in the order in which they came
}

// queue holds jobs, the most urgent one first.
type queue []*job

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].priority, q[i].priority), cmp.Compare(q[i].number, q[j].number)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*job)) }
func (q *queue) Pop() any {
	n := len(*q) - 1
	j := (*q)[n]
	(*q)[n] = nil
	*q = (*q)[:n]
	return j
}

func (sv *server) serve(ctx context.Context, lines <-chan line) error {
	var workers, writer sync.WaitGroup
	writer.Go(sv.out.run)
	for range sv.o.Parallel {
		workers.Go(func() { sv.work(ctx) })
	}
	for open := true; open; {
		select {
		case <-ctx.Done():
			open = false
		case <-sv.out.broken:
			open = false
		case l, ok := <-lines:
			if open = ok; ok {
				sv.line(l)
			}
		}
	}
	failed := ctx.Err() != nil || sv.out.failed()
	if failed {
		sv.out.fail(cmp.Or(ctx.Err(), io.ErrClosedPipe))
	}
	sv.mu.Lock()
	if sv.closed = true; failed || sv.o.Hasty {
		sv.queue = nil
		for _, cancel := range sv.running {
			cancel()
		}
	}
	sv.more.Broadcast()
	sv.mu.Unlock()
	workers.Wait()
	sv.out.end()
	writer.Wait()
	return sv.out.err
}

// line answers one line.
func (sv *server) line(l line) {
	defer func() {
		if p := recover(); p != nil {
			sv.say(failure{Error: fmt.Sprintf("internal error: %v", p)})
		}
	}()
	if len(bytes.TrimSpace(l.text)) == 0 && !l.long {
		return
	}
	if l.long {
		sv.say(failure{Error: fmt.Sprintf("a line may have %d bytes", maxLine)})
		return
	}
	f, err := decode(l.text)
	if err != nil {
		sv.say(failure{Error: err.Error()})
		return
	}
	id, ok := f.text("id")
	if !ok {
		sv.say(failure{Error: "a query needs an id, a string"})
		return
	}
	if action, ok := f.text("action"); ok {
		err = sv.act(action, f)
	} else {
		err = sv.ask(f, id)
	}
	if err != nil {
		c := complaint{text: err.Error()}
		errors.As(err, &c)
		sv.say(failure{Error: c.text, Field: c.field, ID: &id})
	}
}

func (sv *server) say(answer any) { sv.out.put(encode(answer)) }

// ask puts the positions of a query into the queue.
func (sv *server) ask(f fields, id string) error {
	q, err := parse(f, id, sv.o.Settings, sv.o.Network != nil)
	if err != nil {
		return err
	}
	weight := q.weight() * int64(len(q.turns))
	sv.mu.Lock()
	full := sv.open+weight > sv.o.room
	if !full {
		sv.open += weight
	}
	sv.mu.Unlock()
	if full {
		return errors.New("too many queries are open, some must be answered first")
	}
	for _, c := range q.warnings {
		sv.say(warning{Field: c.field, ID: id, Warning: c.text})
	}
	q.warnings = nil
	sv.mu.Lock()
	defer sv.mu.Unlock()
	for _, t := range q.turns {
		heap.Push(&sv.queue, &job{query: q, turn: t, number: sv.count})
		sv.count++
	}
	sv.more.Broadcast()
	return nil
}

// act does what is no question about a position, and echoes it.
func (sv *server) act(action string, f fields) error {
	switch action {
	case "query_version":
		f["version"], f["git_hash"] = quote(protocol.Version()), quote(revision())
	case "query_models":
		models := []map[string]any{}
		if n := sv.o.Network; n != nil {
			models = append(models, map[string]any{"name": n.File, "internalName": n.Name, "maxBatchSize": n.Batch,
				"usesHumanSLProfile": false, "version": n.Version, "usingFP16": "false"})
		}
		f["models"] = quote(models)
	case "clear_cache":
		if n := sv.o.Network; n != nil {
			n.Forget()
		}
	case "terminate", "terminate_all":
		id, ok := f.text("terminateId")
		if action == "terminate" && !ok {
			return complaint{"terminateId", "expected the id of the query to end"}
		}
		var turns []int
		if f.has("turnNumbers") && (json.Unmarshal(f["turnNumbers"], &turns) != nil || turns == nil) {
			return complaint{"turnNumbers", "expected a list of turns"}
		}
		defer sv.terminate(func(j *job) bool {
			return (action == "terminate_all" || j.id == id) && (turns == nil || slices.Contains(turns, j.turn.number))
		})() // what runs answers behind the echo
	default:
		return complaint{"action", "expected query_version, query_models, clear_cache, terminate or terminate_all"}
	}
	sv.say(f)
	return nil
}

func quote(x any) json.RawMessage { return bytes.TrimSpace(encode(x)) }

// revision is what this program was built from.
func revision() string {
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "<omitted>"
}

// terminate ends jobs. Those that have not begun are answered at once; those that run end
// with the call of what it returns.
func (sv *server) terminate(which func(*job) bool) (end func()) {
	var gone []*job
	var cancels []context.CancelFunc
	sv.mu.Lock()
	sv.queue = slices.DeleteFunc(sv.queue, func(j *job) bool {
		if which(j) {
			gone = append(gone, j)
			sv.open -= j.weight()
			return true
		}
		return false
	})
	heap.Init(&sv.queue)
	for j, cancel := range sv.running {
		if which(j) {
			cancels = append(cancels, cancel)
		}
	}
	sv.mu.Unlock()
	slices.SortFunc(gone, func(a, b *job) int { return cmp.Compare(a.number, b.number) })
	for _, j := range gone {
		sv.say(nothing{ID: j.id, NoResults: true, TurnNumber: j.turn.number})
	}
	return func() {
		for _, cancel := range cancels {
			cancel()
		}
	}
}

// work searches one position after the other.
func (sv *server) work(ctx context.Context) {
	var e engine.Engine
	defer func() {
		if e != nil {
			engine.Close(e)
		}
	}()
	for {
		j, s := sv.take(ctx)
		if j == nil {
			return
		}
		if e = sv.search(s.ctx, e, j, s); e != nil {
			e.Forget() // the memory is another's
		}
		sv.mu.Lock()
		delete(sv.running, j)
		sv.open -= j.weight()
		sv.lent -= s.memory
		sv.mu.Unlock()
		s.cancel()
	}
}

// share is what a search may use.
type share struct {
	threads int
	memory  int64 // bytes of its tree
	ctx     context.Context
	cancel  context.CancelFunc
}

// take waits for the next job, and returns its share of the threads and the memory; no job when
// there will be none any more. A search that is alone has all threads; of the memory, half of
// which is for trees, it leaves some for those that may come.
func (sv *server) take(ctx context.Context) (j *job, s share) {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	for len(sv.queue) == 0 {
		if sv.closed {
			return nil, s
		}
		sv.more.Wait()
	}
	s.threads = max(1, sv.o.Threads/min(len(sv.queue)+len(sv.running), sv.o.Parallel))
	free := sv.o.Parallel - len(sv.running)
	begin := min(len(sv.queue), free)
	if begin < free {
		begin++
	}
	s.memory = (sv.o.Memory/2 - sv.lent) / int64(begin)
	sv.lent += s.memory
	j = heap.Pop(&sv.queue).(*job)
	s.ctx, s.cancel = context.WithCancel(ctx)
	sv.running[j] = s.cancel
	return j, s
}

const treeShare = 4 // an engine's tree may have this part of its memory

// search answers a job with an engine, or with a new one if there is none, and returns the engine
// if it may be used again.
func (sv *server) search(ctx context.Context, e engine.Engine, j *job, s share) (sound engine.Engine) {
	fail := func(err error) { sv.say(failure{Error: err.Error(), ID: &j.id}) }
	defer func() {
		if p := recover(); p != nil {
			fail(fmt.Errorf("internal error: %v", p))
		}
	}()
	rec := j.rec
	rec.Moves = rec.Moves[:j.turn.number:j.turn.number]
	hashes, err := hashesOf(&rec)
	options := engine.Options{Threads: s.threads, Memory: treeShare * s.memory}
	if err == nil && e == nil {
		e, err = sv.o.Engine(options)
	}
	if err != nil {
		fail(err)
		return e
	}
	e.Configure(options)
	lim := game.Limits{Nodes: j.Visits, Hard: j.Time, MultiPV: 1, Inquiry: &game.Inquiry{
		First: j.first, Every: j.every, Barred: j.barred,
		Owners: j.owners || j.ownerDev, MoveOwners: j.moveOwners || j.moveOwnerDev,
		Temperature: j.temperature(), Unseen: j.Unseen,
	}}
	var last *game.Analysis
	if ctx.Err() == nil {
		_, err = e.Think(ctx, &rec, lim, func(i game.Info) {
			if i.Analysis == nil {
				return
			}
			if last = i.Analysis; !i.Last {
				sv.out.offer(func() []byte { return encode(j.result(j.turn.number, last, hashes, true)) })
			}
		})
	}
	switch {
	case err != nil:
		fail(err)
	case last == nil || last.Root.Visits == 0:
		sv.say(nothing{ID: j.id, NoResults: true, TurnNumber: j.turn.number})
	default:
		sv.say(j.result(j.turn.number, last, hashes, false))
	}
	return e
}
