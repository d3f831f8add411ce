package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"tengen/engine/game"
	"tengen/protocol/check"
)

const checkUsage = `usage: tengen check [flags] COMMAND [ARGUMENT...]
       tengen check [flags] FILE.zip

Asks an engine whether it keeps its protocol, each point in a process of its own: what a
manager breaks at, what the tests of Gomocup's judge ask, and games with itself. A zip is
unpacked to a temporary folder, and the program in it that the judge would choose is run.
Exit status: 0 all was met, 1 something was not, 2 used wrongly. Flags:
`

// checkEngine is `tengen check`.
func checkEngine(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen check", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, checkUsage)
		f.PrintDefaults()
	}
	proto := f.String("proto", "piskvork", "piskvork or gtp")
	names := f.String("game", "", "games, with commas between (default: Gomocup's freestyle,standard,renju,caro6; go by gtp)")
	size := f.Int("size", 0, "side of the board (default 15; 9 for go)")
	asJSON := f.Bool("json", false, "write JSON")
	quick := f.Bool("quick", false, "leave out what takes long, and give less time to the rest")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	fail := func(status int, err error) int {
		fmt.Fprintln(stderr, "tengen check:", err)
		return status
	}
	o := check.Options{Protocol: check.Protocol(*proto), Size: *size, Quick: *quick}
	for _, n := range strings.FieldsFunc(*names, func(r rune) bool { return r == ',' }) {
		r, err := game.ParseRule(n)
		if err != nil {
			return fail(2, err)
		}
		o.Games = append(o.Games, r)
	}
	if f.NArg() == 0 {
		f.Usage()
		return 2
	}
	cmd, clean, err := engineCommand(f.Args(), o)
	defer clean()
	if err != nil {
		return fail(2, err)
	}
	if w, ok := stderr.(*os.File); ok && term.IsTerminal(int(w.Fd())) {
		o.Tell = func(done, of int, id string) { fmt.Fprintf(w, "\r%d of %d: %-6s", done, of, id) }
		defer fmt.Fprint(w, "\r")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	report, err := check.Run(ctx, cmd, o)
	switch {
	case ctx.Err() != nil:
		return fail(1, errors.New("interrupted"))
	case err != nil:
		return fail(2, err)
	}
	if *asJSON {
		err = writeJSON(stdout, report)
	} else {
		err = report.Write(stdout)
	}
	switch {
	case err != nil:
		return fail(1, err)
	case report.Failed > 0:
		return 1
	}
	return 0
}

// engineCommand returns how the engine is run, in its own folder when it has a path, as programs
// expect that look for their files beside themselves. clean removes what was unpacked.
func engineCommand(args []string, o check.Options) (cmd *exec.Cmd, clean func(), err error) {
	clean = func() {}
	name := args[0]
	if strings.EqualFold(filepath.Ext(name), ".zip") {
		if len(args) > 1 {
			return nil, clean, fmt.Errorf("%q behind a zip", args[1])
		}
		folder, err := os.MkdirTemp("", "tengen-check-")
		if err != nil {
			return nil, clean, err
		}
		clean = func() { os.RemoveAll(folder) }
		if name, err = check.Unpack(name, folder, o); err != nil {
			return nil, clean, err
		}
	}
	cmd = exec.Command(name, args[1:]...)
	if strings.ContainsAny(name, `/\`) {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, clean, err
		}
		cmd.Path, cmd.Dir = path, filepath.Dir(path)
		_, cmd.Err = exec.LookPath(path)
	}
	return cmd, clean, cmd.Err
}
