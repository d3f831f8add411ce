package bench

import (
	"context"
	"fmt"

	"tengen/engine/weiqi"
	network "tengen/eval/judge"
	"tengen/eval/resnet"
)

// evaluations asks a network of b6c96's shape, whose weights are random, about positions of
// Go: what the planes cost is included, and nothing is remembered.
func evaluations(ctx context.Context, s *Settings, r *Report) error {
	s.step("evaluations")
	ps, err := weiqiPositions()
	if err != nil {
		return err
	}
	n, err := resnet.New(resnet.Random(resnet.B6C96, 1))
	if err != nil {
		return err
	}
	j, err := network.New(n, 0)
	if err != nil {
		return err
	}
	var v weiqi.Verdict
	for _, k := range []struct{ size, most int }{{9, 1}, {9, 4}, {13, 1}, {19, 1}} {
		a, err := j.Open(k.size, k.most)
		if err != nil {
			return err
		}
		ns, err := timed(ctx, s.Time, func() (n int) {
			for range k.most {
				for _, p := range ps {
					if p.Size() == k.size {
						a.Ask(p, 7.5, &v)
						if n++; n%k.most == 0 {
							a.Run()
						}
					}
				}
			}
			return n
		})
		if err != nil {
			return err
		}
		row := fmt.Sprintf("%dx%d", k.size, k.size)
		if k.most > 1 {
			row += fmt.Sprintf(", %d at once", k.most)
		}
		r.add("evaluations", row, "speed", "evaluations/s", More, 1e9/ns)
		r.add("evaluations", row, "an evaluation", "ms", Less, ns/1e6)
	}
	return nil
}
