package check

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tengen/engine/game"
)

const (
	zipFiles = 10000
	zipBytes = 1 << 30 // unpacked
)

// Unpack writes the files of a Gomocup zip to a folder and returns the path of the program
// that the judge would run for the games of the options: see Choose. The error of a zip with
// a program for each game asks for one game.
func Unpack(file, folder string, o Options) (string, error) {
	if o.Protocol != Piskvork {
		return "", errors.New("a zip holds a program for Gomocup, which speaks piskvork")
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		return "", err
	}
	defer z.Close()
	if len(z.File) > zipFiles {
		return "", fmt.Errorf("%s has %d files", file, len(z.File))
	}
	root, err := os.OpenRoot(folder) // no name leads out of it
	if err != nil {
		return "", err
	}
	defer root.Close()
	var names []string
	left := int64(zipBytes)
	for _, f := range z.File {
		name := filepath.FromSlash(strings.ReplaceAll(f.Name, `\`, "/"))
		if f.FileInfo().IsDir() {
			if err := mkdirs(root, name); err != nil {
				return "", err
			}
			continue
		}
		if err := mkdirs(root, filepath.Dir(name)); err != nil {
			return "", err
		}
		n, err := extract(root, f, name, left)
		if err != nil {
			return "", err
		}
		if left -= n; left <= 0 {
			return "", fmt.Errorf("%s has more than %d bytes", file, int64(zipBytes))
		}
		names = append(names, name)
	}
	if len(o.Games) == 0 {
		o.Games = gomocup
	}
	if o.Size == 0 {
		o.Size = brainSize
	}
	var name string
	for i, r := range o.Games {
		n, err := Choose(names, r, o.Size)
		if err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		if i > 0 && n != name {
			return "", fmt.Errorf("%s has %s for %v and %s for %v: choose one game", file, name, o.Games[0], n, r)
		}
		name = n
	}
	exe := filepath.Join(folder, name)
	head := make([]byte, 2)
	h, err := os.Open(exe)
	if err != nil {
		return "", err
	}
	io.ReadFull(h, head)
	h.Close()
	return exe, runnable(head, name)
}

func mkdirs(root *os.Root, name string) error {
	if name == "." {
		return nil
	}
	return root.MkdirAll(filepath.Clean(name), 0o755)
}

func extract(root *os.Root, f *zip.File, name string, most int64) (int64, error) {
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return 0, fmt.Errorf("%s is there twice", f.Name)
	}
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(in, most))
	return n, errors.Join(err, out.Close())
}

// Choose returns the program among the files of a zip that Gomocup's judge runs for a
// game: a name that ends in _RULE-SIZE before one in _RULE, one in _SIZE, one in neither;
// and among equals one with 64 in its name. A name made for another game is none of ours.
func Choose(names []string, r game.Rule, size int) (string, error) {
	rule := r.String()
	if r == game.CaroSix {
		rule = "caro"
	}
	best, most := "", -1
	for _, n := range names {
		base := strings.ToLower(filepath.Base(n))
		stem, ok := strings.CutSuffix(base, ".exe")
		if !ok {
			continue
		}
		rank := rankOf(stem, rule, size)
		if rank < 0 {
			continue
		}
		rank *= 2
		if strings.Contains(stem, "64") {
			rank++
		}
		if rank > most {
			best, most = n, rank
		}
	}
	if best == "" {
		return "", errors.New("no program (.exe) for this game in it")
	}
	return best, nil
}

// rankOf says how well the end of a name fits a game, -1 if it is another's.
func rankOf(stem, rule string, size int) int {
	i := strings.LastIndexByte(stem, '_')
	if i < 0 {
		return 0
	}
	what := strings.TrimSuffix(strings.TrimSuffix(stem[i+1:], "64"), "-")
	name, of, both := strings.Cut(what, "-")
	isRule := func(s string) bool {
		return s == "freestyle" || s == "standard" || s == "renju" || s == "caro"
	}
	isSize := func(s string) bool { return s == "15" || s == "20" }
	mine := fmt.Sprint(size)
	switch {
	case both && isRule(name) && isSize(of):
		if name == rule && of == mine {
			return 3
		}
		return -1
	case !both && isRule(what):
		if what == rule {
			return 2
		}
		return -1
	case !both && isSize(what):
		if what == mine {
			return 1
		}
		return -1
	}
	return 0
}
