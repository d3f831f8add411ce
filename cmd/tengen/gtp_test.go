package main

import (
	"bytes"
	"strings"
	"testing"
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
