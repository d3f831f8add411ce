"use strict";
// The page's own script: it filters the list of games and replays one. It knows no rules:
// moves and the stones that they take off are in the data.
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);

// element makes an element of HTML, or of SVG where the name begins with "svg:".
function element(name, attributes = {}, ...children) {
	const e = name.startsWith("svg:") ? document.createElementNS("http://www.w3.org/2000/svg", name.slice(4)) : document.createElement(name);
	for (const [k, v] of Object.entries(attributes)) if (v !== null && v !== false) e.setAttribute(k, v === true ? "" : v);
	e.append(...children.filter(c => c !== null));
	return e;
}

const faults = new Set(["crash", "timeout", "illegal", "forbidden"]);
const words = s => s ? s.split(" ") : [];
const colour = ["black", "white"];
const points = {"1-0": [1, 0], "0-1": [0, 1], "1/2": [.5, .5]};

// ---- the list

let shown = [];    // the games that pass the filters
let listed = 0;    // how many of them have a row
const page = 200;  // rows at a time

function option(value, text) { return element("option", {value}, text); }

function fillFilters() {
	data.names.forEach((n, i) => { $("f-engine").append(option(i, n)); $("f-foe").append(option(i, n)); });
	[...new Set(data.games.map(g => g.end))].sort().forEach(e => $("f-end").append(option(e, e)));
	nameResults();
}

// nameResults offers results by engine where one is chosen, else by colour.
function nameResults() {
	const chosen = $("f-result").value, one = $("f-engine").value !== "";
	const by = one ? ["it won", "it lost"] : ["Black won", "White won"];
	$("f-result").replaceChildren(option("", "any"), option("1", by[0]), option("0", by[1]), option("d", "draw"), option("v", "void"));
	$("f-result").value = chosen;
}

function filter() {
	nameResults();
	const engine = $("f-engine").value, foe = $("f-foe").value, result = $("f-result").value, end = $("f-end").value;
	shown = data.games.filter(g => {
		const sides = [g.black, g.white];
		if (engine !== "" && !sides.includes(+engine) || foe !== "" && !sides.includes(+foe)) return false;
		if (engine !== "" && engine === foe) return false;
		if (end !== "" && g.end !== end) return false;
		const p = points[g.result];
		switch (result) {
		case "": return true;
		case "v": return !p;
		case "d": return p && p[0] === .5;
		}
		return p && p[0] !== .5 && p[engine !== "" && g.white === +engine ? 1 : 0] === +result;
	});
	listed = 0;
	$("rows").replaceChildren();
	$("counted").textContent = shown.length === data.games.length ? `${shown.length} games` : `${shown.length} of ${data.games.length} games`;
	more();
}

function more() {
	for (const g of shown.slice(listed, listed + page)) $("rows").append(row(g));
	listed = Math.min(shown.length, listed + page);
	$("more").hidden = listed >= shown.length;
	$("more").textContent = `${shown.length - listed} more`;
}

function row(g) {
	const p = points[g.result] || [0, 0];
	const tr = element("tr", {"data-game": g.id, "aria-selected": String(g === game)},
		element("td", {}, element("button", {type: "button", "aria-label": `game ${g.id}`}, String(g.id))),
		element("td", {class: p[0] === 1 ? "name won" : "name", title: data.names[g.black]}, data.names[g.black]),
		element("td", {class: p[1] === 1 ? "name won" : "name", title: data.names[g.white]}, data.names[g.white]),
		element("td", {}, g.result.replace("1/2", "½").replace("-", "–")),
		element("td", {}, chip(g.end)),
		element("td", {class: "wide"}, String(g.plies)));
	return tr;
}

function chip(end) { return element("span", {class: faults.has(end) ? "chip fault" : "chip"}, end); }

// ---- a game

let game = null, moves = [], ply = 0;

function place(name) {
	const x = data.columns.indexOf(name[0]), y = data.size - Number(name.slice(1));
	return [data.margin + x * data.cell, data.top + y * data.cell];
}

// side is who made a move, counted from 0.
const side = k => ((game.first || 0) + k) % 2;

