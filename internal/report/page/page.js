'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const rows = data.rows, lanes = data.lanes, holds = data.holds;
  const find = (id) => document.getElementById(id);
  const ROW = 26, LEFT = 64, GAP = 24, PLACE = 160, BAR = 7;
  const box = find('lanes');

  // Elements are made here and nowhere else: what the program says only ever
  // becomes text or the value of an attribute.
  const SVG = 'http://www.w3.org/2000/svg';
  const make = (name, attributes, text) => {
    const e = document.createElementNS(SVG, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const html = (name, text, className) => {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  };

  // Text is cut where its lane ends; the whole of it shows beside the lanes.
  const measure = document.createElement('canvas').getContext('2d');
  measure.font = '12px ui-monospace, monospace';
  const fit = (text, width) => {
    if (measure.measureText(text).width <= width) return text;
    let low = 0, high = text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (measure.measureText(text.slice(0, middle) + '…').width <= width) low = middle; else high = middle - 1;
    }
    return text.slice(0, low).replace(/[\ud800-\udbff]$/, '') + '…';
  };

  // Lanes: one column for each goroutine that the run is about.
  const bars = lanes.map(() => 0);
  for (const h of holds) bars[h.lane] = Math.max(bars[h.lane], h.bar + 1);
  const room = (box.clientWidth - LEFT - PLACE) / Math.max(1, lanes.length) - GAP;
  const laneWidth = Math.max(118, Math.min(280, room));
  const laneX = (i) => LEFT + i * (laneWidth + GAP);
  const textX = (i) => laneX(i) + (bars[i] ? bars[i] * BAR + 4 : 0);
  const textWidth = (i) => laneX(i) + laneWidth - textX(i);
  const placeX = laneX(lanes.length);
  const width = placeX + PLACE, height = rows.length * ROW;
  const y = (i) => i * ROW + ROW / 2;

  const names = find('names');
  names.style.width = width + 'px';
  lanes.forEach((name, i) => {
    const span = html('span', name);
    span.title = name;
    span.style.left = textX(i) + 'px';
    span.style.maxWidth = textWidth(i) + 'px';
    names.append(span);
  });
  const svg = make('svg', { width, height, role: 'presentation' });
  const below = make('g', {}), middle = make('g', {}), above = make('g', { 'pointer-events': 'none' });
  const numbers = make('g', { 'pointer-events': 'none' }); // stays in sight
  svg.append(below, middle, above, numbers);
  box.append(svg);

  // Where goroutines wait for ever: from the row of their last step to the end.
  const waits = rows.map((r, i) => [r, i]).filter(([r]) => r.since && r.lane >= 0).map(([r, i]) => [rows.findIndex((s) => s.n === r.since), i]);

  // Only the rows in sight are drawn: a run may have many thousands.
  let current = -1, from = 0, to = -1;
  const label = (r) => `${r.n ? 'step ' + r.n + ': ' : ''}${lanes[r.lane] ?? ''} ${r.text}${r.with ? ', ' + lanes[r.plane] + ' ' + r.with : ''}${r.at ? ' at ' + r.at : ''}${r.pre ? ', preemption' : ''}`;
  const drawRow = (r, i) => {
    const g = make('g', { role: 'option', id: 'row' + i, 'aria-selected': i === current, 'aria-label': label(r), 'aria-posinset': i + 1, 'aria-setsize': rows.length });
    g.append(make('title', {}, label(r)));
    g.append(make('rect', { class: 'back', x: 0.5, y: i * ROW + 0.5, width: width - 1, height: ROW - 1 }));
    const base = y(i) + 4;
    numbers.append(make('text', { class: 'dim', x: 36, y: base, 'text-anchor': 'end' }, r.n || (r.bad ? 'end' : '')));
    if (r.pre) numbers.append(make('text', { class: 'preempts', x: 44, y: base }, '>'));
    const wide = r.lane < 0; // about no goroutine
    g.append(make('text', { class: r.bad ? 'bad' : '', x: wide ? LEFT : textX(r.lane), y: base }, fit(r.text, wide ? width : textWidth(r.lane))));
    if (r.with) g.append(make('text', { x: textX(r.plane), y: base }, fit(r.with, textWidth(r.plane))));
    g.append(make('text', { class: 'dim', x: placeX, y: base }, fit(r.at || '', PLACE - 8)));
    return g;
  };
  const head = (x, yy, right) => make('path', { class: 'head', d: right ? `M${x} ${yy}l-7 -4v8z` : `M${x} ${yy}l7 -4v8z` });
  const edge = (l, text) => textX(l) + Math.min(textWidth(l), measure.measureText(text).width) + 4;
  const drawArrow = (r, i) => {
    if (r.with) {
      const [a, b] = r.sends ? [r.lane, r.plane] : [r.plane, r.lane];
      const right = a < b, yy = y(i);
      const left = right ? a : b;
      const x1 = edge(left, left === r.lane ? r.text : r.with), x2 = laneX(right ? b : a) - 4;
      above.append(make('line', { class: 'arrow', x1, y1: yy, x2, y2: yy }), right ? head(x2, yy, true) : head(x1, yy, false));
    } else if (r.from >= 0) {
      const s = rows[r.from], y1 = y(r.from), y2 = y(i), left = s.lane > r.lane, out = s.lane < r.lane ? 20 : -14, into = left ? 20 : -20;
      const x1 = out > 0 ? edge(s.lane, s.text) : laneX(s.lane) - 6, x2 = left ? edge(r.lane, r.text) : laneX(r.lane) - 4;
      above.append(make('path', { class: 'arrow', d: `M${x1} ${y1}C${x1 + out} ${y1} ${x2 + into} ${y2} ${x2 + into / 5} ${y2}` }), head(x2, y2, !left));
    }
  };
  const draw = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 10);
    const last = Math.min(rows.length - 1, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + 10);
    from = first; to = last;
    below.replaceChildren();
    middle.replaceChildren();
    above.replaceChildren();
    numbers.replaceChildren();
    numbers.setAttribute('transform', `translate(${box.scrollLeft} 0)`);
    const top = first * ROW, bottom = (last + 1) * ROW;
    lanes.forEach((_, i) => below.append(make('line', { class: 'lane', x1: laneX(i) - 10, x2: laneX(i) - 10, y1: top, y2: bottom })));
    if (box.scrollLeft > 0) numbers.append(make('rect', { class: 'ground', x: 0, y: top, width: LEFT - 12, height: bottom - top }));
    for (const [since, i] of waits) {
      const r = rows[i], y1 = Math.max(top, y(since) + 10), y2 = Math.min(bottom, y(i) - 10);
      if (y1 < y2) above.append(make('line', { class: 'stuck', x1: textX(r.lane) + 4, x2: textX(r.lane) + 4, y1, y2 }));
    }
    for (const h of holds) {
      if (h.from > last || h.to >= 0 && h.to < first) continue;
      const x = laneX(h.lane) + h.bar * BAR, y1 = Math.max(top, y(h.from) - 7), y2 = h.to < 0 ? bottom : Math.min(bottom, y(h.to) + 7);
      above.append(make('line', { class: h.read ? 'hold read' : 'hold', x1: x, x2: x, y1, y2 }));
    }
    for (let i = first; i <= last; i++) {
      middle.append(drawRow(rows[i], i));
      drawArrow(rows[i], i);
    }
  };

  // The step that is looked at.
  const snippet = (place) => {
    const at = place.lastIndexOf(':'), file = place.slice(0, at), line = Number(place.slice(at + 1));
    const s = data.sources.find((s) => s.file === file && s.line <= line && line < s.line + s.lines.length);
    if (!s) return null;
    const pre = html('pre');
    pre.tabIndex = 0;
    pre.setAttribute('aria-label', 'source at ' + place);
    for (let n = Math.max(s.line, line - 4); n < Math.min(s.line + s.lines.length, line + 5); n++) {
      const row = html('span', undefined, n === line ? 'line here' : 'line');
      row.append(html('span', String(n).padStart(5) + (n === line ? ' ▸ ' : '   '), 'number'), s.lines[n - s.line]);
      pre.append(row);
    }
    return pre;
  };
  const tell = (list, name, value) => { if (value) list.append(html('dt', name), html('dd', value)); };
  const FEW = 10;
  const detail = (r, i) => {
    const panel = find('step'), list = html('dl');
    find('step-title').textContent = r.n ? 'Step ' + r.n : r.log ? 'Log' : 'At the end';
    tell(list, 'goroutine', lanes[r.lane]);
    tell(list, r.bad ? 'wrong' : 'does', r.full);
    tell(list, 'at', r.at);
    if (r.with) { tell(list, 'meets', lanes[r.plane] + ', ' + r.with); tell(list, 'at', r.pat); }
    if (r.from >= 0) tell(list, 'sent in', 'step ' + rows[r.from].n);
    if (r.pre) tell(list, 'choice', 'preemption: the goroutine that ran before could have gone on');
    else if (r.choice) tell(list, 'choice', r.choice);
    const held = holds.filter((h) => h.from <= i && (h.to < 0 || h.to > i));
    held.sort((a, b) => (b.lane === r.lane) - (a.lane === r.lane)); // its own first
    for (const h of held.slice(0, FEW)) tell(list, 'held', `${h.name}, by ${lanes[h.lane]}${h.read ? ' (for reading)' : ''} since step ${rows[h.from].n}`);
    if (held.length > FEW) tell(list, 'held', `and ${held.length - FEW} more`);
    panel.replaceChildren(list);
    for (const place of [r.at, r.pat]) {
      const s = place && snippet(place);
      if (s) panel.append(s);
    }
    for (const f of r.facts || []) panel.append(html('p', f));
  };
  const select = (i) => {
    if (!rows.length) return;
    i = Math.max(0, Math.min(rows.length - 1, i));
    current = i;
    const top = i * ROW, header = names.offsetHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + ROW + header > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + header - box.clientHeight;
    const r = rows[i];
    if (r.lane >= 0) {
      const x = laneX(r.lane);
      if (x < box.scrollLeft + LEFT || x + laneWidth > box.scrollLeft + box.clientWidth) box.scrollLeft = Math.max(0, x - LEFT);
    }
    draw();
    box.setAttribute('aria-activedescendant', 'row' + i);
    find('position').textContent = `${i + 1} of ${rows.length}`;
    detail(r, i);
  };
  const preemption = () => {
    const i = rows.findIndex((r, i) => i > current && r.pre);
    if (i >= 0) select(i);
  };
  const keys = {
    ArrowDown: () => select(current + 1), j: () => select(current + 1), ArrowUp: () => select(current - 1), k: () => select(current - 1),
    Home: () => select(0), End: () => select(rows.length - 1), PageDown: () => select(current + 15), PageUp: () => select(current - 15), p: preemption,
  };
  box.addEventListener('keydown', (e) => {
    const act = keys[e.key];
    if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    act();
  });
  box.addEventListener('click', (e) => {
    const g = e.target.closest('g[role=option]');
    if (g) select(Number(g.id.slice(3)));
  });
  let waiting = false;
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };
  box.addEventListener('scroll', redraw, { passive: true });
  window.addEventListener('resize', redraw);
  find('first').addEventListener('click', () => select(0));
  find('back').addEventListener('click', () => select(current - 1));
  find('next').addEventListener('click', () => select(current + 1));
  find('last').addEventListener('click', () => select(rows.length - 1));
  find('switch').addEventListener('click', preemption);
  find('switch').disabled = !rows.some((r) => r.pre);

  // Lists that lead to steps.
  const MANY = 500;
  const listOf = (id, wanted, text) => {
    const all = rows.map((r, i) => [r, i]).filter(([r]) => wanted(r));
    find(id + '-section').hidden = !all.length;
    for (const [r, i] of all.slice(0, MANY)) {
      const item = html('li'), button = html('button', text(r), 'link');
      button.type = 'button';
      button.addEventListener('click', () => { select(i); box.focus(); });
      item.append(button);
      find(id).append(item);
    }
    if (all.length > MANY) find(id).append(html('li', `and ${all.length - MANY} more`));
  };
  listOf('choices', (r) => r.pre || r.choice, (r) => `step ${r.n}: ${lanes[r.lane]} ${r.full}${r.pre ? ' (preemption)' : ''}`);
  listOf('log', (r) => r.log, (r) => `${lanes[r.lane]}: ${r.full}`);

  // The wait-for graph: goroutines on the left, what they wait for on the right.
  const graph = data.graph;
  if (graph && find('graph') && graph.goroutines.length) {
    const H = 46, W = 250, MID = 220, count = Math.max(graph.goroutines.length, graph.objects.length);
    const picture = make('svg', { width: 2 * W + MID + 20, height: count * H + 10, role: 'img', 'aria-label': 'wait-for graph; the list below says the same' });
    const spot = {};
    const place = (list, x, prefix, rounded) => list.forEach((node, i) => {
      const yy = 8 + i * H;
      spot[prefix + node.id] = { x, y: yy + 16 };
      picture.append(make('rect', { class: node.dead ? 'node dead' : 'node', x, y: yy, width: W, height: 32, rx: rounded }));
      const t = make('text', { x: x + 10, y: yy + 20 }, fit(node.text, W - 20));
      t.append(make('title', {}, node.text));
      picture.append(t);
    });
    // Objects stand where their goroutines do, so that few lines cross.
    const rank = new Map(graph.objects.map((o) => {
      const at = graph.edges.filter((e) => e.object === o.id).map((e) => graph.goroutines.findIndex((g) => g.id === e.goroutine));
      return [o, at.reduce((sum, i) => sum + i, 0) / Math.max(1, at.length)];
    }));
    place(graph.goroutines, 10, 'g', 3);
    place([...graph.objects].sort((a, b) => rank.get(a) - rank.get(b)), 10 + W + MID, 'o', 16);
    // A word takes the first place along its line where it covers no other; where there is
    // none it is left out, for the line's title and the list below say the same.
    const labels = [], taken = [], HIGH = 17;
    const write = (text, x1, y1, x2, y2) => {
      const w = measure.measureText(text).width + 8;
      for (const part of [0.5, 0.35, 0.65, 0.2, 0.8, 0.43, 0.57, 0.27, 0.73, 0.12, 0.88]) {
        const x = x1 + (x2 - x1) * part, yy = y1 + (y2 - y1) * part;
        if (x - w / 2 < x1 || x + w / 2 > x2 || taken.some((o) => Math.abs(o.x - x) < (o.w + w) / 2 && Math.abs(o.y - yy) < HIGH)) continue;
        taken.push({ x, y: yy, w });
        labels.push(make('text', { class: 'dim halo', x, y: yy + 4, 'text-anchor': 'middle' }, text));
        return;
      }
    };
    graph.edges.forEach((e) => {
      const g = spot['g' + e.goroutine], o = spot['o' + e.object];
      if (!g || !o) return;
      const shift = e.kind === 'waits' ? -5 : 5;
      const x1 = g.x + W, y1 = g.y + shift, x2 = o.x, y2 = o.y + shift;
      const line = make('line', { class: `edge ${e.kind}${e.dead ? ' dead' : ''}`, x1, y1, x2, y2 });
      line.append(make('title', {}, e.text));
      picture.append(line);
      picture.append(e.kind === 'waits' ? head(x2, y2, true) : head(x1, y1, false));
      write(e.text, x1, y1, x2, y2);
    });
    picture.append(...labels);
    find('graph').append(picture);
  }

  const wrong = rows.findIndex((r) => r.bad && r.lane >= 0);
  select(wrong < 0 ? rows.length - 1 : wrong);
})();
