package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/eval"
)

// Each game starts with its own size, and at a size that is asked for.
func TestGTP(t *testing.T) {
	for _, c := range []struct{ args, in, out string }{
		{"-game freestyle", "gogui-rules_game_id\ngogui-rules_board_size", "= Gomoku\n\n= 15\n\n"},
		{"-game standard -size 20", "gogui-rules_game_id\ngogui-rules_board_size", "= Standard Gomoku\n\n= 20\n\n"},
		{"-game renju", "gogui-rules_game_id\ngogui-rules_board_size", "= Renju\n\n= 15\n\n"},
		{"-game caro -threads 2 -memory 64", "gogui-rules_game_id\nplay b h8\nplay b h8", "= Caro\n\n= \n\n? illegal move\n\n"},
		{"-game caro6", "gogui-rules_game_id", "= Caro Six\n\n"},
		{"-game freestyle -size 5 -nodes 50", "gogui-setup b a1 b b1 b c1 b d1\n8 genmove b\nfinal_score", "= \n\n=8 E1\n\n= B+1\n\n"},
		{"", "play b t19\nget_komi\nkata-get-rules", "= \n\n= 7.5\n\n" + `= {"ko":"SITUATIONAL","scoring":"AREA","tax":"NONE","suicide":false,"hasButton":false,"whiteHandicapBonus":"N-1","friendlyPassOk":true}` + "\n\n"},
		{"-game go -size 9 -rules japanese", "play b t19\nget_komi", "? invalid color or coordinate\n\n= 6.5\n\n"},
	} {
		var out, errs bytes.Buffer
		if code := speakGTP(strings.Fields(c.args), strings.NewReader(c.in), &out, &errs); code != 0 || out.String() != c.out || errs.Len() > 0 {
			t.Errorf("%s: exit %d, %q, %q", c.args, code, out.String(), errs.String())
		}
	}
	for _, args := range []string{"-game chess", "-game renju -size 3", "-game renju -rules aga", "-rules martian", "-x", "what"} {
		var out, errs bytes.Buffer
		if code := speakGTP(strings.Fields(args), strings.NewReader("name\n"), &out, &errs); code == 0 || out.Len() > 0 || errs.Len() == 0 {
			t.Errorf("%s: exit %d, %q, %q", args, code, out.String(), errs.String())
		}
	}
}

// With a network Go is played by it, and it can be asked; other games and other files are
// refused.
func TestGTPNetwork(t *testing.T) {
	const net = "-net ../../eval/judge/testdata/tiny.bin.gz "
	var out, errs bytes.Buffer
	in := "known_command kata-raw-nn\nplay b c3\nkata-raw-nn 3\nkata-raw-nn white all 0.5\nkata-raw-nn b 0\nkata-raw-nn 8\ngenmove w\nboardsize 7\ngenmove b\nkata-raw-nn 0\nfinal_score"
	if code := speakGTP(strings.Fields(net+"-size 5 -nodes 30 -threads 2"), strings.NewReader(in), &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("exit %d, %q", code, errs.String())
	}
	answers := strings.Split(strings.TrimSuffix(out.String(), "\n\n"), "\n\n")
	if len(answers) != 11 {
		t.Fatalf("%d answers: %s", len(answers), out.String())
	}
	for i, lines := range map[int]int{2: 23, 3: 8 * 23, 4: 23, 9: 27} {
		if got := strings.Count(answers[i], "\n"); got != lines-1 || !strings.HasPrefix(answers[i], "= symmetry ") {
			t.Errorf("answer %d has %d lines, not %d: %.20q", i, got+1, lines, answers[i])
		}
	}
	if !strings.HasPrefix(answers[2], "= symmetry 3\nwhiteWin 0.") || strings.Count(answers[2], "NAN") != 1 {
		t.Errorf("%s", answers[2])
	}
	if !strings.HasPrefix(answers[5], "? expected a symmetry") {
		t.Errorf("symmetry 8: %s", answers[5])
	}
	for _, i := range []int{0, 1, 6, 7, 8, 10} {
		if !strings.HasPrefix(answers[i], "= ") {
			t.Errorf("answer %d: %s", i, answers[i])
		}
	}
	for args, want := range map[string]string{
		"-net nowhere":                                 "nowhere",
		"-net ../../eval/nets/renju.zst":               "not a network",
		"-net ../../eval/judge/testdata/positions.txt": "not a network that can be read",
	} {
		var out, errs bytes.Buffer
		if code := speakGTP(strings.Fields(args), strings.NewReader("name\n"), &out, &errs); code != 2 || out.Len() > 0 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d, %q, %q", args, code, out.String(), errs.String())
		}
	}
	out.Reset()
	speakGTP(nil, strings.NewReader("kata-raw-nn 0"), &out, &errs)
	if out.String() != "? unknown command\n\n" {
		t.Errorf("without a network: %q", out.String())
	}
}

// A user's own network of a line game changes what the search says; one that is of another
// game, damaged or not there is told of, and play goes on with ours.
func TestOwnLineNetwork(t *testing.T) {
	dir := t.TempDir()
	own := func(name string, bias int32) string {
		n := *eval.Net("renju")
		for side := range n.Head {
			n.Head[side].Base += bias
		}
		file := filepath.Join(dir, name)
		f, err := os.Create(file)
		if err == nil {
			err = n.Write(f, "renju")
		}
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	same, other, bad := own("same.net", 0), own("other.net", 4000), filepath.Join(dir, "bad.net")
	data, err := os.ReadFile(same)
	if err == nil {
		err = os.WriteFile(bad, data[:len(data)-9], 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	in := "play black h8\nplay white h9\nplay black j10\nlz-genmove_analyze white 1\nquit\n"
	ask := func(args string) (out, errs string) {
		var o, e bytes.Buffer
		if code := speakGTP(strings.Fields("-nodes 3000 -book off "+args), strings.NewReader(in), &o, &e); code != 0 {
			t.Fatalf("%s: exit %d, %s", args, code, e.String())
		}
		out = o.String() // from the last information on: how many come before it is chance
		return out[strings.LastIndex(out, "info move"):], e.String()
	}
	ours, _ := ask("-game renju")
	for _, c := range []struct {
		args, errs string
		same       bool
	}{
		{"-game renju -net " + same, "", true},
		{"-game renju -net " + other, "", false},
		{"-game renju -net " + bad, "tengen gtp: play goes on with our own network: " + bad + ": ", true},
		{"-game renju -net nowhere", "tengen gtp: play goes on with our own network: open nowhere: ", true},
		{"-game caro -net " + other, "tengen gtp: " + other + " is for renju; caro is played with our own\n", false},
	} {
		out, errs := ask(c.args)
		if (out == ours) != c.same || !strings.HasPrefix(errs, c.errs) || c.errs == "" && errs != "" {
			t.Errorf("%s: %q\n%s", c.args, errs, out)
		}
	}
	caro, _ := ask("-game caro")
	if out, _ := ask("-game caro -net " + other); out != caro {
		t.Errorf("caro with a network of renju:\n%s\n%s", out, caro)
	}
}