// position returns the stones after so many moves, what the last of them took off, and how
// many stones each side has taken.
function position(n) {
	const stones = new Map(), taken = [0, 0];
	let gone = [];
	(game.setup || []).forEach((list, c) => words(list).forEach(q => stones.set(q, {c})));
	for (let k = 0; k < n; k++) {
		if (moves[k] !== "pass") stones.set(moves[k], {c: side(k), n: k + 1});
		gone = [];
		for (const q of words((game.taken || {})[k + 1])) {
			const s = stones.get(q);
			if (!s) continue;
			taken[1 - s.c]++;
			gone.push(q);
			stones.delete(q);
		}
	}
	return {stones, gone, taken};
}

function draw() {
	const {stones, gone, taken} = position(ply);
	const r = data.cell * .47, last = ply > 0 ? moves[ply - 1] : "";
	const parts = [];
	for (const q of gone) {
		const [x, y] = place(q);
		parts.push(element("svg:circle", {class: "gone", cx: x, cy: y, r: r * .8, "aria-label": `${q} taken`}));
	}
	const numbers = $("numbers").checked;
	for (const [q, s] of stones) {
		const [x, y] = place(q), text = s.n ? String(s.n) : "";
		const g = element("svg:g", {role: "img", "aria-label": `${q} ${colour[s.c]}${text && " " + text}`,
			class: `stone ${colour[s.c]}${q === last ? " last" : ""}${s.n <= (game.given || 0) ? " given" : ""}`},
			element("svg:circle", {cx: x, cy: y, r}));
		if (numbers && text) g.append(element("svg:text", {x, y: y + 1, class: text.length > 2 ? "long" : "short"}, text));
		if (q === last && !numbers) g.append(element("svg:circle", {class: "mark", cx: x, cy: y, r: r * .45}));
		parts.push(g);
	}
	$("stones").replaceChildren(...parts);
	$("ply").value = ply;
	// A button that was disabled would lose the keyboard.
	const end = (ids, is) => ids.forEach(id => $(id).setAttribute("aria-disabled", String(is)));
	end(["first", "back"], ply === 0);
	end(["forward", "last"], ply === moves.length);
	tell(taken);
	cursor();
	remember();
}

// thought returns what the player of a move said of it, for the move's side.
function thought(k) {
	const i = k - (game.given || 0), at = list => i >= 0 && list ? list[i] : undefined;
	return {value: at(game.values), depth: at(game.depths), nodes: at(game.nodes), ms: at(game.millis)};
}

function valueText(v) {
	if (v > data.most) return `wins in ${data.win - v}`;
	if (v < -data.most) return `loses in ${data.win + v}`;
	return (v > 0 ? "+" : v < 0 ? "−" : "") + Math.abs(v);
}

function big(n) { return n >= 1e6 ? (n / 1e6).toFixed(1) + "M" : n >= 1e4 ? Math.round(n / 1e3) + "k" : String(n); }

function tell(taken) {
	const out = [];
	if (moves.length === 0) out.push(game.moves === undefined ? "The moves of this game are not in this file." : "No move was made.");
	else if (ply === 0) out.push(`The beginning; ${moves.length} moves follow.`);
	else {
		const k = ply - 1, t = thought(k);
		out.push(element("b", {}, `${ply}. ${moves[k]}`), ` ${data.names[side(k) ? game.white : game.black]}`);
		const said = [];
		if (k < (game.given || 0)) said.push("of the opening");
		if (t.value !== undefined && t.value !== null) said.push("value " + valueText(t.value));
		if (t.depth) said.push("depth " + t.depth);
		if (t.nodes) said.push(big(t.nodes) + " nodes");
		if (t.ms !== undefined) said.push(t.ms < 1000 ? t.ms + " ms" : (t.ms / 1000).toFixed(2) + " s");
		if (said.length) out.push(": " + said.join(", "));
	}
	if (taken[0] + taken[1] > 0) out.push(element("br"), element("span", {class: "dim"}, `captured by Black ${taken[0]}, by White ${taken[1]}`));
	if (moves.length > 0 && ply === moves.length) out.push(element("br"), element("span", {class: "dim"}, ending()));
	$("move").replaceChildren(...out);
}

function ending() {
	const p = points[game.result];
	const who = !p ? "void" : p[0] === .5 ? "draw" : `${data.names[p[0] ? game.black : game.white]} wins`;
	return `${who}: ${game.end}${game.detail ? ", " + game.detail.split("\n")[0] : ""}`;
}

