package eval

import (
	"embed"
	"fmt"
	"os"

	"tengen/engine/line"
	"tengen/eval/nnue"
)

// Network is the learned table with a network that corrects it. Each is for one search
// thread.
type Network struct {
	*Weights
	state *nnue.State
}

// Evaluate returns the table's sum and the network's correction.
func (n *Network) Evaluate(p *line.Position) int {
	t := Threats(p)
	v := (p.Value() + int(n.Threats[p.Side()&1][t]) + n.state.Evaluate(p, t)) / line.ValueUnit
	return max(-maxStatic, min(maxStatic, v))
}

// Rough returns the table's sum alone.
func (n *Network) Rough(p *line.Position) int { return n.Weights.Evaluate(p) }

// Margin is what the correction rarely exceeds: in careless play 10 times of 100 at most. It is a
// matter of what the networks have learned, not of strength, and hardly one of time. (With 460
// instead of 340 freestyle made 1.01 times the nodes a second, median of 6 paired runs.)
func (*Network) Margin() int { return 500 }

//go:embed nets/*.zst
var nets embed.FS

// Net returns the network embedded for a game, read at first use, nil if there is none.
func Net(name string) *nnue.Net {
	learned.Lock()
	defer learned.Unlock()
	n, ok := learned.nets[name]
	if ok {
		return n
	}
	if f, err := nets.Open("nets/" + name + ".zst"); err == nil {
		if n, _, err = nnue.Read(f); err != nil {
			panic("eval: embedded network of " + name + ": " + err.Error())
		}
		f.Close()
	}
	if learned.nets == nil {
		learned.nets = map[string]*nnue.Net{}
	}
	learned.nets[name] = n
	return n
}

// ReadNet reads the network in a file, which `tengen train -net` wrote, and the name of its
// game. The error says what is wrong with a file that holds none.
func ReadNet(file string) (n *nnue.Net, game string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	n, game, err = nnue.Read(f)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	return n, game, nil
}
