package resnet

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

func cpuTime() float64 {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
}

func TestCPU(t *testing.T) {
	if os.Getenv("CPU") == "" {
		t.Skip()
	}
	n, _ := New(Random(B6C96, 1))
	for _, size := range []int{9, 13, 19} {
		for _, k := range []int{1, 2, 4, 8, 16} {
			x, _ := n.NewBatch(size, k)
			x.Run(k)
			c := cpuTime()
			i := 0
			for cpuTime()-c < 0.7 {
				x.Run(k)
				i += k
			}
			fmt.Printf("%s size %d batch %d: %.0f evals per cpu second\n", Level(), size, k, float64(i)/(cpuTime()-c))
		}
	}
}