// ---- the graph of values, as Black sees them

const G = {left: 34, right: 552, top: 8, middle: 58, bottom: 108};
const across = n => G.left + (G.right - G.left) * (moves.length ? n / moves.length : 0);

function graph() {
	const told = [[], []];
	for (let k = 0; k < moves.length; k++) {
		const v = thought(k).value;
		if (v !== undefined && v !== null) told[side(k)].push([k + 1, side(k) ? -v : v]);
	}
	const sizes = told.flat().map(t => Math.abs(t[1])).filter(v => v <= data.most).sort((a, b) => a - b);
	// Engines differ in their units: half of what is not won lies within half of the height.
	const unit = Math.max(50, sizes[sizes.length >> 1] || 0);
	const height = v => Math.abs(v) > data.most ? Math.sign(v) : v / (Math.abs(v) + unit);
	const y = v => G.middle - (G.middle - G.top) * height(v);
	const parts = [
		element("svg:path", {class: "mesh", d: `M${G.left} ${G.top}H${G.right}M${G.left} ${G.middle}H${G.right}M${G.left} ${G.bottom}H${G.right}`}),
		element("svg:text", {x: 0, y: G.top + 9}, "Black"), element("svg:text", {x: 0, y: G.bottom}, "White"),
		element("svg:text", {x: G.right, y: G.bottom + 16, "text-anchor": "end"}, moves.length),
	];
	const legend = [];
	told.forEach((list, c) => {
		const name = data.names[c ? game.white : game.black];
		if (!list.length) { legend.push(element("span", {class: "dim"}, `${name} told no values`)); return; }
		const d = list.map(([n, v], i) => (i ? "L" : "M") + across(n).toFixed(1) + " " + y(v).toFixed(1)).join("");
		parts.push(element("svg:path", {class: `line s${c}`, d}));
		if (list.length < 80) for (const [n, v] of list) parts.push(element("svg:circle", {class: `end s${c}`, cx: across(n).toFixed(1), cy: y(v).toFixed(1), r: 2.2}));
		legend.push(element("span", {}, element("svg:svg", {viewBox: "0 0 16 8", "aria-hidden": "true"}, element("svg:path", {class: `line s${c}`, d: "M0 4H16"})), ` ${name}`));
	});
	parts.push(element("svg:path", {class: "cursor", id: "cursor", d: ""}));
	$("graph").replaceChildren(...parts);
	$("graph-legend").replaceChildren(...legend);
}

function cursor() {
	const x = across(ply).toFixed(1);
	$("cursor").setAttribute("d", `M${x} ${G.top - 4}V${G.bottom + 4}`);
	$("graph").setAttribute("data-ply", ply);
}

// ---- going about

function about() {
	const b = $("versus");
	const who = c => element("span", {}, element("i", {class: `disc ${colour[c]}`, "aria-label": colour[c]}), data.names[c ? game.white : game.black]);
	b.replaceChildren(element("span", {class: "dim"}, `Game ${game.id}`), who(0), who(1), element("span", {}, game.result.replace("1/2", "½–½").replace("-", "–")), chip(game.end));
	const facts = [["Ended by", game.end + (game.detail ? ": " + game.detail : "")], ["Round", game.round], ["Pair", game.pair]];
	if (game.opening) facts.push(["Opening", game.opening + (game.turned ? `, turned (${game.turned})` : "")]);
	facts.push(["Moves", game.plies], ["Time", `${game.seconds} s`]);
	if (game.late) facts.push(["Late moves", `Black ${game.late[0]}, White ${game.late[1]}`]);
	if (game.broken) facts.push(["Not replayed", game.broken]);
	$("about").replaceChildren(...facts.map(([k, v]) => element("div", {}, element("dt", {}, k), element("dd", {}, String(v)))));
	$("stderr").hidden = !game.stderr;
	$("stderr").textContent = game.stderr || "";
}

function open(g, at) {
	game = g;
	moves = words(g.moves);
	ply = Math.max(0, Math.min(moves.length, at === undefined ? moves.length : at));
	$("ply").max = moves.length;
	document.querySelectorAll("#rows tr").forEach(tr => tr.setAttribute("aria-selected", String(+tr.dataset.game === g.id)));
	about();
	graph();
	draw();
}

