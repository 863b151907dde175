"use strict";
// Hover and choice join the two sides: boxes on a page and words in the text share data-b (blocks) or data-c (chunks).
const root = document.documentElement;
const tip = document.getElementById("tip");
let hot = [];
let chosen = [];

function keyOf(element) {
  const found = root.dataset.mode === "chunks" ? element.closest("[data-c]") : element.closest("[data-b]");
  if (!found) return null;
  return found.dataset.c && root.dataset.mode === "chunks"
    ? { name: "data-c", number: found.dataset.c.split(" ").pop() }
    : { name: "data-b", number: found.dataset.b };
}

function members(key) {
  return [...document.querySelectorAll(`[${key.name}~="${key.number}"]`)];
}

function mark(elements, name, before) {
  before.forEach((element) => element.classList.remove(name));
  elements.forEach((element) => element.classList.add(name));
  return elements;
}

function line(name, text) {
  if (!text) return;
  const made = document.createElement("p");
  made.className = name;
  made.textContent = text;
  tip.append(made);
}

function describe(key, elements) {
  const source = elements.find((element) => element.dataset.span);
  if (!source) return false;
  const data = source.dataset;
  const words = data.text || [...(source.querySelector(".words")?.childNodes ?? [])].map((node) => node.textContent).join("");
  tip.replaceChildren();
  tip.style.setProperty("--k", getComputedStyle(source).getPropertyValue("--k"));
  line("what", key.name === "data-b" ? `${key.number} · ${data.kind}` : data.kind);
  line("where", [data.parent, data.span].filter(Boolean).join(" · "));
  line("where", data.path);
  if (data.before) line("where", `⟨ ${data.before} ⟩`);
  line("said", words.length > 300 ? `${words.slice(0, 300)}…` : words);
  return true;
}

function place(x, y) {
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, x + 18 + box.width > innerWidth ? x - box.width - 18 : x + 18)}px`;
  tip.style.top = `${Math.max(8, Math.min(y + 14, innerHeight - box.height - 8))}px`;
}

function hover(element, x, y) {
  const key = element instanceof Element ? keyOf(element) : null;
  const elements = key ? members(key) : [];
  hot = mark(elements, "hot", hot);
  tip.hidden = !key || !describe(key, elements);
  if (!tip.hidden) place(x, y);
}

function outOfSight(element) {
  const box = element.getBoundingClientRect();
  return box.bottom < 60 || box.top > innerHeight - 40;
}

function choose(key, from) {
  const elements = members(key);
  chosen = mark(elements, "chosen", chosen);
  const onPage = from.closest(".sheet");
  const others = elements.filter((element) => !element.closest(".side") && !element.closest(".sheet") === Boolean(onPage));
  const target = others[0];
  if (target && (from.closest(".side") || outOfSight(target))) target.scrollIntoView({ block: "center" });
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "mouse") hover(event.target, event.clientX, event.clientY);
});
document.addEventListener("focusin", (event) => {
  if (!event.target.matches?.(".box:focus-visible, .cbox:focus-visible")) return;
  const box = event.target.getBoundingClientRect();
  hover(event.target, box.right, box.top);
});
document.addEventListener("click", (event) => {
  const key = keyOf(event.target);
  if (!key) {
    chosen = mark([], "chosen", chosen);
    if (!event.target.closest(".bar")) hover(null, 0, 0);
    return;
  }
  if (String(getSelection())) return;
  const link = event.target.closest("a[href]");
  if (link) {
    event.preventDefault();
    history.replaceState(null, "", link.getAttribute("href"));
  }
  choose(key, event.target);
  hover(event.target, event.clientX, event.clientY);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  chosen = mark([], "chosen", chosen);
  hover(null, 0, 0);
});
document.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

// Switches: kinds are hidden by a rule each, layers by a class of the page.
const rules = document.head.appendChild(document.createElement("style"));
function apply() {
  const boxes = [...document.querySelectorAll("[data-switch]")];
  rules.textContent = boxes
    .filter((box) => box.dataset.switch === "kind" && !box.checked)
    .map((box) => `.part.${box.value}, .box.${box.value} { display: none; }`)
    .join("\n");
  for (const box of boxes.filter((one) => one.dataset.switch === "layer")) {
    root.classList.toggle(`show-${box.value}`, box.checked);
    root.classList.toggle(`hide-${box.value}`, !box.checked);
  }
  const mode = document.querySelector("[name=mode]:checked");
  if (mode) root.dataset.mode = mode.value;
}
document.addEventListener("change", apply);
apply();
