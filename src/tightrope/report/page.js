"use strict";
// Hover, keyboard, copy and reload. Without this script the page still shows everything but details of marks.
(() => {
  const NEAR = 18; // pixels
  const tip = document.getElementById("tip");
  const configs = JSON.parse(document.getElementById("configs").textContent);

  const parse = (text) => {
    const rows = [[]];
    let cell = "", quoted = false;
    for (let i = 0; i < text.length; i++) {
      const c = text[i];
      if (quoted && c === '"' && text[i + 1] === '"') { cell += '"'; i++; }
      else if (c === '"') quoted = !quoted;
      else if (!quoted && (c === "," || c === "\n")) {
        rows[rows.length - 1].push(cell);
        cell = "";
        if (c === "\n") rows.push([]);
      } else cell += c;
    }
    rows.pop();
    return rows;
  };

  const tables = new Map();
  const tableOf = (figure) => {
    if (!tables.has(figure)) {
      const link = figure.querySelector("a.csv").getAttribute("href");
      tables.set(figure, parse(decodeURIComponent(link.slice(link.indexOf(",") + 1))));
    }
    return tables.get(figure);
  };

  const describe = (figure, row) => {
    const [head, ...rows] = tableOf(figure);
    const changesOf = configs[rows[row][head.indexOf("tuning")]] ?? configs[""];
    const lines = [];
    head.forEach((name, i) => {
      const value = rows[row][i];
      if (value === "") return;
      const line = document.createElement("div");
      const label = document.createElement("b");
      label.textContent = `${name.replaceAll("_", " ")} `;
      line.append(label, name === "config" ? `#${value}` : value);
      lines.push(line);
      if (name === "config" && value in changesOf) {
        const changes = document.createElement("div");
        changes.textContent = changesOf[value];
        lines.push(changes);
      }
    });
    return lines;
  };

  const drawn = (svg, name, attributes) => {
    const mark = document.createElementNS(svg.namespaceURI, name);
    for (const key in attributes) mark.setAttribute(key, attributes[key]);
    svg.append(mark);
  };

  const prepare = (figure) => {
    const svg = figure.querySelector("svg"), drawing = figure.querySelector(".drawing");
    const flat = JSON.parse(figure.querySelector(".points").textContent);
    const points = [];
    for (let i = 0; i < flat.length; i += 3) points.push([flat[i], flat[i + 1], flat[i + 2]]);
    const byPlace = points.map((_, i) => i).sort((a, b) => points[a][0] - points[b][0] || points[a][1] - points[b][1]);
    let at = -1;

    const hide = () => {
      svg.querySelectorAll(".ring, .trace").forEach((mark) => mark.remove());
      tip.hidden = true;
    };
    const show = (i) => {
      hide();
      const [x, y, row] = points[i];
      if (figure.classList.contains("joined")) {
        const path = points.filter((point) => point[2] === row).map(([px, py]) => `${px},${py}`).join(" ");
        drawn(svg, "polyline", { class: "trace", points: path });
      }
      drawn(svg, "circle", { class: "ring", cx: x, cy: y, r: 7 });
      tip.replaceChildren(...describe(figure, row));
      tip.hidden = false;
      const place = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
      const left = Math.min(place.x + 14, innerWidth - tip.offsetWidth - 8);
      const below = place.y + 14 + tip.offsetHeight < innerHeight;
      tip.style.left = `${Math.max(8, left)}px`;
      tip.style.top = `${below ? place.y + 14 : Math.max(8, place.y - 14 - tip.offsetHeight)}px`;
    };
    const nearest = (event) => {
      const matrix = svg.getScreenCTM();
      const here = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      let best = -1, least = (NEAR / matrix.a) ** 2;
      points.forEach(([x, y], i) => {
        const distance = (x - here.x) ** 2 + (y - here.y) ** 2;
        if (distance < least) { best = i; least = distance; }
      });
      return best;
    };

    drawing.addEventListener("pointermove", (event) => {
      const i = nearest(event);
      if (i < 0) hide(); else show(i);
    });
    drawing.addEventListener("pointerleave", hide);
    drawing.addEventListener("blur", hide);
    drawing.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") hide();
      if (!step || !points.length) return;
      event.preventDefault();
      at = (at + step + points.length) % points.length;
      show(byPlace[at]);
    });
  };
  document.querySelectorAll("figure").forEach(prepare);

  const select = (element) => getSelection().selectAllChildren(element);
  document.querySelectorAll("[data-copy]").forEach((button) => {
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      let copied = true;
      try {
        await navigator.clipboard.writeText(source.textContent);
      } catch {
        select(source); // pages opened as files may not write to the clipboard everywhere
        copied = document.execCommand("copy");
      }
      button.textContent = copied ? "Copied" : "Press Ctrl-C";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  });

  // Paper unfolds nothing: print what is folded up, then fold it up again.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open])")];
    unfolded.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => unfolded.forEach((details) => { details.open = false; }));

  const refresh = Number(document.documentElement.dataset.refresh);
  if (refresh) {
    const again = () => (tip.hidden ? location.reload() : setTimeout(again, 1000)); // not while somebody reads
    setTimeout(again, 1000 * refresh);
  }
})();
