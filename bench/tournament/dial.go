package tournament

import (
	"context"
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"tengen/engine"
	"tengen/protocol"
	"tengen/protocol/gtp"
	"tengen/protocol/piskvork"
	"tengen/protocol/process"
)

const (
	defaultMemory    = 350 << 20 // what a program is told that it may use: Gomocup's limit
	defaultTolerance = time.Second
)

// dial makes the player of an engine, for the worker-th game of those that are played at
// the same time. tell gets every line that passes.
func (c *Config) dial(ctx context.Context, e *Engine, worker int, tell func(toProgram bool, line string)) (protocol.Player, error) {
	threads := max(1, e.Thread)
	memory := e.MaxMemory
	if e.Proto == Inside {
		if memory == 0 {
			memory = defaultMemory / 4 // it is one of many in this process
		}
		return newInside(engine.Options{Threads: threads, Memory: memory}, e.Option)
	}
	cmd, err := e.command()
	if err != nil {
		return nil, err
	}
	var limits process.Limits
	if e.MaxMemory > 0 {
		// Its memory is judged after each move; this only keeps one that runs wild from
		// taking the machine's. Data that is reserved and never touched counts here.
		limits.Memory = 4*e.MaxMemory + 1<<30
	}
	if c.Affinity {
		for k := range threads {
			limits.CPUs = append(limits.CPUs, (worker*threads+k)%runtime.NumCPU())
		}
	}
	if e.Proto == GTP {
		o := gtp.ClientOptions{Tolerance: e.tolerance(), Limits: limits, Log: tell}
		for _, k := range slices.Sorted(maps.Keys(e.Option)) {
			o.Commands = append(o.Commands, strings.TrimSpace(k+" "+e.Option[k]))
		}
		return gtp.Dial(ctx, cmd, o)
	}
	if memory == 0 {
		memory = defaultMemory
	}
	o := piskvork.ClientOptions{
		Tolerance: e.tolerance(), Memory: memory, Threads: e.Thread, GameType: 1, // 1: a program
		Board: c.SendByBoard, Limits: limits, Log: tell,
	}
	for _, k := range slices.Sorted(maps.Keys(e.Option)) {
		o.Info = append(o.Info, [2]string{k, e.Option[k]})
	}
	return piskvork.Dial(ctx, cmd, o)
}

func (e *Engine) tolerance() time.Duration {
	if e.Tolerance == 0 {
		return defaultTolerance
	}
	return seconds(e.Tolerance)
}

// command returns how the engine is run. A command with a path in it runs in its own
// folder, as programs expect that look for their files beside themselves.
func (e *Engine) command() (*exec.Cmd, error) {
	words, err := splitCommand(e.Command)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("no command")
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = e.Dir
	if strings.ContainsAny(words[0], `/\`) {
		path, err := filepath.Abs(words[0])
		if err != nil {
			return nil, err
		}
		if cmd.Path = path; cmd.Dir == "" {
			cmd.Dir = filepath.Dir(path)
		}
		_, cmd.Err = exec.LookPath(path)
	}
	return cmd, cmd.Err
}
