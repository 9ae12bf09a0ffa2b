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
    for (const link of place.querySelectorAll("a")) {
      link.removeAttribute("href");
      link.removeAttributeNS("http://www.w3.org/1999/xlink", "href");
    }
    tellHeight();
  } catch (error) {
    if (nth !== drawn) return;
    parent.postMessage({ problem: error instanceof Error ? error.message : String(error) }, "*");
  }
}

function tellHeight() {
  if (place.firstChild === null) return;
  parent.postMessage({ height: Math.ceil(place.getBoundingClientRect().height) }, "*");
}

addEventListener("message", ({ source, data }) => {
  if (source === parent && typeof data?.code === "string") void draw(data);
});
// A narrower page makes a lower drawing.
new ResizeObserver(tellHeight).observe(place);
parent.postMessage({ ready: true }, "*");
