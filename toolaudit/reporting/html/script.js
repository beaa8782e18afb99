"use strict";
(() => {
  const data = JSON.parse(document.getElementById("calls-data").textContent);
  const list = document.getElementById("calls");
  const count = document.getElementById("calls-count");
  const more = document.getElementById("calls-more");
  const form = document.getElementById("calls-filter");
  const PAGE = 100;
  let shown = [];
  let until = 0;

  // Text becomes text, never markup: nothing here sets HTML.
  const element = (name, text, cls) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (cls) made.className = cls;
    return made;
  };

  const word = (index) => data.words[index];
  const decision = (call) => word(call[0]);
  const FIELDS = { decision: 0, stage: 1, tool: 2, rule: 3, session: 4 };

  for (const [name, index] of Object.entries(FIELDS)) {
    const select = form.elements[name];
    const counts = new Map();
    for (const call of data.calls) counts.set(call[index], (counts.get(call[index]) || 0) + 1);
    for (const [value, times] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, 500)) {
      const option = element("option", `${word(value) || "(none)"} (${times})`);
      option.value = String(value);
      select.append(option);
    }
  }

  const row = (call) => {
    const details = element("details");
    const summary = element("summary");
    summary.append(element("span", decision(call), `tag ${decision(call)}`), " ", element("span", call[5].slice(0, 160), "mono"));
    details.append(summary);
    details.addEventListener("toggle", () => { if (details.open && !details.dataset.full) fill(details, call); });
    return details;
  };

  const fill = (details, call) => {
    details.dataset.full = "yes";
    const inside = element("div", undefined, "inside");
    inside.append(element("pre", call[5] + (call[6] ? `\n… ${call[6].toLocaleString("en")} more characters` : ""), "mono"));
    const about = [["because", word(call[7])], ["rule", word(call[3])], ["stage", word(call[1])], ["tool", word(call[2])],
      ["mode", word(call[8])], ["then", word(call[9])], ["session", word(call[4])], ["place", `${word(call[10])}:${call[11]}`]];
    const table = element("table");
    for (const [name, text] of about) {
      if (!text) continue;
      const line = table.insertRow();
      line.append(element("th", name), element("td", text, "mono"));
    }
    const trace = data.traces[call[12]];
    for (const [stage, note, behavior] of trace) {
      const line = table.insertRow();
      const what = element("td", "", "mono");
      if (word(behavior)) what.append(element("span", word(behavior), `tag ${word(behavior)}`), " ");
      what.append(word(note));
      line.append(element("th", word(stage)), what);
    }
    inside.append(table);
    details.append(inside);
  };

  const extend = () => {
    const next = shown.slice(until, until + PAGE);
    list.append(...next.map(row));
    until += next.length;
    more.hidden = until >= shown.length;
    count.textContent = `${shown.length.toLocaleString("en")} of ${data.calls.length.toLocaleString("en")} calls, ${until.toLocaleString("en")} listed`;
  };

  const apply = () => {
    const wanted = Object.entries(FIELDS).map(([name, index]) => [index, form.elements[name].value]).filter(([, value]) => value !== "");
    const text = form.elements.text.value.toLowerCase();
    shown = data.calls.filter((call) =>
      wanted.every(([index, value]) => String(call[index]) === value) && (!text || call[5].toLowerCase().includes(text)));
    list.replaceChildren();
    until = 0;
    extend();
  };

  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", extend);
  apply();
})();