function go(n) {
	n = Math.max(0, Math.min(moves.length, n));
	if (!game || n === ply) return;
	ply = n;
	draw();
}

// beside opens the game so many places after this one in the list.
function beside(step) {
	const i = shown.indexOf(game), g = shown[i < 0 ? 0 : i + step];
	if (!g) return;
	while (listed < shown.length && shown.indexOf(g) >= listed) more();
	open(g);
	document.querySelector(`#rows tr[data-game="${g.id}"]`).scrollIntoView({block: "nearest"});
}

// remember keeps game and move in the address, so that a link leads to them.
function remember() {
	try { history.replaceState(null, "", `#game=${game.id}&move=${ply}`); } catch { /* a page without an address */ }
}

function recall() {
	const m = /^#game=(\d+)(?:&move=(\d+))?$/.exec(location.hash);
	const g = m && data.games.find(g => g.id === +m[1]);
	if (g) open(g, m[2] === undefined ? undefined : +m[2]);
	return Boolean(g);
}

let timer = 0;
function auto(on) {
	clearInterval(timer);
	timer = on ? setInterval(() => { if (ply === moves.length) auto(false); else go(ply + 1); }, 500) : 0;
	$("auto").setAttribute("aria-pressed", String(Boolean(on)));
	$("auto").textContent = on ? "stop" : "play";
}

$("first").onclick = () => go(0);
$("back").onclick = () => go(ply - 1);
$("forward").onclick = () => go(ply + 1);
$("last").onclick = () => go(moves.length);
$("prev-game").onclick = () => beside(-1);
$("next-game").onclick = () => beside(1);
$("ply").oninput = e => go(+e.target.value);
$("numbers").onchange = () => game && draw();
$("auto").onclick = () => {
	const on = !timer;
	if (on && ply === moves.length) go(0);
	auto(on);
};
$("more").onclick = more;
$("graph").onclick = e => {
	const box = $("graph").getBoundingClientRect(), x = (e.clientX - box.left) / box.width * 560;
	go(Math.round((x - G.left) / (G.right - G.left) * moves.length));
};
$("rows").onclick = e => {
	const tr = e.target.closest("tr");
	if (!tr) return;
	auto(false);
	open(data.games.find(g => g.id === +tr.dataset.game));
	tr.querySelector("button").focus({preventScroll: true});
	if (matchMedia("(max-width: 900px)").matches) $("view").scrollIntoView({behavior: "smooth"});
};
$("filters").onchange = filter;
$("filters").onreset = () => setTimeout(filter);
$("filters").onsubmit = e => e.preventDefault();
document.querySelectorAll("[data-pair]").forEach(b => b.onclick = () => {
	const [a, c] = b.dataset.pair.split(" ");
	$("filters").reset();
	$("f-engine").value = a;
	$("f-foe").value = c;
	setTimeout(() => { $("f-engine").value = a; $("f-foe").value = c; filter(); });
	$("games").scrollIntoView({behavior: "smooth"});
});
document.querySelectorAll("[data-line]").forEach(b => b.onclick = () => {
	const off = b.closest("figure").querySelector(`.band.s${b.dataset.line}`).classList.toggle("off");
	b.setAttribute("aria-pressed", String(!off));
});
document.addEventListener("keydown", e => {
	if (e.altKey || e.ctrlKey || e.metaKey || /^(SELECT|TEXTAREA)$/.test(e.target.tagName) || !game) return;
	// Up and down scroll the page, but where the games are.
	const games = $("games").contains(document.activeElement);
	switch (games || !/^Arrow(Up|Down)$/.test(e.key) ? e.key : "") {
	case "ArrowLeft": go(ply - 1); break;
	case "ArrowRight": go(ply + 1); break;
	case "Home": go(0); break;
	case "End": go(moves.length); break;
	case "ArrowUp": beside(-1); break;
	case "ArrowDown": beside(1); break;
	default: return;
	}
	e.preventDefault();
});
window.addEventListener("hashchange", recall);

fillFilters();
filter();
if (!recall() && data.games.length) open(data.games[0]);
})();
