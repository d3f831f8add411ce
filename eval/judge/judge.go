// Package judge asks a network about positions of Go. It joins the three parts: what the
// network reads (eval/planes), the network (eval/resnet), and what its numbers mean; and it
// remembers what was asked before.
package judge

import (
	"hash/maphash"
	"math"
	"sync"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2"

	"tengen/engine/game"
	"tengen/engine/mcts"
	"tengen/engine/weiqi"
	"tengen/eval/planes"
	"tengen/eval/resnet"
)

// Judge is a network that may be asked by any number of goroutines. It implements
// mcts.Judge.
type Judge struct {
	net   *resnet.Net
	cache *ristretto.Cache[uint64, *entry] // nil remembers nothing
	clear sync.RWMutex                     // held for reading while the cache is used
	one   sync.Mutex                       // for Evaluate
	alone *asker
}

// entry is a remembered output, in the order of the turned board's points.
type entry struct {
	check uint64 // a second hash of what was asked
	out   resnet.Output
}

// New returns a judge that remembers up to so many bytes of outputs; 0 means none.
func New(net *resnet.Net, memory int64) (*Judge, error) {
	j := &Judge{net: net}
	if memory > 0 {
		c, err := ristretto.NewCache(&ristretto.Config[uint64, *entry]{
			MaxCost:            memory,
			NumCounters:        max(memory/256, 1024), // some ten for each entry
			BufferItems:        64,
			IgnoreInternalCost: true,
		})
		if err != nil {
			return nil, err
		}
		j.cache = c
	}
	return j, nil
}

// Name returns the network's name.
func (j *Judge) Name() string { return j.net.Name }

// Version returns the version of the format that the network came in.
func (j *Judge) Version() int { return j.net.Version }

// Forget drops all that is remembered.
func (j *Judge) Forget() {
	if j.cache != nil {
		j.clear.Lock()
		defer j.clear.Unlock()
		j.cache.Clear()
	}
}

// Close gives the memory back.
func (j *Judge) Close() {
	if j.cache != nil {
		j.cache.Close()
	}
}

// Open returns a place for up to so many questions at once about boards of a size. It serves
// one goroutine.
func (j *Judge) Open(size, most int) (mcts.Asker, error) { return j.open(size, most) }

func (j *Judge) open(size, most int) (*asker, error) {
	b, err := j.net.NewBatch(size, most)
	if err != nil {
		return nil, err
	}
	x := &asker{judge: j, batch: b, questions: make([]question, most)}
	x.reader.SuicideLife = j.net.SuicideLife
	return x, nil
}

// Evaluate asks about one position, turned by a symmetry of planes.Fill, with the given
// share of the optimistic policy, if the network has one. Nothing is remembered.
func (j *Judge) Evaluate(p *weiqi.Position, komi float64, symmetry int, optimism float32) (*weiqi.Verdict, error) {
	j.one.Lock()
	defer j.one.Unlock()
	if j.alone == nil || j.alone.batch.Size() != p.Size() {
		b, err := j.open(p.Size(), 1)
		if err != nil {
			return nil, err
		}
		j.alone = b
	}
	b, v := j.alone, new(weiqi.Verdict)
	b.reader.Fill(p, komi, symmetry, b.batch.Planes(0), b.batch.Globals(0))
	q := &b.questions[0]
	q.note(p, symmetry, v)
	b.batch.Run(1)
	out := b.batch.Output(0)
	if out.Optimistic != nil {
		for i, x := range out.Optimistic {
			out.Policy[i] += optimism * (x - out.Policy[i])
		}
	}
	q.answer(p.Size(), out)
	return v, nil
}

// asker implements mcts.Asker.
type asker struct {
	judge     *Judge
	reader    planes.Reader
	batch     *resnet.Batch
	questions []question
	n         int
}

// question is what must be known of a position when the answer comes.
type question struct {
	v        *weiqi.Verdict
	symmetry int
	key      uint64
	check    uint64
	playable []game.Point
	noResult bool // the rules know of it
}

