package eval

import (
	"bytes"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"tengen/engine/game"
	"tengen/engine/line"
	"tengen/eval/nnue"
)

// NumCodes is how many different points there are: four directions, 15 shapes, the order
// of no account.
const NumCodes = 3060

// Weights are the learned numbers of one game, in line.ValueUnits.
type Weights struct {
	Stones
	Taking *Taking // nil where stones are not captured, or nothing was learned of it
}

// Stones are the numbers of what stands on the board.
type Stones struct {
	// Points of an empty point by the colour whose shapes they are, by whether that
	// colour is to move (0) or waits (1), and by its code's number.
	Points [2][2][NumCodes]int16
	// Threats is the worth, for the side to move, of what both sides threaten, see Threats.
	Threats [2][NumThreats]int16
}

// Value looks a point up.
func (w *Weights) Value(c game.Color, s [4]line.Shape) (moving, waiting int) {
	n := Number(s)
	return int(w.Points[c][0][n]), int(w.Points[c][1][n])
}

// Score ranks a point as the hand-set values do: scores learned from the moves that
// self-play chose order worse, since a search must also refute moves nobody would choose
// (-123 [-202, -55] Elo, 100 games at 6000 nodes).
func (w *Weights) Score(c game.Color, s [4]line.Shape) (attack, defend int) {
	return Hand{}.Score(c, s)
}

// Evaluate returns the sum of the points and of the standing threats.
func (w *Weights) Evaluate(p *line.Position) int {
	v := (p.Value() + int(w.Threats[p.Side()&1][Threats(p)])) / line.ValueUnit
	return max(-maxStatic, min(maxStatic, v))
}

// Rough is Evaluate.
func (w *Weights) Rough(p *line.Position) int { return w.Evaluate(p) }

// Margin is 0.
func (*Weights) Margin() int { return 0 }

// maxStatic keeps evaluations well below those of proven wins.
const maxStatic = game.MaxValue / 2

// Number maps ascending shapes to their place among all such, in lexical order.
func Number(s [4]line.Shape) int {
	return int(numbers[int(s[0])<<12|int(s[1])<<8|int(s[2])<<4|int(s[3])])
}

var numbers = func() (t [1 << 16]uint16) {
	n := uint16(0)
	for a := range line.NumShapes {
		for b := a; b < line.NumShapes; b++ {
			for c := b; c < line.NumShapes; c++ {
				for d := c; d < line.NumShapes; d++ {
					t[int(a)<<12|int(b)<<8|int(c)<<4|int(d)] = n
					n++
				}
			}
		}
	}
	return
}()

// NumThreats is the number of threat masks.
const NumThreats = 1 << 9

// Threats tells which kinds of threats stand: four bits for the side to move (an open
// three, a double three, a four, a four with an open three can be made), the same four
// for the other side, and whether that side can make a four that nothing stops.
func Threats(p *line.Position) int {
	me := p.Side()
	return kinds(p, me) | kinds(p, me.Other())<<4 | b2i(p.Count(me.Other(), line.OpenFour) > 0)<<8
}

func kinds(p *line.Position, c game.Color) int {
	return b2i(p.Count(c, line.OpenThree)+p.Count(c, line.OpenThreePlus) > 0) |
		b2i(p.Count(c, line.DoubleThree) > 0)<<1 |
		b2i(p.Count(c, line.FourOnly)+p.Count(c, line.FourPlus) > 0)<<2 |
		b2i(p.Count(c, line.FourThree) > 0)<<3
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Write writes the weights as they are embedded: little-endian numbers, zstd.
func (w *Weights) Write(to io.Writer) error {
	var raw bytes.Buffer
	err := binary.Write(&raw, binary.LittleEndian, &w.Stones)
	if err == nil && w.Taking != nil {
		err = binary.Write(&raw, binary.LittleEndian, w.Taking)
	}
	if err != nil {
		return err
	}
	enc, err := zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	if _, err := enc.Write(raw.Bytes()); err != nil {
		return err
	}
	return enc.Close()
}

// ReadWeights reads what Write wrote.
func ReadWeights(from io.Reader) (*Weights, error) {
	dec, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	raw, err := io.ReadAll(dec)
	if err != nil {
		return nil, err
	}
	w := new(Weights)
	switch want, more := binary.Size(w.Stones), binary.Size(Taking{}); len(raw) {
	case want:
	case want + more:
		w.Taking = new(Taking)
	default:
		return nil, fmt.Errorf("%d bytes of weights, want %d or %d", len(raw), want, want+more)
	}
	r := bytes.NewReader(raw)
	err = binary.Read(r, binary.LittleEndian, &w.Stones)
	if err == nil && w.Taking != nil {
		err = binary.Read(r, binary.LittleEndian, w.Taking)
	}
	return w, err
}

//go:embed weights/*.zst
var embedded embed.FS

// Learned returns the weights embedded for a game, read at first use, nil if there are
// none.
func Learned(name string) *Weights {
	learned.Lock()
	defer learned.Unlock()
	w, ok := learned.of[name]
	if ok {
		return w
	}
	if f, err := embedded.Open("weights/" + name + ".zst"); err == nil {
		if w, err = ReadWeights(f); err != nil {
			panic("eval: embedded weights of " + name + ": " + err.Error())
		}
		f.Close()
	}
	if learned.of == nil {
		learned.of = map[string]*Weights{}
	}
	learned.of[name] = w
	return w
}

var learned struct {
	sync.Mutex
	of   map[string]*Weights
	nets map[string]*nnue.Net
}
