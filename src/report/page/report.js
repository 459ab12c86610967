/* The report of one run. What its data hold stands in report_data.hpp; what each part means, and how
 * to read it, in docs/report.md. */
"use strict";

(() => {
  const {data, el, number, count, bytes, duration, percent, card, section, series} = lipizz;
  const {run, best, frames, sheets, timeline} = data;
  const n_cells = run.rows * run.columns;
  const generations = frames.generations;
  const hasGenerations = run.done > 0;
  const hasFrames = generations.length > 0;
  const place = (cell) => `(${Math.floor(cell / run.columns)},\u00a0${cell % run.columns})`;

  // What the reader looks at: a frame and a cell, which all parts follow.
  const chosen = {frame: Math.max(generations.length - 1, 0), cell: run.final ? run.final.cell : best ? best.cell : 0};
  const followers = {frame: [], cell: []};
  const waiting = new Set();

  function choose(change) {
    const known = waiting.size > 0;
    for (const [what, value] of Object.entries(change)) {
      if (chosen[what] === value) continue;
      chosen[what] = value;
      waiting.add(what);
    }
    if (known || waiting.size === 0) return;
    requestAnimationFrame(() => {
      const changed = [...waiting];
      waiting.clear();
      for (const what of changed) for (const follow of followers[what]) follow();
    });
  }

  function follow(what, action) {
    for (const one of [].concat(what)) followers[one].push(action);
  }

  const generationShown = () => generations[chosen.frame];
  const frameOf = (generation) => {
    let at = generations.findIndex((one) => one >= generation);
    if (at < 0) at = generations.length - 1;
    return at;
  };

  /* --- the head --- */

  function head() {
    const shape = `${run.rows}x${run.columns} grid`;
    const model = run.model && run.model.length < 40 ? run.model : "a model that is written out";
    lipizz.header({kind: "Report of a run", title: run.name,
      note: [run.dataset, model, shape, `seed ${run.seed}`, run.is_asynchronous ? "asynchronous exchange" : null, run.folder].filter(Boolean).join(" · ")});
    const scored = run.metric ? `${run.metric}, lower is better` : "lower is better";
    const facts = [];
    if (run.final) {
      facts.push({name: "Final score", value: number(run.final.score), more: `cell ${place(run.final.cell)}, ${count(run.final.n_samples)} samples`});
    }
    if (best) {
      facts.push({name: "Best while training", value: number(best.score), more: `generation ${count(best.generation)}, cell ${place(best.cell)}`});
    }
    facts.push({name: "Floor: real against real", value: number(run.floor), more: run.floor === null ? "not known" : scored});
    facts.push({name: "Generations", value: count(run.done), more: run.is_finished ? "finished" : `of ${count(run.planned)}, not finished`});
    // The result tells of its last start alone.
    const isWhole = timeline.n_starts > 1 || run.training_s === undefined && timeline.n_starts === 1;
    facts.push({name: "Trained for", value: duration(isWhole ? timeline.end_s : run.training_s), more: isWhole ? `in ${timeline.n_starts} ${timeline.n_starts === 1 ? "start" : "starts"}`
      : run.from_generation ? `since generation ${count(run.from_generation)}` : undefined});
    const lost = timeline.marks.filter((mark) => mark.kind === "lost").length;
    const workers = timeline.n_all || data.times.of === "rank" && data.times.n_all;
    const hasHelpers = timeline.rows.some((row) => row.spans.some((span) => span[0] === "helping"));
    if (workers) facts.push({name: hasHelpers ? "Workers and helpers" : "Workers", value: count(workers), more: lost ? `${lost} lost on the way` : "none lost"});
    document.getElementById("top").append(lipizz.facts(facts));
    if (data.findings.length) document.getElementById("top").append(lipizz.messages(data.findings));
  }

  /* --- the bar with the slider --- */

  function steer() {
    if (!hasFrames) return;
    const output = el("output", {for: "generation"});
    const slider = el("input", {type: "range", id: "generation", min: "0", max: String(generations.length - 1), step: "1", value: String(chosen.frame),
      oninput: () => choose({frame: Number(slider.value)})});
    const select = el("select", {id: "cell", onchange: () => choose({cell: Number(select.value)})},
      ...Array.from({length: n_cells}, (_, cell) => el("option", {value: String(cell), text: place(cell)})));
    const jump = (text, label, frame) => el("button", {type: "button", class: "button", text, "aria-label": label, onclick: () => choose({frame})});
    const ends = el("span", {class: "pair ends"}, best ? jump("Best", `Go to the best generation, ${best.generation}`, frameOf(best.generation)) : null,
      jump("Last", "Go to the last generation", generations.length - 1));
    const bar = el("div", {class: "steer", role: "region", "aria-label": "Generation and cell that are shown"}, el("div", {class: "steer-row"},
      el("span", {}, el("label", {for: "generation", class: "hidden", text: "Generation"}), output),
      el("span", {class: "range"}, slider), ends,
      el("span", {class: "pair"}, el("label", {for: "cell", text: "Cell"}), select)));
    document.getElementById("contents").after(bar);
    const show = () => {
      const text = `Generation ${count(generationShown())}`;
      output.textContent = text;
      slider.value = String(chosen.frame);
      slider.setAttribute("aria-valuetext", text);
      select.value = String(chosen.cell);
    };
    follow(["frame", "cell"], show);
    show();
  }

  /* --- grids of cells --- */

  /* A grid of buttons, one for each cell, that chooses. tell(cell) gives {text, label, share}. */
  function grid({label, isFlat, tell}) {
    const buttons = Array.from({length: n_cells}, (_, cell) => el("button", {type: "button", tabindex: "-1", "data-cell": String(cell), onclick: () => choose({cell})}));
    const element = el("div", {class: isFlat ? "grid flat" : "grid", role: "group", "aria-label": label, style: `grid-template-columns: repeat(${run.columns}, minmax(38px, 1fr))`}, ...buttons);
    element.addEventListener("keydown", (event) => {
      const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      const from = Number(document.activeElement.dataset.cell ?? chosen.cell);
      const row = (Math.floor(from / run.columns) + step[0] + run.rows) % run.rows;
      const column = (from % run.columns + step[1] + run.columns) % run.columns;
      choose({cell: row * run.columns + column});
      buttons[row * run.columns + column].focus();
    });
    const show = () => {
      const lowest = lowestCell();
      buttons.forEach((button, cell) => {
        const told = tell(cell);
        const colour = lipizz.heat(told.share);
        button.textContent = told.text;
        button.setAttribute("aria-label", told.label);
        button.title = told.label;
        button.style.background = told.share === null ? "" : colour.background;
        button.style.color = told.share === null ? "" : colour.ink;
        button.setAttribute("aria-pressed", String(cell === chosen.cell));
        button.tabIndex = cell === chosen.cell ? 0 : -1;
        button.classList.toggle("is-best", cell === lowest);
      });
    };
    follow(["frame", "cell"], show);
    show();
    const frame = el("div", {class: "grid-frame"}, element);
    frame.show = show;
    return frame;
  }

  function lowestCell() {
    let lowest = -1;
    const scores = frames.score[chosen.frame];
    scores.forEach((score, cell) => {
      if (score !== null && (lowest < 0 || score < scores[lowest])) lowest = cell;
    });
    return lowest;
  }

  function scale(from, to) {
    const steps = Array.from({length: 11}, (_, i) => lipizz.heat(i / 10).background);
    return el("div", {class: "scale"}, el("span", {text: from}), el("span", {class: "ramp", style: `background: linear-gradient(to right, ${steps.join(",")})`}), el("span", {text: to}));
  }

  // Colours go from the worst to the best of all that is shown, but for the two hundredths that are
  // worst, so that a spike does not leave one colour to the rest.
  function colouring(scores) {
    const sorted = scores.filter((score) => score !== null).sort((a, b) => a - b);
    const low = sorted[0];
    const high = sorted[Math.floor(0.98 * (sorted.length - 1))];
    const isLog = low > 0 && high > 10 * low;
    const at = (x) => (isLog ? Math.log(x) : x);
    return {low, high, isCut: high < sorted[sorted.length - 1],
      share: (score) => (high > low ? Math.max((at(high) - at(score)) / (at(high) - at(low)), 0) : 1)};
  }

  function scoreGrid() {
    const ofRun = colouring(frames.score.flat());
    let ofFrame = null;
    const used = () => ofFrame || ofRun;
    const legend = el("div");
    const cells = grid({label: "Scores of all cells; arrow keys choose one", tell(cell) {
      const score = frames.score[chosen.frame][cell];
      return {text: number(score, 3), share: score === null ? null : used().share(score),
        label: score === null ? `cell ${place(cell)}: no score` : `cell ${place(cell)}: score ${number(score)}`};
    }});
    const show = () => {
      const {low, high, isCut} = used();
      legend.replaceChildren(low === undefined ? "" : scale(`${number(high, 3)}${isCut ? " and above" : ""}`, `${number(low, 3)}, the best`));
    };
    const button = el("button", {type: "button", class: "button", "aria-pressed": "false", text: "rescale colours", "aria-label": "Scale colours to this generation alone",
      onclick: () => {
        ofFrame = ofFrame ? null : colouring(frames.score[chosen.frame]);
        button.setAttribute("aria-pressed", String(ofFrame !== null));
        cells.show();
        show();
      }});
    const element = card({title: "Score of each cell", note: "Lower is better, and brighter; the newest of each cell where this generation has none. A star marks the best cell of this generation; a click or the arrow keys choose another one."}, cells, legend);
    element.head.append(button);
    followers.frame.unshift(() => {
      if (ofFrame) ofFrame = colouring(frames.score[chosen.frame]);
      show();
    });
    show();
    return element;
  }

  function membersOf(cell) {
    const mixture = frames.mixture[chosen.frame][cell];
    if (!mixture.length) return new Map();
    return new Map(frames.members[mixture[0]].map((member, i) => [member, (mixture[i + 1] ?? 0) / 1000]));
  }

  function mixtureGrid() {
    const title = el("span", {text: ""});
    const element = card({title: "Mixture of the chosen cell", note: "How much of its samples each generator of its neighbourhood makes."}, grid({
      isFlat: true, label: "Weights of the chosen cell's mixture; arrow keys choose another cell", tell(cell) {
        const weight = membersOf(chosen.cell).get(cell);
        return {text: weight === undefined ? "·" : percent(weight), share: weight === undefined ? null : weight,
          label: weight === undefined ? `cell ${place(cell)}: not in this mixture` : `cell ${place(cell)}: ${percent(weight)} of the mixture`};
      }}), scale("0 %", "100 %"));
    element.head.append(title);
    element.classList.add("after");
    const show = () => {
      title.textContent = place(chosen.cell);
    };
    follow("cell", show);
    show();
    return element;
  }

  /* --- sheets --- */

  function sheetCard() {
    const image = el("img", {id: "sheet", alt: ""});
    const none = el("div", {class: "none"});
    const caption = el("p", {class: "caption"});
    const element = card({title: "Samples"}, el("div", {class: "sheet"}, image, none, caption));
    const show = () => {
      const generation = hasFrames ? generationShown() : Infinity;
      const isLast = chosen.frame === generations.length - 1;
      const upTo = sheets.list.filter((sheet) => sheet.generation <= generation && (isLast || !sheet.is_final));
      const sheet = upTo[upTo.length - 1];
      image.hidden = !sheet;
      none.hidden = Boolean(sheet);
      if (!sheet) {
        none.textContent = sheets.list.length ? "No sheet was drawn up to this generation." : sheets.n_all ? "The sheets of this run are too large for a page; they lie in samples/." : "This run has no sheets yet.";
        caption.textContent = "";
        return;
      }
      if (image.dataset.name !== sheet.name) {
        image.src = sheet.uri;
        image.dataset.name = sheet.name;
      }
      const what = sheet.is_final ? "The best cell's mixture at the end" : `The best mixture in generation ${count(sheet.generation)}`;
      image.alt = `Samples of ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
      const left_out = sheets.n_all - sheets.list.length;
      caption.textContent = `${what} (samples/${sheet.name}), the newest sheet up to generation ${count(generation)}.${left_out > 0 ? ` ${left_out} sheets in between are left out here.` : ""}`;
    };
    follow("frame", show);
    show();
    return element;
  }

  function generationSection() {
    const body = section({id: "grid", title: "The grid, generation by generation", name: "Grid",
      note: hasFrames ? `The slider goes over ${generations.length < run.done ? `${count(generations.length)} of ${count(run.done)}` : count(run.done)} generations.`
        : hasGenerations ? "This grid is too large to be shown cell by cell." : "No generation is complete yet."});
    if (hasFrames) {
      body.append(lipizz.stack(scoreGrid(), n_cells > 1 ? mixtureGrid() : null), sheetCard());
    } else if (sheets.list.length) {
      body.append(sheetCard());
    }
  }

  function gridSheet() {
    return card({title: "All cells at the end", note: "Samples of each cell's mixture, laid out as the grid."},
      el("div", {class: "sheet"}, el("img", {src: sheets.grid.uri, alt: "Samples of every cell's mixture at the end"}), el("p", {class: "caption", text: `samples/${sheets.grid.name}`})));
  }

  /* --- series --- */

  const cellSeries = data.series.cells;
  const shownSeries = () => {
    const at = cellSeries.indexOf(chosen.cell);
    return at;
  };
  const decoded = new Map();
  function pointsOf(name) {
    if (!decoded.has(name)) decoded.set(name, data.series[name].map(series));
    return decoded.get(name);
  }

  // All cells in the background, the chosen one in front.
  function cellLines(name) {
    const all = pointsOf(name);
    const at = shownSeries();
    const isMany = all.length > 1;
    const rest = all.map((points, i) => ({label: `cell ${place(cellSeries[i])}`, group: isMany ? "all cells" : "", points, colour: "rest", width: 1, order: 5}));
    const front = at < 0 ? [] : [{label: `cell ${place(chosen.cell)}`, group: "chosen cell", points: all[at], colour: "chosen", width: 2.25, order: 1}];
    return isMany ? [...rest, ...front] : front.map((line) => ({...line, group: `cell ${place(0)}`}));
  }

  const marked = [];
  function addLines(body, options) {
    const element = lipizz.lines({x: "generation", ...options});
    if (options.followsCell) follow("cell", element.update);
    marked.push(element);
    body.append(element);
    return element;
  }

  function bestLine() {
    return {label: "best of the grid", points: series(data.series.best), colour: "best", width: 2.25, order: 2};
  }

  function floorLine() {
    return {label: "real against real", points: [{x: 1, y: run.floor}, {x: Math.max(run.done, 2), y: run.floor}], colour: "floor", width: 2, dash: true, order: 0};
  }

  function scoresSection() {
    if (!hasGenerations) return;
    const body = section({id: "training", title: "Scores and training", name: "Training",
      note: cellSeries.length < n_cells ? `${count(cellSeries.length)} of ${count(n_cells)} cells have a line of their own; the best is among them.` : undefined});
    if (best) {
      addLines(body, {title: "Score", wide: true, followsCell: true, y: run.metric || "score", label: "Score of each cell over the generations, with the floor that real samples set",
        note: `Over ${count(run.n_samples_training)} samples while training; the final score is over more, so it is not quite on this scale. Lower is better.`,
        lines: () => [...cellLines("score"), bestLine(), ...(run.floor === null ? [] : [floorLine()])]});
    } else {
      body.append(card({title: "Score", wide: true, note: "This run has no scores."}));
    }
    const networks = [["generator", "Generators"], ["discriminator", "Discriminators"]];
    for (const [key, title] of networks) {
      addLines(body, {title: `${title}: loss`, followsCell: true, y: "loss", isLog: false, label: `Loss of the ${key} of each cell over the generations`, lines: () => cellLines(`${key}_loss`)});
    }
    for (const [key, title] of networks) {
      addLines(body, {title: `${title}: learning rate`, followsCell: true, y: "rate", label: `Learning rate of the ${key} of each cell over the generations`, lines: () => cellLines(`${key}_rate`)});
    }
  }

  /* --- who took over whom --- */

  const MOST_SHADES = 7;

  // The founders with the most descendants at the end, each with its colour.
  function survivors(lineage) {
    const counts = new Map();
    const last = lineage.founders[lineage.founders.length - 1] || [];
    for (const founder of last) counts.set(founder, (counts.get(founder) || 0) + 1);
    const most = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_SHADES);
    return {colours: new Map(most.map(([founder], i) => [founder, lipizz.shade(i)])), most, n: counts.size};
  }

  // The way of the chosen cell's network, from the end back: [generation, from, rate, loss] of each move.
  const movesOf = (key) => data.lineage[key].moves[cellSeries.indexOf(chosen.cell)] || [];

  // In which cell the ancestor of that network was in a generation.
  function ancestorAt(moves, generation) {
    let cell = chosen.cell;
    for (const [taken, from] of moves) {
      if (generation >= taken) break;
      cell = from;
    }
    return cell;
  }

  function movesCard(key, title) {
    const note = el("p", {class: "note"});
    const body = el("div");
    const element = card({title}, note, body);
    const show = () => {
      const moves = movesOf(key);
      const isSome = moves.length === 100;
      note.textContent = cellSeries.includes(chosen.cell) ? moves.length ? `That of ${place(chosen.cell)} at the end changed cells ${isSome ? "at least " : ""}${moves.length} ${moves.length === 1 ? "time" : "times"}; each row has where it was before, with its rate and loss there.`
        : `That of ${place(chosen.cell)} has been there from the start.` : `Of ${place(chosen.cell)} none are told on this page; lipizz lineage has them.`;
      body.replaceChildren(moves.length ? lipizz.table({caption: title, columns: [
        {name: "Generation", number: true, value: (row) => row[0], show: (row) => count(row[0])},
        {name: "taken from", value: (row) => row[1], show: (row) => place(row[1])},
        {name: "rate", number: true, value: (row) => row[2]},
        {name: "loss", number: true, value: (row) => row[3]}], rows: moves}) : "");
    };
    follow("cell", show);
    show();
    return element;
  }

  function lineageCard(key, title) {
    const lineage = data.lineage[key];
    const {colours, most, n} = survivors(lineage);
    const left = 42;
    const bottom = 26;
    const rowHeight = Math.max(Math.min(Math.floor(320 / n_cells), 18), 3);
    const marker = () => {
      const share = (chosen.frame + 0.5) / generations.length;
      return (width) => left + share * (width - left);
    };
    const element = lipizz.picture({title, height: rowHeight * n_cells + bottom, foot: bottom, label: `From which cell's ${key} of the start each cell descends, over the generations`,
      note: `Each row is a cell. Its colour tells from which cell's first ${key} it descends; ${n === 1 ? "one line is" : `${n} lines are`} left at the end. The line through them is the way of the chosen cell's ancestors.`,
      paint(ctx, width, height, theme) {
        const plot = width - left;
        lineage.founders.forEach((founders, frame) => {
          const x = left + Math.round(frame * plot / generations.length);
          const next = left + Math.round((frame + 1) * plot / generations.length);
          founders.forEach((founder, cell) => {
            ctx.fillStyle = colours.get(founder) || theme.line;
            ctx.fillRect(x, cell * rowHeight, Math.max(next - x, 1), rowHeight - (rowHeight > 5 ? 1 : 0));
          });
        });
        const moves = movesOf(key);
        ctx.strokeStyle = theme.ink;
        ctx.lineWidth = 2;
        ctx.beginPath();
        generations.forEach((generation, frame) => {
          const y = (ancestorAt(moves, generation) + 0.5) * rowHeight;
          const x = left + frame * plot / generations.length;
          if (frame === 0) ctx.moveTo(x, y);
          else ctx.lineTo(x, y);
          ctx.lineTo(x + plot / generations.length, y);
        });
        ctx.stroke();
        ctx.fillStyle = theme.soft;
        ctx.font = "12px sans-serif";
        ctx.textAlign = "right";
        ctx.textBaseline = "middle";
        const every = Math.ceil(14 / rowHeight);
        for (let cell = 0; cell < n_cells; cell += every) ctx.fillText(place(cell), left - 6, Math.max(cell * rowHeight + rowHeight / 2, 7));
        ctx.textBaseline = "alphabetic";
        const ticks = Math.max(Math.min(Math.floor(plot / 90), generations.length - 1), 1);
        for (let i = 0; i <= ticks; ++i) {
          const frame = Math.round(i * (generations.length - 1) / ticks);
          ctx.textAlign = i === 0 ? "left" : i === ticks ? "right" : "center";
          ctx.fillText(count(generations[frame]), left + (i === ticks ? plot : (frame + (i === 0 ? 0 : 0.5)) * plot / generations.length), height - 8);
        }
      },
      tell(x, y) {
        const frame = Math.floor((x - left) / (element.canvas.clientWidth - left) * generations.length);
        const cell = Math.floor(y / rowHeight);
        const founders = lineage.founders[frame];
        return founders && cell < n_cells ? `generation ${count(generations[frame])}: the ${key} of ${place(cell)} descends from ${place(founders[cell])}` : "";
      }});
    const names = most.map(([founder, times]) => ({label: `from ${place(founder)}: ${times} ${times === 1 ? "cell" : "cells"}`, colour: colours.get(founder), isBox: true}));
    names.push({label: "others", colour: "var(--line)", isBox: true});
    element.append(lipizz.legend(names));
    follow("frame", () => element.markAt(marker()));
    follow("cell", element.drawn.redraw);
    element.markAt(marker());
    return element;
  }

  function takeoverTable(key, title) {
    const {taken, n_taken} = data.lineage[key];
    return card({title, note: taken.length ? `${count(n_taken)} in all${taken.length < 200 ? "" : "; the 200 most frequent ways"}.` : "None happened."},
      taken.length ? lipizz.table({caption: title, columns: [
        {name: "Taken from", value: (row) => row[0], show: (row) => place(row[0])},
        {name: "by", value: (row) => row[1], show: (row) => place(row[1])},
        {name: "times", number: true, value: (row) => row[2], show: (row) => count(row[2])}], rows: taken}) : null);
  }

  function lineageSection() {
    if (!hasFrames || n_cells === 1) return;
    const body = section({id: "lineage", title: "Who took over whom", name: "Lineage",
      note: `A cell whose offspring of a neighbour's network beats its own goes on with that one.${run.is_asynchronous ? " With an asynchronous exchange copies may be older than a generation, so that lines of descent are close to the truth, not exact." : ""}${run.recombination === "none" ? "" : ` Before a network trains it is mixed with its neighbours' (recombination ${run.recombination}); the lines follow the one whose rate and loss it took on.`}`});
    body.append(lineageCard("generator", "Generators: lines of descent"), lineageCard("discriminator", "Discriminators: lines of descent"));
    addLines(body, {title: "Lines that are left", wide: true, y: "cells of the start", isLog: false, canLog: false, label: "How many cells of the start have descendants, over the generations", height: 220,
      note: "How many of the networks at the start still have descendants.",
      lines: () => [{label: "generators", points: series(data.lineage.generator.alive), colour: "chosen", width: 2.25},
        {label: "discriminators", points: series(data.lineage.discriminator.alive), colour: "best", width: 2.25, dash: true}]});
    body.append(movesCard("generator", "Ancestors of the chosen generator"), movesCard("discriminator", "Ancestors of the chosen discriminator"));
    body.append(takeoverTable("generator", "Generators that were taken from a neighbour"), takeoverTable("discriminator", "Discriminators that were taken from a neighbour"));
  }

  /* --- seconds, bytes, messages --- */

  const ROUTINES = [["train", "training"], ["evaluate", "evaluating"], ["mixture", "mixture and score"], ["update_genomes", "taking in neighbours"], ["mutate", "mutating"]];

  function stacksOf(list) {
    const known = new Map(ROUTINES);
    const others = new Set(list.flatMap((row) => Object.keys(row.seconds)).filter((name) => !known.has(name)));
    const names = [...ROUTINES.filter(([name]) => list.some((row) => name in row.seconds)), ...[...others].map((name) => [name, name])];
    return names.map(([name, label], i) => ({label, colour: lipizz.shade(i), values: list.map((row) => row.seconds[name] ?? 0)}));
  }

  function timesCards(body) {
    const {list, n_all} = data.times;
    const of = data.times.of;
    if (!list.length) return body.append(card({title: "Seconds", wide: true, note: "No seconds are told yet."}));
    const some = list.length < n_all ? ` ${count(list.length)} of ${count(n_all)} ${of}s are shown, those that waited longest.` : "";
    const names = list.map((row) => (row.host && new Set(list.map((one) => one.host)).size > 1 ? `${row.name}, ${row.host}` : row.name));
    body.append(lipizz.bars({title: `Processor time of each ${of}`, note: `Seconds of its training thread, by routine.${some}`, x: "seconds", names, show: (s) => number(s, 3), stacks: stacksOf(list)}));
    const isByClock = list.every((row) => row.total_s !== undefined);
    const forNeighbours = {label: "waiting for neighbours", colour: "#e69f00", values: list.map((row) => row.waited_s)};
    const forHelpers = {label: "waiting for helpers", colour: "#cc79a7", values: list.map((row) => row.helpers_s ?? 0)};
    const waits = forHelpers.values.some((s) => s > 0) ? [forNeighbours, forHelpers] : [forNeighbours];
    const computing = {label: "computing", colour: "chosen", values: list.map((row, i) => Math.max(waits.reduce((left, wait) => left - wait.values[i], row.total_s), 0))};
    const stacks = isByClock ? [computing, ...waits] : waits;
    body.append(lipizz.bars({title: isByClock ? `Each ${of} by the clock` : "Waiting for neighbours", x: "seconds", names, show: (s) => number(s, 3), stacks,
      note: isByClock ? "A rank that waits much while others compute is held up by them." : "By the clock. Ranks are told once the run has finished."}));
  }

  function paceCard(body) {
    const points = series(data.pace);
    if (!points.some(({y}) => Number.isFinite(y))) return;
    addLines(body, {title: "Seconds of each generation", wide: true, y: "seconds", isLog: false, canLog: false, height: 220, label: "How long each generation took",
      note: "From the end of the one before it. A worker that is lost, a pause of a machine or a save that takes long shows as a spike.", lines: () => [{label: "seconds", points, colour: "chosen", width: 1.5}]});
  }

  const SCOPES = {world: "WORLD: control, heartbeats", local: "LOCAL: between active workers", global: "GLOBAL: results", cell: "CELL: from workers to their helpers", exchange: "publications, as part of these", master: "to and from the master, as part of these"};

  function traffic(options) {
    const table = lipizz.table(options);
    table.classList.add("traffic");
    return table;
  }

  function trafficCard(body) {
    const most = Math.max(...data.traffic.map((row) => row.bytes), 1);
    if (!data.traffic.length) {
      return body.append(card({title: "Bytes and messages", wide: true, note: run.is_finished ? "This run tells of no traffic." : "Told once the run has finished."}));
    }
    body.append(card({title: "Bytes and messages", wide: true}, traffic({caption: "Bytes and messages", columns: [
      {name: "On", value: (row) => row.name, show: (row) => SCOPES[row.name] || row.name},
      {name: "Messages", number: true, value: (row) => row.messages, show: (row) => count(row.messages)},
      {name: "Bytes", number: true, value: (row) => row.bytes, show: (row) => el("span", {}, bytes(row.bytes), el("span", {class: "bar", style: `width: ${(100 * row.bytes / most).toFixed(1)}%`}))},
      {name: "per cell and generation", number: true, value: (row) => row.each, show: (row) => bytes(row.each)}], rows: data.traffic})));
  }

  function costSection() {
    const body = section({id: "cost", title: "Seconds, bytes and messages", name: "Cost"});
    timesCards(body);
    paceCard(body);
    trafficCard(body);
  }

  /* --- workers --- */

  const STATES = [["working", "hosts cells", "chosen"], ["helping", "helps", "#88aadd"], ["spare", "spare", "line"], ["late", "does not answer", "#e69f00"], ["lost", "lost", "#d55e00"]];

  function timelineChart() {
    // A moment before cells are dealt out is not worth a bar.
    const isWorth = (span) => span[0] !== "spare" || span[2] - span[1] > timeline.end_s / 500;
    const rows = timeline.rows.map((row) => ({...row, spans: row.spans.filter(isWorth)}));
    const hosts = new Set(rows.map((row) => row.host));
    const nameOf = (row) => (hosts.size > 1 ? `rank ${row.rank}, ${row.host}` : `rank ${row.rank}`);
    const names = rows.map(nameOf);
    const isMany = rows.length > 24;
    const unit = timeline.end_s > 7200 ? [3600, "hours"] : timeline.end_s > 180 ? [60, "minutes"] : [1, "seconds"];
    const whole = {id: "marks", afterDatasetsDraw(drawn) {
      const {ctx, chartArea: area, scales} = drawn;
      ctx.save();
      ctx.strokeStyle = lipizz.theme().ink;
      ctx.lineWidth = 1.5;
      for (const mark of timeline.marks) {
        if (mark.kind !== "assigned" && mark.kind !== "begun") continue;
        const x = scales.x.getPixelForValue(mark.at_s / unit[0]);
        ctx.setLineDash(mark.kind === "begun" ? [2, 3] : []);
        ctx.beginPath();
        ctx.moveTo(x, area.top);
        ctx.lineTo(x, area.bottom);
        ctx.stroke();
      }
      ctx.restore();
    }};
    const element = lipizz.chart({title: "What each worker did", wide: true, height: 66 + (isMany ? 14 : 24) * rows.length, label: "Time line of the workers; the table below tells the same",
      note: `Time is since the start, without pauses between an end and a resume.${timeline.marks.some((mark) => mark.kind === "assigned") ? " A line across: cells moved." : ""}${timeline.marks.some((mark) => mark.kind === "begun") ? " A dotted line: a resume." : ""}${rows.length < timeline.n_all ? ` ${rows.length} of ${count(timeline.n_all)} workers are shown.` : ""}`,
      make: (colours) => ({type: "bar", plugins: [whole], data: {labels: names, datasets: STATES.map(([state, label, colour]) => ({label, backgroundColor: colours[colour] || colour,
        data: rows.flatMap((row) => row.spans.filter((span) => span[0] === state).map((span) => ({x: [span[1] / unit[0], span[2] / unit[0]], y: nameOf(row), cells: span[3]}))), grouped: false, barThickness: isMany ? 9 : 14, minBarLength: 2}))},
        options: {indexAxis: "y", interaction: {mode: "nearest", axis: "xy", intersect: true},
          scales: {x: {min: 0, max: timeline.end_s / unit[0] || 1, title: {display: true, text: `${unit[1]} since the start`}, grid: {drawBorder: false}, ticks: {maxRotation: 0, callback: (value) => number(value, 3)}},
            y: {grid: {display: false, drawBorder: false}, ticks: {autoSkip: isMany, autoSkipPadding: 2}}},
          plugins: {tooltip: {callbacks: {label: (item) => `${item.dataset.label}: ${number(item.raw.x[0], 4)} to ${number(item.raw.x[1], 4)} ${unit[1]}${item.raw.cells ? `, ${item.raw.cells} cells` : ""}`}}}}})});
    element.plot.after(lipizz.legend(STATES.filter(([state]) => rows.some((row) => row.spans.some((span) => span[0] === state))).map(([, label, colour]) => ({label, colour: /^[a-z]+$/.test(colour) ? `var(--${colour})` : colour, isBox: true}))));
    return element;
  }

  function workersSection() {
    const body = section({id: "workers", title: "Workers, faults and moves", name: "Workers"});
    if (!timeline.n_starts) {
      return body.append(card({title: "No time line", wide: true, note: "This run left no events.jsonl, as those of earlier versions, so that faults and moves are not known here; run.log tells of them."}));
    }
    if (timeline.rows.length) body.append(timelineChart());
    const told = timeline.marks.length ? lipizz.table({caption: "Faults, moves and ends", columns: [
      {name: "After", number: true, value: (row) => row.at_s, show: (row) => duration(row.at_s)},
      {name: "What", value: (row) => row.text, show: (row) => el("span", {class: `event ${row.kind}`, text: row.text})}], rows: timeline.marks}) : null;
    const more = timeline.n_marks > timeline.marks.length ? ` The first ${timeline.marks.length} of ${count(timeline.n_marks)}.` : "";
    body.append(card({title: "Faults, moves and ends", wide: true, note: (timeline.marks.some((mark) => mark.kind === "lost" || mark.kind === "late") ? "" : "No worker was late or lost. ") + `All cells were saved ${timeline.n_saved === 1 ? "once" : `${count(timeline.n_saved)} times`}.${more}`}, told));
  }

  /* --- cells, configuration, origin --- */

  function cellsSection() {
    if (!hasGenerations) return;
    const body = section({id: "cells", title: "Cells at the end", name: "Cells"});
    const details = [...new Set(data.cells.flatMap((row) => Object.keys(row.details || {})))];
    const hasShares = data.cells.some((row) => row.shares);
    const columns = [{name: "Cell", value: (row) => row.cell, show: (row) => place(row.cell)}];
    if (run.is_finished) columns.push({name: "Final score", number: true, value: (row) => row.final});
    columns.push({name: "Score while training", number: true, value: (row) => row.score});
    if (data.cells.some((row) => row.scored < row.generation)) columns.push({name: "in generation", number: true, value: (row) => row.scored});
    columns.push(...details.map((name) => ({name, number: true, value: (row) => (row.details || {})[name]})));
    for (const [key, title] of [["generator", "Generator"], ["discriminator", "Discriminator"]]) {
      columns.push({name: `${title}: loss`, number: true, value: (row) => row[key]?.loss}, {name: "rate", number: true, value: (row) => row[key]?.rate});
    }
    if (data.cells.some((row) => row.generator?.objective)) columns.push({name: "trained with", value: (row) => row.generator?.objective});
    if (run.is_finished) columns.push({name: "Fingerprint", value: (row) => row.fingerprint, show: (row) => el("code", {text: row.fingerprint ?? ""})});
    body.append(card({wide: true, note: data.cells.length < n_cells ? `The first ${count(data.cells.length)} of ${count(n_cells)} cells.` : undefined}, lipizz.table({caption: "Cells at the end", columns, rows: data.cells})));
    if (sheets.grid && n_cells > 1) body.append(gridSheet());
    if (hasShares) body.append(sharesCard());
  }

  function sharesCard() {
    const sharesOf = () => data.cells[chosen.cell]?.shares || [];
    const names = data.cells.find((row) => row.shares).shares.map((_, i) => String(i));
    const element = lipizz.bars({title: "Classes in the chosen cell's samples", wide: !(sheets.grid && n_cells > 1), names, x: "share of the samples", show: percent, note: `As the judge sees them, in the last scored generation. An even share would be ${percent(1 / names.length)}.`,
      stacks: [{label: "share", colour: "chosen", get values() {
        return sharesOf();
      }}]});
    follow("cell", element.drawn.redraw);
    return element;
  }

  function flattened(value, path = "") {
    if (value === null || typeof value !== "object" || Array.isArray(value) && value.every((one) => typeof one !== "object")) return [[path, JSON.stringify(value)]];
    return Object.entries(value).flatMap(([key, inner]) => flattened(inner, path ? `${path}.${key}` : key));
  }

  function originSection() {
    const body = section({id: "origin", title: "Where it comes from", name: "Origin"});
    if (data.origin.length) {
      body.append(card({title: "Provenance", wide: true}, lipizz.table({caption: "Provenance", columns: [
        {name: "What", value: (row) => row[0]}, {name: "Value", value: (row) => row[1], show: (row) => el("span", {class: "code", text: row[1]})}], rows: data.origin})));
    }
    const rows = flattened(data.configuration);
    const table = lipizz.table({caption: "Configuration", columns: [{name: "Setting", value: (row) => row[0]}, {name: "Value", value: (row) => row[1]}], rows});
    table.classList.add("configuration");
    body.append(card({title: "Configuration", wide: true, note: "The effective one; to give config.json to --config repeats the run."}, el("details", {}, el("summary", {text: `${rows.length} settings`}), table)));
  }

  head();
  steer();
  generationSection();
  scoresSection();
  lineageSection();
  costSection();
  workersSection();
  cellsSection();
  originSection();
  document.getElementById("foot").textContent = "Written by lipizz report. Charts by Chart.js (MIT license). This file needs no network.";
  const mark = () => {
    for (const element of marked) element.markAt(generationShown());
  };
  if (hasFrames) {
    follow("frame", mark);
    mark();
  }

  // For tests and the curious: what is shown.
  lipizz.report = {chosen, choose, generations};
})();
