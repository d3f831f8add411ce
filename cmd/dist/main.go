// Command dist builds what is handed out.
//
//	go run ./cmd/dist          the Gomocup zip: the brain for Windows, twice, in its root
//	go run ./cmd/dist -all     and an archive for each system the engine runs on
//
// Builds are reproducible: no paths, no times. The Gomocup zip must stay below the
// 8 MB that the tournament takes.
package main

import (
	"archive/zip"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const gomocupLimit = 8_000_000

// binary is one program built for one system.
type binary struct {
	pkg, name    string
	goos, goarch string
	amd64        string // level of amd64 instructions
}

func main() {
	out := flag.String("o", "dist", "folder for the archives")
	all := flag.Bool("all", false, "also build an archive for each system")
	flag.Parse()
	if err := run(*out, *all); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(out string, all bool) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	// The manager takes the one with "64" in its name where it can. The tournament
	// promises what GOAMD64=v2 needs; the other runs on any amd64.
	name := filepath.Join(out, "pbrain-tengen-gomocup.zip")
	size, err := pack(name, []binary{
		{"./cmd/pbrain-tengen", "pbrain-tengen.exe", "windows", "amd64", "v1"},
		{"./cmd/pbrain-tengen", "pbrain-tengen64.exe", "windows", "amd64", "v2"},
	}, "README.md", "LICENSE")
	if err != nil {
		return err
	}
	if size > gomocupLimit {
		return fmt.Errorf("%s has %d bytes, more than %d", name, size, gomocupLimit)
	}
	if !all {
		return nil
	}
	for _, goos := range []string{"linux", "windows", "darwin"} {
		for _, goarch := range []string{"amd64", "arm64"} {
			exe := ""
			if goos == "windows" {
				exe = ".exe"
			}
			name := filepath.Join(out, fmt.Sprintf("tengen-%s-%s.zip", goos, goarch))
			if _, err := pack(name, []binary{
				{"./cmd/pbrain-tengen", "pbrain-tengen" + exe, goos, goarch, "v1"},
				{"./cmd/tengen", "tengen" + exe, goos, goarch, "v1"},
			}, "README.md", "LICENSE", "CHANGELOG.md"); err != nil {
				return err
			}
		}
	}
	return nil
}

// pack builds programs into a zip, adds files, and returns the zip's size.
func pack(name string, programs []binary, files ...string) (int64, error) {
	tmp, err := os.MkdirTemp("", "dist")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	f, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum := sha256.New()
	z := zip.NewWriter(io.MultiWriter(f, sum))
	add := func(as, from string, mode os.FileMode) error {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: as, Method: zip.Deflate, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
	for _, b := range programs {
		path := filepath.Join(tmp, b.name)
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", path, b.pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+b.goos, "GOARCH="+b.goarch, "GOAMD64="+b.amd64)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return 0, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
		}
		if err := add(b.name, path, 0o755); err != nil {
			return 0, err
		}
	}
	for _, file := range files {
		if err := add(filepath.Base(file), file, 0o644); err != nil {
			return 0, err
		}
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	fmt.Printf("%x  %s  %d bytes\n", sum.Sum(nil), name, info.Size())
	return info.Size(), f.Close()
}
