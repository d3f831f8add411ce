//go:build e2e

package report

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tengen/bench/tournament"
	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/record"
)

var shots = flag.String("shots", "", "write pictures of the pages into this folder")

// browser starts a browser, or skips the test where there is none.
func browser(t *testing.T) context.Context {
	exe := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			exe = path
			break
		}
	}
	if exe == "" {
		t.Skip("no chromium; Debian has it as the package chromium")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	t.Cleanup(cancel)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(exe), chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(time.Minute))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // it refuses to run as root otherwise
	}
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// show writes the page of a match to a file and opens it, in a window of some size.
func show(t *testing.T, ctx context.Context, name string, width, height int64, scheme string) *tournament.Played {
	t.Helper()
	p := played(t, name)
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(write(t, newView(p, mostGames, mostMoves))), 0o666); err != nil {
		t.Fatal(err)
	}
	dark := chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	})
	at := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	do(t, ctx, chromedp.EmulateViewport(width, height), dark, chromedp.Navigate(at.String()), chromedp.WaitVisible(chromedp.CSS("#rows tr")))
	return p
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// ask returns what an expression of the page's script is.
func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// picture keeps how a page looks, for people.
func picture(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if *shots == "" {
		return
	}
	b, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name+".png"), b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// labels returns what the referee has on the board after n moves, in the words of the page.
func labels(t *testing.T, g *tournament.Game, v game.Variant, n int) []string {
	t.Helper()
	rec, err := g.Record(v)
	if err != nil {
		t.Fatal(err)
	}
	rec.Moves = rec.Moves[:n]
	ref, err := engine.Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for y := range v.Size {
		for x := range v.Size {
			q := game.At(x, y)
			if ref.At(q) > game.White {
				continue
			}
			number := 0
			for i, m := range rec.Moves {
				if m.Point == q {
					number = i + 1
				}
			}
			out = append(out, fmt.Sprintf("%s %s %d", strings.ToLower(record.Name(q, v)), strings.ToLower(ref.At(q).String()), number))
		}
	}
	slices.Sort(out)
	return out
}

func onBoard(t *testing.T, ctx context.Context) []string {
	t.Helper()
	out := ask[[]string](t, ctx, `[...document.querySelectorAll("#stones .stone")].map(e => e.getAttribute("aria-label"))`)
	slices.Sort(out)
	return out
}

// The report of a match is opened in a browser: a game is clicked and stepped through, by
// keys and by buttons, and its stones are always those of the referee.
func TestBrowser(t *testing.T) {
	ctx := browser(t)
	for _, name := range []string{"duel", "go"} {
		p := show(t, ctx, name, 1280, 900, "light")
		v := p.Conf.Variant()
		g := &p.Games[1]
		n := len(strings.Fields(g.Moves))
		do(t, ctx, chromedp.Click(chromedp.CSS(fmt.Sprintf(`[aria-label="game %d"]`, g.ID+1))))
		same := func(plies int) {
			t.Helper()
			if d := cmp.Diff(labels(t, g, v, plies), onBoard(t, ctx), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%s after %d moves: %s", name, plies, d)
			}
		}
		same(n)
		do(t, ctx, chromedp.KeyEvent(kb.Home))
		same(0)
		for k := 1; k <= n; k++ {
			do(t, ctx, chromedp.KeyEvent(kb.ArrowRight))
			same(k)
			if last := ask[string](t, ctx, `(document.querySelector(".stone.last") || document.body).getAttribute("aria-label") || ""`); strings.Fields(g.Moves)[k-1] != "pass" &&
				last != "" && !strings.HasSuffix(last, fmt.Sprintf(" %d", k)) {
				t.Errorf("%s: after move %d the last stone is %q", name, k, last)
			}
			if at := ask[string](t, ctx, `document.getElementById("graph").dataset.ply`); at != fmt.Sprint(k) {
				t.Errorf("the cursor is at %s, not %d", at, k)
			}
		}
		do(t, ctx, chromedp.Click(chromedp.CSS(`[aria-label="one move back"]`)))
		same(n - 1)
		do(t, ctx, chromedp.Click(chromedp.CSS(`[aria-label="first position"]`)))
		same(0)
		do(t, ctx, chromedp.Click(chromedp.CSS(`[aria-label="one move forward"]`)))
		same(1)
		do(t, ctx, chromedp.Click(chromedp.CSS(`[aria-label="last position"]`)), chromedp.KeyEvent(kb.ArrowLeft))
		same(n - 1)
		do(t, ctx, chromedp.KeyEvent(kb.End))
		same(n)
		// A click in the middle of the graph leads to the middle of the game.
		ask[bool](t, ctx, `(box => graph.dispatchEvent(new MouseEvent("click", {clientX: box.left + box.width * 293 / 560})))(graph.getBoundingClientRect())`)
		same((n + 1) / 2)
		if hash, want := ask[string](t, ctx, "location.hash"), fmt.Sprintf("#game=%d&move=%d", g.ID+1, (n+1)/2); hash != want {
			t.Errorf("the address has %s, not %s", hash, want)
		}
		do(t, ctx, chromedp.KeyEvent(kb.ArrowUp))
		g = &p.Games[0]
		same(len(strings.Fields(g.Moves)))
		if k := ask[int](t, ctx, `performance.getEntriesByType("resource").length`); k != 0 {
			t.Errorf("%s: %d things were fetched", name, k)
		}
		picture(t, ctx, name+"-light")
	}
}

