/* The page of a sweep. What its data hold stands in sweep/page_data.hpp. */
"use strict";

(() => {
  const {data, el, number, count, duration, card, section, shade} = lipizz;
  const isNumber = (x) => typeof x === "number" && Number.isFinite(x);

  function head() {
    lipizz.header({kind: "Report of a sweep", title: data.name,
      note: [`${count(data.n_runs)} runs`, `${count(data.n_combinations)} combinations`, `${count(data.n_seeds)} seeds each`, data.folder].join(" · ")});
    const facts = data.kinds.map(({metric, rows}) => ({name: `Best ${metric}`, value: number(rows[0].mean), more: labelOf(rows[0])}));
    facts.push(...data.states.map(({name, n}) => ({name: name[0].toUpperCase() + name.slice(1), value: count(n)})));
    if (data.savings) {
      facts.push({name: "Saved by stopping early", value: `${count(data.savings.generations)} generations`,
        more: `of ${count(data.savings.of)}, about ${duration(data.savings.seconds)}`});
    }
    document.getElementById("top").append(lipizz.facts(facts));
    if (data.notes.length) {
      document.getElementById("top").append(lipizz.messages(data.notes.map((text) => ({kind: "warning", text}))));
    }
  }

  const valuesOf = (row) => row.values.join(", ") || "all runs";
  const labelOf = (row) => data.settings.map(({short}, i) => `${short}=${row.values[i]}`).join(" ") || "all runs";

  // Mean and standard error of each row, as a point with a bar through it.
  const errorBars = (rows) => ({id: "errors", afterDatasetsDraw: (drawn) => {
    const {ctx, scales: {x, y}} = drawn;
    ctx.save();
    ctx.strokeStyle = lipizz.theme().ink;
    ctx.lineWidth = 1.5;
    rows.forEach((row, i) => {
      if (!isNumber(row.mean) || !isNumber(row.error)) return;
      const [left, right, at] = [x.getPixelForValue(row.mean - row.error), x.getPixelForValue(row.mean + row.error), y.getPixelForValue(i)];
      ctx.beginPath();
      ctx.moveTo(left, at);
      ctx.lineTo(right, at);
      for (const end of [left, right]) {
        ctx.moveTo(end, at - 4);
        ctx.lineTo(end, at + 4);
      }
      ctx.stroke();
    });
    ctx.restore();
  }});

  function rowsChart(kind) {
    const rows = kind.rows.slice(0, 40);
    return lipizz.chart({title: "Score of each combination", wide: true, height: 70 + 24 * rows.length,
      note: `A mark for each run, and the mean over the seeds with its standard error, by ${data.settings.map(({short}) => short).join(", ")}. Lower is better.` +
        (kind.rows.length > rows.length ? ` The best ${rows.length} of ${count(kind.rows.length)}.` : ""),
      label: `Scores of ${rows.length} combinations, the best is ${labelOf(rows[0])} with a mean of ${number(rows[0].mean)}`,
      make: (colours) => ({type: "scatter", plugins: [errorBars(rows)], data: {datasets: [
        {label: "run", data: rows.flatMap((row, i) => row.scores.map((x) => ({x, y: i}))), pointStyle: "circle", radius: 3, borderColor: colours.soft, backgroundColor: "transparent"},
        {label: "mean", data: rows.map((row, i) => ({x: row.mean, y: i})), pointStyle: "rectRot", radius: 6, borderColor: shade(0), backgroundColor: shade(0)}]},
      options: {scales: {x: {title: {display: true, text: kind.metric}, grid: {drawBorder: false}},
        y: {min: -0.5, max: rows.length - 0.5, reverse: true, grid: {display: false, drawBorder: false},
          afterBuildTicks: (axis) => { axis.ticks = rows.map((_, value) => ({value})); },
          ticks: {autoSkip: false, callback: (i) => (rows[i] ? shortened(valuesOf(rows[i])) : "")}}},
      plugins: {tooltip: {callbacks: {label: (item) => `${labelOf(rows[item.parsed.y])}: ${item.dataset.label} ${number(item.parsed.x)}`}}}}})});
  }

  // On a narrow page a long name would leave no room for what it names.
  function shortened(text) {
    const room = document.documentElement.clientWidth < 600 ? 18 : 48;
    return text.length <= room ? text : `${text.slice(0, room / 2 - 1)}…${text.slice(-room / 2)}`;
  }

  function axisChart(kind, axis) {
    return lipizz.chart({title: axis.setting, note: "A mark for each combination, and the mean of those with the same value. Lower is better.", height: 260,
      label: `${axis.setting}: ${axis.points.map((point) => `${point.value} ${number(point.mean)}`).join(", ")}`,
      make: (colours) => ({type: "line", data: {labels: axis.points.map((point) => point.value), datasets: [
        {label: "combination", data: axis.points.flatMap((point) => point.means.map((y) => ({x: point.value, y}))), showLine: false, pointRadius: 3,
          borderColor: colours.soft, backgroundColor: "transparent"},
        {label: "mean", data: axis.points.map((point) => ({x: point.value, y: point.mean})), borderColor: shade(0), backgroundColor: shade(0), pointRadius: 5, pointStyle: "rectRot"}]},
      options: {scales: {x: {title: {display: true, text: axis.short}, grid: {display: false}, offset: true}, y: {title: {display: true, text: kind.metric}, grid: {drawBorder: false}}},
        plugins: {tooltip: {callbacks: {label: (item) => `${item.dataset.label}: ${number(item.parsed.y)}`}}}}})});
  }

  function rowsTable(kind) {
    const columns = [...data.settings.map(({short}, i) => ({name: short, value: (row) => row.values[i]})),
      {name: "seeds", number: true, value: (row) => row.n}, {name: "mean", number: true, value: (row) => row.mean},
      {name: "standard error", number: true, value: (row) => row.error}, {name: "generations", number: true, value: (row) => row.generations},
      {name: "seconds", number: true, value: (row) => row.seconds}];
    return card({title: "Combinations", wide: true, note: "The longest trained first, then the best. A click on a head sorts."},
      lipizz.table({caption: "Combinations", columns, rows: kind.rows}));
  }

  function kinds() {
    data.kinds.forEach((kind, i) => {
      const id = `scores-${i + 1}`;
      const body = section({id, title: data.kinds.length > 1 ? `Scores, ${i + 1} of ${data.kinds.length}` : "Scores", note: kind.text});
      if (kind.rows.length) body.append(rowsChart(kind));
      for (const axis of kind.axes) body.append(axisChart(kind, axis));
      body.append(rowsTable(kind));
    });
  }

  function rungs() {
    if (!data.rungs.length) return;
    section({id: "rungs", title: "Rungs", note: "At each of these generations the worse combinations stopped."}).append(card({title: "Rungs", wide: true},
      lipizz.table({caption: "Rungs", rows: data.rungs, columns: [{name: "generation", number: true, value: (rung) => rung.generation},
        {name: "combinations that came", number: true, value: (rung) => rung.before}, {name: "went on", number: true, value: (rung) => (rung.decided ? rung.kept : null)}]})));
  }

  function runs() {
    section({id: "runs", title: "Runs", note: data.runs.length < data.n_runs ? `The first ${count(data.runs.length)} of ${count(data.n_runs)}; report/runs.csv has all.` : ""})
      .append(card({title: "Runs", wide: true}, lipizz.table({caption: "Runs", rows: data.runs, columns: [{name: "run", value: (run) => run.name, show: (run) => el("span", {style: "white-space: nowrap", text: run.name})},
        {name: "state", value: (run) => run.state}, {name: "score", number: true, value: (run) => run.score},
        {name: "generations", number: true, value: (run) => run.generations}, {name: "seconds", number: true, value: (run) => run.seconds},
        {name: "folder", value: (run) => run.folder, show: (run) => el("span", {style: "white-space: nowrap", text: run.folder})}]})));
  }

  head();
  kinds();
  rungs();
  runs();
})();
