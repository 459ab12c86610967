/* What every page of lipizz is made with. A page's own script finds one object, `lipizz`:
 *
 *   data                            what the page was written with
 *   el(tag, attributes, ...children)   an element; `text` among the attributes, and children that are
 *                                   no elements, become text, never HTML
 *   header({kind, title, note})     the head of the page, with the switch between light and dark
 *   facts([{name, value, more}])    the figures that count most; an element
 *   messages([{kind, text, advice}])   kind: warning, info or good; an element
 *   section({id, title, name, note})   a new part of the page with its place in the contents (there by
 *                                   its short name); returns the element to fill, a grid of cards
 *   stack(...cards)                 cards below one another, for one column of that grid
 *   card({title, note, wide})       a part of a section; an element
 *   table({caption, columns, rows}) sorted by a click on a head. columns: [{name, number, value(row),
 *                                   show(row)}]; show may give text or an element
 *   lines(options)                  a card with a chart of lines over numbers; see there
 *   bars(options)                   a card with bars; see there
 *   chart({make})                   any other Chart.js chart, in a card; make(theme) gives its
 *                                   configuration and is asked again when colours change
 *   picture({paint})                a card with a canvas that paint(context, width, height, theme)
 *                                   fills, again when its size or colours change; tell(x, y) gives
 *                                   the text under a pointer
 *   legend([{label, colour, isBox, dash}])   to be put beside one of these
 *   series({d, v})                  [{x, y}] of what C++ writes for a thinned series: the steps
 *                                   between its places, and its values
 *   number(x), count(n), bytes(n), duration(s), percent(x)   figures as text; nothing is "–"
 *   heat(share)                     a colour of a scale for share in 0..1, {background, ink}
 *   shade(i)                        the i-th of eight colours that tell things apart
 *   ready(action)                   runs the action as soon as the page has been shown
 *   isIdle()                        whether all charts have been drawn
 *
 * A page stays quick with thousands of points: charts are drawn without animation, and those that
 * nobody has scrolled to are drawn when the page has nothing else to do. */
"use strict";

