/* The page of `lipizz compare`: report/comparison_page.hpp says what the data hold. */
"use strict";

(() => {
  const {data, el, header, facts, messages, section, card, table, lines, number, count, duration, series, shade} = lipizz;

  const NAMED_CURVES = 7;  // each with a colour of its own
  const NAMED_RUNS = 8;    // of a group
  const finished = data.runs.filter((run) => run.fingerprint);
  const place = new Map(data.runs.map((run, i) => [run, i]));
  const against = data.against === null ? null : data.runs[data.against];
  const label = (run) => (data.parent ? run.name : run.folder);

  const alike = (value) => {
    const values = new Set(finished.map(value));
    return values.size === 1 ? [...values][0] : null;
  };
  const differs = (value) => new Set(finished.map(value)).size > 1;

  function about() {
    const list = [{name: "runs", value: count(data.runs.length), more: finished.length < data.runs.length ? `${count(finished.length)} of them finished` : null}];
    if (finished.length > 0) {
      list.push({name: "lowest score", value: number(finished[0].score), more: label(finished[0])});
      const floor = alike((run) => run.floor);
      if (floor !== null) list.push({name: "floor", value: number(floor), more: "real samples among themselves"});
      const samples = alike((run) => run.samples);
      if (samples !== null) list.push({name: "samples of a score", value: count(samples)});
    }
    return facts(list);
  }

  function notes() {
    const list = [];
    if (differs((run) => run.samples)) {
      list.push({kind: "warning", text: "These scores were taken over different numbers of samples.",
        advice: "Fewer samples shift a score; compare runs of one score.n_samples."});
    }
    if (data.equals.length > 0) {
      list.push({kind: "info", text: `The same result as ${label(against)}, to the last bit: ${data.equals.map((i) => label(data.runs[i])).join(", ")}.`});
    }
    return list.length > 0 ? messages(list) : null;
  }

  const settingColumns = (paths) => paths.map((path, i) => {
    const isNumber = (value) => value !== "" && Number.isFinite(Number(value));
    return {name: path, value: (row) => (isNumber(row.settings[i]) ? Number(row.settings[i]) : row.settings[i] || null),
      show: (row) => row.settings[i] || null};
  });

  function runColumns() {
    const columns = [
      {name: "no", number: true, value: (run) => place.get(run) + 1},
      {name: "run", value: label},
      {name: "score", number: true, value: (run) => run.score ?? null}];
    if (against) {
      columns.push({name: "difference", number: true, value: (run) => (run.score ?? NaN) - against.score},
        {name: "ratio", number: true, value: (run) => (run.score ?? NaN) / against.score});
    }
    if (finished.some((run) => run.best)) {
      columns.push({name: "best", number: true, value: (run) => (run.best ? run.best.value : null)},
        {name: "at", number: true, value: (run) => (run.best ? run.best.generation : null)});
    }
    columns.push(
      {name: "generations", number: true, value: (run) => run.reached,
        show: (run) => (run.fingerprint ? count(run.reached) : `${count(run.reached)} of ${count(run.generations)}`)},
      {name: "time", number: true, value: (run) => run.seconds ?? null,
        show: (run) => (run.fingerprint ? duration(run.seconds) + (run.is_resumed ? " since its last resume" : "") : null)});
    for (const [name, value] of [["floor", (run) => run.floor ?? null], ["samples", (run) => run.samples ?? null]]) {
      if (differs(value)) columns.push({name, number: true, value});
    }
    for (const [name, value] of [["grid", (run) => run.grid], ["numerics", (run) => run.numerics ?? null]]) {
      if (differs(value)) columns.push({name, value});
    }
    columns.push(...settingColumns(data.settings));
    columns.push({name: "fingerprint", value: (run) => run.fingerprint ?? null, show: (run) => (run.fingerprint ? el("code", {text: run.fingerprint}) : null)});
    return columns;
  }

  function groupColumns() {
    return [
      {name: "runs", value: (group) => group.runs[0], show: (group) => group.runs.slice(0, NAMED_RUNS).map((i) => i + 1).join(", ") + (group.runs.length > NAMED_RUNS ? ", ..." : "")},
      ...settingColumns(data.group_settings),
      {name: "n", number: true, value: (group) => group.n},
      {name: "mean", number: true, value: (group) => group.mean},
      {name: "standard error", number: true, value: (group) => group.error}];
  }

  // The lowest score is drawn last, above the others.
  function curves() {
    const drawn = data.curves.map(({run, series: written}, i) => {
      const isNamed = i < NAMED_CURVES || run === data.against;
      return {label: label(data.runs[run]), group: isNamed ? undefined : "others", points: series(written),
        colour: isNamed ? shade(Math.min(i, NAMED_CURVES)) : "rest", width: isNamed ? 2 : 1, order: isNamed ? i : NAMED_CURVES + 1 + i};
    });
    const floor = alike((run) => run.floor);
    const last = Math.max(...data.curves.map(({run}) => data.runs[run].reached));
    if (floor !== null && floor !== undefined) {
      drawn.push({label: "floor", colour: "floor", dash: true, points: [{x: 1, y: floor}, {x: last, y: floor}]});
    }
    return drawn;
  }

  header({kind: "Comparison", title: `${count(data.runs.length)} runs${data.parent ? ` in ${data.parent}` : ""}`,
    note: data.metric ? `Scores are ${data.metric}, lower is better, by the judge ${data.judge}.` : "None of them has finished."});

  const overview = section({id: "runs", title: "Runs", note: "A click on a head sorts by it."});
  overview.append(card({wide: true}, about(), notes(), table({caption: "The runs", columns: runColumns(), rows: data.runs})));

  if (data.curves.length > 0) {
    const isAll = data.curves.length === finished.length;
    section({id: "scores", title: "Scores over generations", name: "Scores"}).append(lines({title: "The best cell's score", wide: true, height: 420,
      note: `While training, over fewer samples than the scores above; ${isAll ? "each run that has finished" : `the ${count(data.curves.length)} runs with the lowest scores, where the table above has all`}.`,
      x: "generation", y: data.metric, lines: curves}));
  }

  if (data.groups.length > 0) {
    section({id: "seeds", title: "Means over seeds", name: "Seeds", note: "Runs that differ in the seed alone."})
      .append(card({wide: true}, table({caption: "Means over seeds", columns: groupColumns(), rows: data.groups})));
  }
})();
