package train

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

// checkpoint is a fit after some of its epochs, to go on from.
type checkpoint struct {
	Fit       string // what must be the same for it to be the same fit
	Epochs    int    // that are done
	Steps     int
	M, M1, M2 []float32 // the numbers and their moments
	Losses    []Loss
}

// title says which fit this is.
func (f *NetFit) title(s *NetSet) string {
	from := "random numbers"
	if f.From != nil {
		from = "a network"
	}
	return fmt.Sprintf("%s, %d epochs from %s, steps of %d, rate %v, blend %v, seed %d, %d positions", f.Rules.Name, f.Epochs, from, f.Batch, f.Rate, f.Blend, f.Seed, len(s.samples))
}

// save writes a checkpoint where no broken-off writing can spoil the one before.
func (c *checkpoint) save(name string) error {
	f, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	enc, err := zstd.NewWriter(f)
	if err == nil {
		err = gob.NewEncoder(enc).Encode(c)
		if e := enc.Close(); err == nil {
			err = e
		}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// load reads a checkpoint; nil where there is none. One of another fit is an error, lest it
// be lost.
func (f *NetFit) load(s *NetSet) (*checkpoint, error) {
	file, err := os.Open(f.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	dec, err := zstd.NewReader(file)
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	var c checkpoint
	if err := gob.NewDecoder(dec).Decode(&c); err != nil {
		return nil, fmt.Errorf("%s: %w", f.State, err)
	}
	if is := f.title(s); c.Fit != is || len(c.M) != numParams || len(c.M1) != numParams || len(c.M2) != numParams {
		return nil, fmt.Errorf("%s is the state of another fit (%s, not %s): remove it to begin anew", f.State, c.Fit, is)
	}
	return &c, nil
}
