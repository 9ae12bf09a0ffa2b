// Runs in the sandboxed frame of a diagram: draws what the page sends, and says how high it became.
/* global mermaid */

const place = document.createElement("main");
document.body.append(place);

/** What a diagram may not set for itself: mermaid's own list, and whatever writes styles. */
const secure = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "maxTextSize",
  "maxEdges",
  "suppressErrorRendering",
  "themeCSS",
  "fontFamily",
  "altFontFamily",
  "dompurifyConfig",
];

let drawn = 0;

async function draw({ code, dark }) {
  const nth = ++drawn;
  document.documentElement.style.colorScheme = dark ? "dark" : "light";
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      suppressErrorRendering: true,
      theme: dark ? "dark" : "neutral",
      fontFamily: "system-ui, sans-serif",
      secure,
    });
    const { svg } = await mermaid.render(`drawing-${nth}`, code);
    if (nth !== drawn) return; // another was sent meanwhile
    place.innerHTML = svg;
    tellHeight();
  } catch (error) {
    if (nth !== drawn) return;
    parent.postMessage({ problem: error instanceof Error ? error.message : String(error) }, "*");
  }
}

/** As it was drawn it is as wide as its view box, or as the frame if that is narrower. */
function tellHeight() {
  const svg = place.querySelector("svg");
  if (svg === null) return;
  const { width, height } = svg.viewBox.baseVal ?? svg.getBoundingClientRect();
  const scale = width > 0 ? Math.min(1, place.clientWidth / width) : 1;
  parent.postMessage({ height: Math.ceil(height * scale) + innerHeight - place.clientHeight }, "*");
}

addEventListener("message", ({ source, data }) => {
  if (source === parent && typeof data?.code === "string") void draw(data);
});
// In a narrower page it would be lower.
new ResizeObserver(tellHeight).observe(place);
parent.postMessage({ ready: true }, "*");
