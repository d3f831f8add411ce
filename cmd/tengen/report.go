package main

import (
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"tengen/bench/tournament"
	"tengen/bench/tournament/database"
	"tengen/bench/tournament/report"
)

const reportName = "report.html"

// reportMatch is `tengen report`.
func reportMatch(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen report", flag.ContinueOnError)
	f.SetOutput(stderr)
	var to tournament.Config
	f.StringVar(&to.SQLite, "sqlite", "", "add the match to this SQLite `file`, in place of what it has of it")
	f.StringVar(&to.SGF, "sgf", "", "write all games to this `file`")
	f.StringVar(&to.PGN, "pgn", "", "write the results to this `file`, for rating programs")
	f.Usage = func() {
		fmt.Fprintln(stderr, "usage: tengen report [options] FOLDER\n\nWrites the page, the tables and the games of a match anew from the journal in its folder.\nThe match may be in progress.")
		f.PrintDefaults()
	}
	// Options may stand before the folder and behind it.
	var folders []string
	for rest := args; ; {
		if err := f.Parse(rest); err == flag.ErrHelp {
			return 0
		} else if err != nil {
			return 2
		}
		if f.NArg() == 0 {
			break
		}
		folders, rest = append(folders, f.Arg(0)), f.Args()[1:]
	}
	if len(folders) != 1 {
		f.Usage()
		return 2
	}
	folder := folders[0]
	played, err := tournament.ReadJournal(folder)
	if err == nil {
		c := &played.Conf
		c.Out, c.SQLite, c.SGF, c.PGN = folder, to.SQLite, to.SGF, to.PGN
		for i := range played.Games {
			if err == nil {
				err = tournament.WriteGame(c.Out, c, played.Names, &played.Games[i])
			}
		}
	}
	if err == nil {
		err = export(played)
	}
	if err != nil {
		fmt.Fprintln(stderr, "tengen report:", err)
		return 1
	}
	fmt.Fprintf(stdout, "%d games; open %s\n", len(played.Games), filepath.Join(folder, reportName))
	return 0
}

// export writes all that is made from the games of a match.
func export(p *tournament.Played) error {
	s := tournament.Summarize(&p.Conf, p.Names, p.Games)
	page := tournament.Output{
		Name:  filepath.Join(p.Conf.Folder(), reportName),
		Write: func(w io.Writer) error { return report.HTML(w, p) },
	}
	if err := s.Export(page); err != nil {
		return err
	}
	if p.Conf.SQLite == "" {
		return nil
	}
	return database.Write(p.Conf.SQLite, p)
}