// The list is filtered by engines, result and end, and by a click in the crosstable.
func TestFilters(t *testing.T) {
	ctx := browser(t)
	p := show(t, ctx, "field", 1280, 900, "dark")
	choose := func(id, value string) {
		t.Helper()
		do(t, ctx, chromedp.SetValue(chromedp.CSS("#"+id), value))
		ask[bool](t, ctx, fmt.Sprintf(`document.getElementById(%q).dispatchEvent(new Event("change", {bubbles: true}))`, id))
	}
	rows := func() int { return ask[int](t, ctx, `document.querySelectorAll("#rows tr").length`) }
	count := func(ok func(g *tournament.Game) bool) (n int) {
		for i := range p.Games {
			if ok(&p.Games[i]) {
				n++
			}
		}
		return n
	}
	expect := func(what string, ok func(g *tournament.Game) bool) {
		t.Helper()
		if got, want := rows(), count(ok); got != want {
			t.Errorf("%s: %d games, not %d", what, got, want)
		}
	}
	of := func(g *tournament.Game, e int) bool { return g.Black == e || g.White == e }
	expect("all", func(*tournament.Game) bool { return true })
	choose("f-engine", "1")
	expect("engine 1", func(g *tournament.Game) bool { return of(g, 1) })
	choose("f-result", "1")
	won := func(g *tournament.Game, e int) bool {
		return g.Black == e && g.Outcome == "1-0" || g.White == e && g.Outcome == "0-1"
	}
	expect("won by engine 1", func(g *tournament.Game) bool { return won(g, 1) })
	choose("f-foe", "3")
	expect("won against 3", func(g *tournament.Game) bool { return of(g, 3) && won(g, 1) })
	do(t, ctx, chromedp.Click(chromedp.CSS(`#filters [type="reset"]`)))
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](fmt.Sprintf(`document.querySelectorAll("#rows tr").length === %d`, len(p.Games)))); err != nil {
		t.Fatal(err)
	}
	choose("f-end", "crash")
	expect("crashes", func(g *tournament.Game) bool { return g.End == tournament.Crash })
	picture(t, ctx, "field-dark")

	// What programs said is text.
	do(t, ctx, chromedp.Click(chromedp.CSS(`[aria-label="game 10"]`)))
	said := ask[string](t, ctx, `document.getElementById("stderr").textContent`)
	if !strings.Contains(said, `</script><script>document.title="broken"</script>`) {
		t.Error("last words:", said)
	}
	if !ask[bool](t, ctx, fmt.Sprintf(`document.body.innerText.includes(%q)`, p.Names[1])) {
		t.Error("the name of an engine is not to be seen")
	}
	if title := ask[string](t, ctx, "document.title"); title != p.Conf.Event {
		t.Error("the title is", title)
	}

	// An interval of the course is put away and another one shown.
	do(t, ctx, chromedp.Click(chromedp.CSS(`[data-line="0"]`)), chromedp.Click(chromedp.CSS(`[data-line="2"]`)))
	if bands := ask[[]string](t, ctx, `[...document.querySelectorAll(".band:not(.off)")].map(e => e.getAttribute("class"))`); !slices.Equal(bands, []string{"band s2"}) {
		t.Error("intervals shown:", bands)
	}

	do(t, ctx, chromedp.Click(chromedp.CSS(`[data-pair="0 4"]`)))
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](fmt.Sprintf(`document.querySelectorAll("#rows tr").length === %d`,
		count(func(g *tournament.Game) bool { return of(g, 0) && of(g, 4) })))); err != nil {
		t.Error("the games of a cell:", err)
	}
}

// On a phone nothing is wider than the screen but what scrolls by itself.
func TestPhone(t *testing.T) {
	ctx := browser(t)
	for _, name := range matches {
		show(t, ctx, name, 375, 740, "light")
		if w := ask[int](t, ctx, "document.documentElement.scrollWidth"); w > 375 {
			t.Errorf("%s is %d wide", name, w)
		}
		picture(t, ctx, name+"-phone")
	}
}
