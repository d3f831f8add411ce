package analysis

import (
	"io"
	"sync"
)

// line is a line as it was read.
type line struct {
	text []byte
	long bool // longer than maxLine; it is not kept
}

// readLines sends the lines of r until it ends, which closes lines. What stands before the end of
// input without a line end is a line too.
func readLines(r io.Reader, lines chan<- line, quit <-chan struct{}) {
	defer close(lines)
	var l line
	send := func() bool {
		select {
		case lines <- l:
			l = line{}
			return true
		case <-quit:
			return false
		}
	}
	chunk := make([]byte, 64<<10)
	for {
		n, err := r.Read(chunk)
		for _, c := range chunk[:n] {
			switch {
			case c == '\n':
				if !send() {
					return
				}
			case len(l.text) < maxLine:
				l.text = append(l.text, c)
			default:
				l.long = true
			}
		}
		if err != nil {
			if len(l.text) > 0 {
				send()
			}
			return
		}
	}
}

const (
	// maxUnread is how much may wait for a reader. Who has more to say waits as well.
	maxUnread = 64 << 20
	// fewUnread is how much may wait for a report to be worth adding.
	fewUnread = 256 << 10
)

// outbox holds answers until they are written, so that nobody waits for a reader who is busy
// asking.
type outbox struct {
	w      io.Writer
	broken chan struct{} // closed when nothing more can be written

	mu    sync.Mutex
	news  *sync.Cond
	lines [][]byte
	size  int
	ended bool
	err   error
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{w: w, broken: make(chan struct{})}
	o.news = sync.NewCond(&o.mu)
	return o
}

// put adds a line.
func (o *outbox) put(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.size > maxUnread && o.err == nil {
		o.news.Wait()
	}
	o.add(line)
}

func (o *outbox) add(line []byte) {
	if o.err == nil {
		o.lines = append(o.lines, line)
		o.size += len(line)
		o.news.Broadcast()
	}
}

// offer adds a line unless the reader is behind.
func (o *outbox) offer(line func() []byte) {
	o.mu.Lock()
	behind := o.size > fewUnread || o.err != nil
	o.mu.Unlock()
	if !behind {
		o.put(line())
	}
}

// run writes what comes until end, each line at once.
func (o *outbox) run() {
	for {
		o.mu.Lock()
		for len(o.lines) == 0 && !o.ended && o.err == nil {
			o.news.Wait()
		}
		if o.err != nil || len(o.lines) == 0 {
			o.mu.Unlock()
			return
		}
		lines := o.lines
		o.lines = nil
		o.mu.Unlock()
		for _, l := range lines {
			if _, err := o.w.Write(l); err != nil {
				o.fail(err)
				return
			}
			o.mu.Lock()
			o.size -= len(l)
			o.news.Broadcast()
			o.mu.Unlock()
		}
	}
}

// fail drops what is unwritten and all that comes. The first failure is kept.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
		close(o.broken)
		o.lines = nil
		o.news.Broadcast()
	}
}

func (o *outbox) failed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err != nil
}

// end says that no more comes.
func (o *outbox) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.news.Broadcast()
}