func (q *question) note(p *weiqi.Position, symmetry int, v *weiqi.Verdict) {
	q.v, q.symmetry, q.playable = v, symmetry, q.playable[:0]
	q.noResult = p.Rules().Ko == weiqi.SimpleKo || p.Rules().Territory
	for y := range p.Size() {
		for x := range p.Size() {
			// The network knows of no suicide of a single stone.
			if s := game.At(x, y); p.Playable(s) && !p.Vanishes(s) {
				q.playable = append(q.playable, s)
			}
		}
	}
}

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// Ask notes a question about p, whose komi includes points for a handicap. The verdict is
// there after Run, or at once if it is remembered, which is what Ask reports. p is as
// before afterwards.
//
// The symmetry that the board is turned by depends on the position alone, and a verdict on
// nothing but what the network reads: so it makes no difference whether it is remembered.
func (a *asker) Ask(p *weiqi.Position, komi float64, v *weiqi.Verdict) bool {
	q := &a.questions[a.n]
	symmetry := int(p.Key() >> 40 & 7)
	planes, globals := a.batch.Planes(a.n), a.batch.Globals(a.n)
	a.reader.Fill(p, komi, symmetry, planes, globals)
	q.note(p, symmetry, v)
	if c := a.judge.cache; c != nil {
		q.key, q.check = hash(0, planes, globals), hash(1, planes, globals)
		a.judge.clear.RLock()
		e, ok := c.Get(q.key)
		a.judge.clear.RUnlock()
		if ok && e.check == q.check {
			q.answer(p.Size(), &e.out)
			return true
		}
	}
	a.n++
	return false
}

func hash(i int, parts ...[]float32) uint64 {
	var h maphash.Hash
	h.SetSeed(seeds[i])
	for _, p := range parts {
		h.Write(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(p))), 4*len(p)))
	}
	return h.Sum64()
}

// Run answers what was asked since the last Run.
func (a *asker) Run() {
	if a.n == 0 {
		return
	}
	a.batch.Run(a.n)
	for i := range a.n {
		q, out := &a.questions[i], a.batch.Output(i)
		q.answer(a.batch.Size(), out)
		if c := a.judge.cache; c != nil {
			e := &entry{check: q.check, out: *out}
			e.out.Policy, e.out.Owner, e.out.Optimistic = clone(out.Policy), clone(out.Owner), nil
			a.judge.clear.RLock()
			c.Set(q.key, e, int64(8*len(out.Policy)+entryBytes))
			a.judge.clear.RUnlock()
		}
	}
	a.n = 0
}

const entryBytes = 400 // of an entry beside its lists, with what ristretto spends on it

func clone(xs []float32) []float32 { return append([]float32(nil), xs...) }

// answer gives a network's numbers their meaning. The output stays as it is.
func (q *question) answer(size int, out *resnet.Output) {
	v := q.v
	v.Policy[game.Pass] = out.Policy[size*size]
	for y := range size {
		for x := range size {
			s := game.At(x, y)
			v.Owner[s], v.Policy[s] = out.Owner[planes.Turn(size, q.symmetry, y*size+x)], -1
		}
	}
	for _, s := range q.playable {
		v.Policy[s] = out.Policy[planes.Turn(size, q.symmetry, s.Y()*size+s.X())]
	}
	softmax(&v.Policy, append(q.playable, game.Pass))

	win, loss, none := float64(out.Win), float64(out.Loss), float64(out.NoResult)
	high := max(win, loss)
	if q.noResult {
		high = max(high, none)
	}
	win, loss, none = math.Exp(win-high), math.Exp(loss-high), math.Exp(none-high)
	if !q.noResult {
		none = 0
	}
	sum := win + loss + none
	v.Win, v.Loss, v.NoResult = float32(win/sum), float32(loss/sum), float32(none/sum)
	// The score is one of games that have one.
	real := 1 - v.NoResult
	v.Score, v.Lead = out.Score*real, out.Lead*real
	v.ScoreSq = (out.Score*out.Score + out.Stdev*out.Stdev) * real
	v.VarianceTime, v.ValueError, v.ScoreError = out.VarianceTime, out.ValueError, out.ScoreError
}

// softmax turns logits of moves into chances.
func softmax(policy *[game.NumPoints]float32, moves []game.Point) {
	most := policy[moves[0]]
	for _, q := range moves {
		most = max(most, policy[q])
	}
	sum := 0.0
	for _, q := range moves {
		e := math.Exp(float64(policy[q] - most))
		policy[q] = float32(e)
		sum += e
	}
	for _, q := range moves {
		policy[q] = float32(float64(policy[q]) / sum)
	}
}