const lipizz = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);

  function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined || value === null || value === false) continue;
      if (name === "text") element.textContent = value;
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  /* --- figures as text --- */

  const NOTHING = "–";
  const isNumber = (x) => typeof x === "number" && Number.isFinite(x);
  const grouped = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});

  function number(x, digits = 4) {
    if (!isNumber(x)) return NOTHING;
    if (x === 0) return "0";
    const size = Math.abs(x);
    if (size >= 1e6 || size < 1e-3) return x.toExponential(Math.max(digits - 2, 1)).replace("e+", "e");
    if (size >= 10 ** (digits - 1)) return grouped.format(x);
    return String(Number(x.toPrecision(digits)));
  }

  const count = (n) => (isNumber(n) ? grouped.format(n) : NOTHING);
  const percent = (x) => (isNumber(x) ? (100 * x).toFixed(x !== 0 && Math.abs(x) < 0.0995 ? 1 : 0) + " %" : NOTHING);

  function bytes(n) {
    if (!isNumber(n)) return NOTHING;
    const units = ["B", "kB", "MB", "GB", "TB", "PB"];
    let unit = 0;
    while (n >= 999.5 && unit + 1 < units.length) {
      n /= 1000;
      ++unit;
    }
    return `${unit === 0 ? n.toFixed(0) : Number(n.toPrecision(3))} ${units[unit]}`;
  }

  function duration(s) {
    if (!isNumber(s)) return NOTHING;
    if (s < 60) return `${number(s, 3)} s`;
    const two = (n) => String(n).padStart(2, "0");
    const whole = Math.round(s);
    const hours = Math.floor(whole / 3600);
    const minutes = Math.floor((whole % 3600) / 60);
    return hours > 0 ? `${count(hours)} h ${two(minutes)} min` : `${minutes} min ${two(whole % 60)} s`;
  }

  /* --- colours --- */

  // Viridis, by eleven of its colours.
  const SCALE = ["#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21918c", "#22a884", "#44bf70", "#7ad151", "#bddf26",
    "#fde725"].map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));

  function heat(share) {
    if (!isNumber(share)) return {background: "transparent", ink: "var(--ink)"};
    const at = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
    const low = Math.min(Math.floor(at), SCALE.length - 2);
    const colour = SCALE[low].map((from, i) => from + (SCALE[low + 1][i] - from) * (at - low));
    const linear = colour.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    return {background: `rgb(${colour.map(Math.round).join(",")})`, ink: luminance > 0.179 ? "#101418" : "#ffffff"};
  }

  const SHADES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c8c8c", "#b8a500"];
  const shade = (i) => SHADES[i % SHADES.length];

  function theme() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    return {ink: of("ink"), soft: of("soft"), grid: of("grid"), card: of("card"), line: of("line"), chosen: of("chosen"),
      best: of("best"), floor: of("floor"), rest: of("rest"), alert: of("alert")};
  }

  /* --- light and dark --- */

  const wantsDark = matchMedia("(prefers-color-scheme: dark)");
  let asked = null;  // what the switch says; null: as the system does

  function remembered() {
    try {
      return localStorage.getItem("lipizz-theme");
    } catch (refused) {  // a page from disk may have no storage
      return null;
    }
  }

  function applyTheme(name) {
    document.documentElement.dataset.theme = name;
    for (const drawn of charts) drawn.redraw();
    const button = document.getElementById("theme");
    if (button) button.textContent = name === "dark" ? "Light" : "Dark";
  }

  const currentTheme = () => asked || (wantsDark.matches ? "dark" : "light");

  // Asking for what the system wants anyway is to follow it again.
  function switchTheme() {
    const wanted = currentTheme() === "dark" ? "light" : "dark";
    asked = wanted === (wantsDark.matches ? "dark" : "light") ? null : wanted;
    try {
      if (asked) localStorage.setItem("lipizz-theme", asked);
      else localStorage.removeItem("lipizz-theme");
    } catch (refused) {  // it lasts as long as the page then
    }
    applyTheme(currentTheme());
  }

  /* --- parts of the page --- */

  function header({kind, title, note}) {
    const button = el("button", {id: "theme", type: "button", class: "button", "aria-label": "Switch between light and dark",
      onclick: switchTheme});
    const words = el("div", {}, el("p", {class: "kind", text: kind}), el("h1", {text: title}),
      note ? el("p", {class: "note", text: note}) : null);
    document.getElementById("top").append(el("div", {class: "masthead"}, words, button));
    applyTheme(currentTheme());
  }

  function facts(list) {
    return el("dl", {class: "facts"}, ...list.map(({name, value, more}) => el("div", {}, el("dt", {text: name}),
      el("dd", {}, value, more ? el("span", {class: "more", text: more}) : null))));
  }

  const MARKS = {warning: "!", good: "✓", info: "i"};
  const SPOKEN = {warning: "Warning: ", good: "Good: ", info: "Note: "};

  function messages(list) {
    return el("ul", {class: "messages"}, ...list.map(({kind, text, advice}) => el("li", {class: kind},
      el("span", {class: "mark", "aria-hidden": "true", text: MARKS[kind]}),
      el("span", {}, el("span", {class: "hidden", text: SPOKEN[kind]}), text),
      advice ? el("span", {class: "advice", text: advice}) : null)));
  }

  function section({id, title, name, note}) {
    const body = el("div", {class: "cards"});
    const head = el("div", {class: "section-head"}, el("h2", {id: `${id}-title`, text: title}), note ? el("p", {class: "note", text: note}) : null);
    document.getElementById("main").append(el("section", {id, "aria-labelledby": `${id}-title`}, head, body));
    const contents = document.getElementById("contents");
    if (!contents.firstChild) contents.append(el("ul"));
    contents.firstChild.append(el("li", {}, el("a", {href: `#${id}`, text: name || title})));
    return body;
  }

  function card({title, note, wide = false, tag = "div"}, ...children) {
    const head = el("div", {class: "card-head"}, title ? el("h3", {text: title}) : null);
    const element = el(tag, {class: wide ? "card wide" : "card"}, title ? head : null, note ? el("p", {class: "note", text: note}) : null, ...children);
    element.head = head;
    return element;
  }

  const stack = (...cards) => el("div", {class: "stack"}, ...cards);

  /* --- tables --- */

  // Figures of a column with the same decimals, four digits of the largest, so that they stand in line.
  function aligned(values) {
    const sizes = values.filter(isNumber).map(Math.abs);
    const largest = Math.max(...sizes, 0);
    if (largest === 0 || largest >= 1e6 || largest < 1e-2) return (x) => number(x);
    const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(largest)), 0), 4);
    if (sizes.every(Number.isInteger)) return count;
    return (x) => (isNumber(x) ? x.toFixed(decimals) : NOTHING);
  }

  function compare(a, b) {
    const isNone = (x) => x === null || x === undefined || Number.isNaN(x);
    if (isNone(a) || isNone(b)) return isNone(a) - isNone(b);
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
  }

  function table({caption, columns, rows}) {
    const body = el("tbody");
    const plain = columns.map((column) => (column.number ? aligned(rows.map(column.value)) : (x) => x));
    const fill = (list) => body.replaceChildren(...list.map((row) => el("tr", {}, ...columns.map((column, i) => {
      const shown = column.show ? column.show(row) : plain[i](column.value(row));
      return el(i === 0 ? "th" : "td", {scope: i === 0 ? "row" : undefined, class: column.number ? "number" : undefined}, shown ?? NOTHING);
    }))));
    const heads = columns.map((column) => {
      const head = el("th", {scope: "col", class: column.number ? "number" : undefined});
      head.append(el("button", {type: "button", text: column.name, onclick: () => {
        const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", direction);
        const sign = direction === "ascending" ? 1 : -1;
        fill([...rows].sort((a, b) => sign * compare(column.value(a), column.value(b))));
      }}));
      return head;
    });
    fill(rows);
    return el("div", {class: "table-frame", tabindex: "0", role: "region", "aria-label": caption},
      el("table", {}, el("caption", {class: "hidden", text: caption}), el("thead", {}, el("tr", {}, ...heads)), body));
  }

  /* --- charts --- */

  const charts = [];  // of the page, in its order
  const waiting = new Map();  // canvas -> what draws it

  const eager = "IntersectionObserver" in window ? new IntersectionObserver((seen) => {
    for (const {isIntersecting, target} of seen) if (isIntersecting && waiting.has(target)) waiting.get(target).draw();
  }, {rootMargin: "300px"}) : null;

  function drawLater(drawn) {
    waiting.set(drawn.canvas, drawn);
    if (eager) eager.observe(drawn.canvas);
  }

  // One after the other, so that the page answers in between.
  function drawWaiting() {
    const next = waiting.values().next().value;
    if (!next) return;
    next.draw();
    setTimeout(drawWaiting, 0);
  }

  function defaults(shown) {
    Chart.defaults.animation = false;
    Chart.defaults.responsive = true;
    Chart.defaults.maintainAspectRatio = false;
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 12;
    Chart.defaults.color = shown.soft;
    Chart.defaults.borderColor = shown.grid;
    Chart.defaults.plugins.legend.display = false;
  }

  /* options: title, note, wide, label (what a screen reader says of it), height (pixels), make(theme).
   * The card has `drawn`: chart (null until it is drawn), redraw(), and canvas. */
  function chart({title, note, wide, label, height, make}) {
    const canvas = el("canvas", {role: "img", "aria-label": label || title});
    const plot = el("div", {class: "plot", style: height ? `height: ${height}px` : undefined}, canvas);
    const element = card({title, note, wide, tag: "figure"}, plot);
    const drawn = {canvas, title, chart: null,
      draw() {
        waiting.delete(canvas);
        if (eager) eager.unobserve(canvas);
        const shown = theme();
        defaults(shown);
        drawn.chart = new Chart(canvas, make(shown));
      },
      redraw() {
        if (!drawn.chart) return;
        drawn.chart.destroy();
        drawn.draw();
      }};
    charts.push(drawn);
    drawLater(drawn);
    element.drawn = drawn;
    element.plot = plot;
    return element;
  }

  function legend(entries, onToggle) {
    return el("ul", {class: "legend"}, ...entries.map((entry) => {
      const swatch = el("span", {class: `swatch ${entry.isBox ? "box" : entry.dash ? "dashed" : ""}`, "aria-hidden": "true",
        style: entry.isBox ? `background: ${entry.colour}` : `color: ${entry.colour}`});
      if (!onToggle) return el("li", {}, swatch, entry.label);
      const button = el("button", {type: "button", "aria-pressed": "true", onclick: () => {
        const isShown = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(isShown));
        onToggle(entry, isShown);
      }}, swatch, entry.label);
      return el("li", {}, button);
    }));
  }

  // Lines of the background get fainter the more they are.
  function faint(colour, n) {
    return colour.replace(/([\d.]+)\)$/, (_, alpha) => `${Math.max(Math.min(Number(alpha), 4 / n), 0.06)})`);
  }

  const css = (colour) => (/^[a-z]+$/.test(colour) ? `var(--${colour})` : colour);
  const inTheme = (shown, colour) => shown[colour] || colour;

  // Where numbers span more than this, a logarithm shows them better.
  const WIDE_SPAN = 40;

  function spanOf(lines) {
    let low = Infinity;
    let high = -Infinity;
    for (const line of lines) {
      for (const {y} of line.points) {
        if (!isNumber(y)) continue;
        low = Math.min(low, y);
        high = Math.max(high, y);
      }
    }
    return {low, high};
  }

  // An axis for numbers that are all the same has room above and below.
  function roomAround({low, high}) {
    return low === high ? {min: Math.min(2 * low, 0), max: Math.max(2 * low, 0) || 1} : {};
  }

  // A line that is dashed only says what to compare with.
  function wantsLog(lines) {
    const {low, high} = spanOf(lines.filter((line) => !line.dash));
    return low > 0 && high > WIDE_SPAN * low;
  }

  /* A chart of lines. options: title, note, wide, label, height, x and y (names of the axes),
   * isLog (nothing: as the numbers want it), canLog (false: no switch), lines() giving [{label, group, points: [{x, y}], colour (a
   * name of the theme or a colour), width, dash, isHidden}]; lines of one group share an entry of the legend.
   * The card has update(), to be called when lines() gives others, and markAt(x). */
  function lines(options) {
    const hidden = new Set();
    let marked = null;
    let isLog = options.isLog;
    let shown = options.lines();
    const span = spanOf(shown);
    const lastX = shown.reduce((last, line) => Math.max(last, line.points.at(-1)?.x ?? 0), 0);
    if (isLog === undefined) isLog = wantsLog(shown);
    isLog = isLog && span.low > 0;

    const line = el("div", {class: "marker", "aria-hidden": "true", hidden: true});
    const placeMarker = (drawn) => {
      const {chartArea: area, scales} = drawn;
      const x = marked === null ? NaN : scales.x.getPixelForValue(marked);
      line.hidden = !(x >= area.left - 1 && x <= area.right + 1);
      line.style.cssText = `left: ${x}px; top: ${area.top}px; height: ${area.bottom - area.top}px`;
    };
    const marker = {id: "marker", afterDraw: placeMarker};

    const groupOf = (line) => line.group || line.label;
    const colourOf = (colours, line) => (line.colour === "rest" ? faint(colours.rest, shown.length) : inTheme(colours, line.colour));
    // A line whose points are the same goes on as it is, which spares the chart much work.
    let made = new Map();
    const datasetOf = (colours, line) => {
      const known = made.get(line.label + groupOf(line));
      const dataset = known && known.data === line.points ? known : {data: line.points};
      const colour = colourOf(colours, line);
      return Object.assign(dataset, {label: line.label, borderColor: colour, backgroundColor: colour, borderWidth: line.width || 1.5,
        borderDash: line.dash ? [6, 4] : undefined, pointRadius: line.points.length === 1 ? 3 : 0, pointHitRadius: 6,
        order: line.order || 0, hidden: hidden.has(groupOf(line)), spanGaps: false});
    };
    const datasets = (colours) => {
      const all = shown.map((line) => datasetOf(colours, line));
      made = new Map(shown.map((line, i) => [line.label + groupOf(line), all[i]]));
      return all;
    };

    const axis = (name, more) => ({title: {display: Boolean(name), text: name}, grid: {drawBorder: false}, ...more});
    const tick = (value) => number(value, 3);

    const element = chart({...options, make(colours) {
      made.clear();
      return {type: "line", data: {datasets: datasets(colours)}, plugins: [marker], options: {
        parsing: false, normalized: true,
        interaction: {mode: "nearest", axis: "xy", intersect: false},
        scales: {x: axis(options.x, {type: "linear", min: lastX < 10 ? 1 : 0, max: Math.max(lastX, 2), ticks: {maxRotation: 0, callback: tick, autoSkipPadding: 12, precision: 0, includeBounds: lastX < 10}}),
          y: axis(options.y, isLog ? {type: "logarithmic", min: span.low / 1.15, max: span.high * 1.15, ticks: {maxTicksLimit: 7, autoSkipPadding: 14, callback: tick}}
            : {type: "linear", ...roomAround(span), ticks: {maxTicksLimit: 7, callback: tick}})},
        plugins: {tooltip: {callbacks: {title: (items) => (items.length ? `${options.x} ${count(items[0].parsed.x)}` : ""),
          label: (item) => `${item.dataset.label}: ${number(item.parsed.y)}`}}}}};
    }});

    element.plot.append(line);

    const groups = new Map();
    for (const line of shown) if (!groups.has(groupOf(line))) groups.set(groupOf(line), line);
    const names = [...groups].map(([label, line]) => ({label, colour: css(line.colour), dash: line.dash}));
    if (names.length > 1) {
      element.plot.after(legend(names, (entry, isShown) => {
        if (isShown) hidden.delete(entry.label);
        else hidden.add(entry.label);
        element.update();
      }));
    }
    if (options.canLog !== false && span.low > 0) {
      const button = el("button", {type: "button", class: "button", "aria-pressed": String(isLog), text: "log",
        "aria-label": `${options.title}: logarithmic scale`, onclick: () => {
          isLog = !isLog;
          button.setAttribute("aria-pressed", String(isLog));
          element.drawn.redraw();
        }});
      element.head.append(button);
    }

    element.update = () => {
      shown = options.lines();
      if (!element.drawn.chart) return;
      element.drawn.chart.data.datasets = datasets(theme());
      element.drawn.chart.update("none");
    };
    element.markAt = (x) => {
      marked = x;
      if (element.drawn.chart) placeMarker(element.drawn.chart);
    };
    return element;
  }

  /* options: title, note, wide, label, height (pixels), foot (the part below the marker), paint, tell. The card has `drawn` as a chart's
   * has, canvas, and markAt(place), which gives pixels for a width. */
  function picture({title, note, wide, label, height, foot = 0, paint, tell}) {
    const canvas = el("canvas", {role: "img", "aria-label": label || title});
    const line = el("div", {class: "marker", "aria-hidden": "true", hidden: true});
    let marked = null;
    const element = card({title, note, wide, tag: "figure"}, el("div", {class: "plot", style: `height: ${height}px`}, canvas, line));
    const redraw = () => {
      const width = canvas.parentElement.clientWidth;
      if (width === 0) return;
      const ratio = devicePixelRatio || 1;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.cssText = `width: ${width}px; height: ${height}px`;
      const ctx = canvas.getContext("2d");
      ctx.scale(ratio, ratio);
      paint(ctx, width, height, theme());
      if (marked) element.markAt(marked);
    };
    element.markAt = (place) => {
      marked = place;
      line.hidden = false;
      line.style.cssText = `left: ${place(canvas.parentElement.clientWidth)}px; top: 0; height: ${height - foot}px`;
    };
    if (tell) {
      canvas.addEventListener("mousemove", (event) => {
        canvas.title = tell(event.offsetX, event.offsetY);
      });
    }
    charts.push({canvas, title, chart: null, redraw});
    if ("ResizeObserver" in window) new ResizeObserver(redraw).observe(canvas.parentElement);
    else ready(redraw);
    element.drawn = charts[charts.length - 1];
    element.canvas = canvas;
    return element;
  }

  /* Bars that lie beside one another. options: title, note, wide, label, x (name of the axis), names
   * (of the rows), stacks: [{label, colour, values}], show(value). Its height follows its rows. */
  function bars(options) {
    const show = options.show || number;
    const isMany = options.names.length > 24;
    const element = chart({...options, height: 70 + (isMany ? 14 : 22) * options.names.length, make(colours) {
      return {type: "bar", data: {labels: options.names, datasets: options.stacks.map((stack) => ({label: stack.label, data: stack.values,
        backgroundColor: inTheme(colours, stack.colour), borderWidth: 0, barThickness: isMany ? 9 : 14}))}, options: {
        indexAxis: "y", interaction: {mode: "nearest", axis: "y", intersect: false},
        scales: {x: {stacked: true, title: {display: Boolean(options.x), text: options.x}, grid: {drawBorder: false}, ticks: {maxRotation: 0, callback: (value) => show(value)}},
          y: {stacked: true, grid: {display: false, drawBorder: false}, ticks: {autoSkip: isMany, autoSkipPadding: 2}}},
        plugins: {tooltip: {mode: "index", callbacks: {label: (item) => `${item.dataset.label}: ${show(item.parsed.x)}`}}}}};
    }});
    if (options.stacks.length > 1) {
      element.plot.after(legend(options.stacks.map((stack) => ({label: stack.label, colour: css(stack.colour), isBox: true}))));
    }
    return element;
  }

  function series({d, v}) {
    let x = 0;
    return v.map((y, i) => ({x: (x += d[i]), y: y === null ? NaN : y}));
  }

  function ready(action) {
    requestAnimationFrame(() => setTimeout(action, 0));
  }

  /* --- the page as a whole --- */

  wantsDark.addEventListener("change", () => applyTheme(currentTheme()));
  asked = remembered();
  if (asked !== "dark" && asked !== "light") asked = null;
  document.documentElement.dataset.theme = currentTheme();
  addEventListener("load", () => ready(drawWaiting));
  addEventListener("beforeprint", () => {
    for (const drawn of [...waiting.values()]) drawn.draw();
    applyTheme("light");
    for (const {chart: one} of charts) if (one) one.resize();
  });
  addEventListener("afterprint", () => applyTheme(currentTheme()));

  return {data, el, header, facts, messages, section, card, stack, table, lines, bars, chart, picture, charts, legend, series, number, count, bytes, duration,
    percent, heat, shade, ready, theme, isIdle: () => waiting.size === 0};
})();
