package process

import "fmt"

// Limits bound a child and what it starts. The zero value does not.
//
// Both hold before the child's first instruction. On Linux the child is traced over its
// exec for that; where tracing is forbidden they hold some microseconds later. What the
// child allocates and starts until then keeps them to itself (an allocation counts, but
// is not undone).
type Limits struct {
	// Memory is how many bytes may be allocated; 0 does not limit. An allocation beyond
	// it fails, of which most programs die.
	//
	// On Linux it is the RLIMIT_DATA of every process of the group by itself, which
	// counts private writable memory, touched or not: the heap, and some MiB of stack
	// for each thread. Address space that is only reserved does not count, so that
	// programs live that reserve a lot of it, as those in Go do: an RLIMIT_AS would kill
	// them. Nor do shared memory and mapped files. Root may lift it.
	//
	// On Windows it is what the group may commit together. Elsewhere it is not enforced.
	Memory int64
	// CPUs are the processors, numbered from 0, to which the threads are bound; none
	// means all. Linux and Windows (there below 64) can do it; elsewhere Start fails.
	CPUs []int
}

func (l Limits) none() bool { return l.Memory == 0 && len(l.CPUs) == 0 }

func (l Limits) check() error {
	if l.none() {
		return nil
	}
	if l.Memory < 0 {
		return fmt.Errorf("process: a memory limit of %d bytes", l.Memory)
	}
	for _, n := range l.CPUs {
		if n < 0 || n >= maxCPUs {
			return fmt.Errorf("process: there is no processor %d to bind to", n)
		}
	}
	return nil
}
