// Runs in the sandboxed frame of a diagram, before mermaid: no markup that mermaid writes into this document
// fetches or runs anything. Mermaid lays labels out by writing them into the document first, so cleaning
// what it gives back would come too late.

/** Elements that fetch, run or embed something. */
const FORBIDDEN =
  "img, image, feImage, picture, source, video, audio, track, iframe, frame, object, embed, applet, script, link, meta, base, form, input, button, textarea, select";
/** Attributes by which an element fetches or leads elsewhere. */
const ADDRESS = /^(?:src|srcset|href|xlink:href|data|poster|background|action|formaction|ping)$/i;

/** A document in which nothing is fetched and nothing runs. */
const inert = document.implementation.createHTMLDocument("");
const markup = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");

function isDangerous(element, name, value) {
  if (/^on/i.test(name)) return true;
  if (!ADDRESS.test(name)) return false;
  return element.localName !== "use" || !String(value).startsWith("#");
}

function clean(root) {
  for (const element of root.querySelectorAll(FORBIDDEN)) element.remove();
  for (const element of root.querySelectorAll("*")) {
    for (const name of element.getAttributeNames()) {
      if (isDangerous(element, name, element.getAttribute(name))) element.removeAttribute(name);
    }
  }
}

Object.defineProperty(Element.prototype, "innerHTML", {
  ...markup,
  set(text) {
    if (this.ownerDocument !== document) {
      markup.set.call(this, text);
      return;
    }
    const parsed = inert.createElementNS(this.namespaceURI, this.localName);
    markup.set.call(parsed, text);
    clean(parsed);
    this.replaceChildren(...parsed.childNodes);
  },
});

/** The other ways to write markup are not needed here. */
const refuse = () => {
  throw new TypeError("Markup is written by innerHTML alone in this frame.");
};
Object.defineProperty(Element.prototype, "outerHTML", { get: () => "", set: refuse });
Element.prototype.insertAdjacentHTML = refuse;
Range.prototype.createContextualFragment = refuse;
document.write = refuse;
document.writeln = refuse;

/** An element that is made by name gets no dangerous attribute either. */
for (const method of ["setAttribute", "setAttributeNS"]) {
  const { value: native } = Object.getOwnPropertyDescriptor(Element.prototype, method);
  Element.prototype[method] = function (...args) {
    const [name, value] = args.slice(-2);
    if (!isDangerous(this, name, value)) Reflect.apply(native, this, args);
  };
}

/** Mermaid measures the picture of a node with one of these. */
globalThis.Image = function () {
  throw new Error("it has a picture in it, and pictures are not fetched.");
};
