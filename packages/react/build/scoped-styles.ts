import { type Selector, transform } from "lightningcss";
import type { Plugin } from "vite";

/** Where the styles apply: in the components, and in the menus and dialogs that they open. */
const SCOPE: Selector = [
  {
    type: "pseudo-class",
    kind: "where",
    selectors: [
      [{ type: "class", name: "signalbox" }],
      [{ type: "attribute", name: "data-base-ui-portal" }],
    ],
  },
];
const ROOTS = new Set(["html", "body"]);

function isRoot(part: Selector[number] | undefined): boolean {
  if (part?.type === "type") return ROOTS.has(part.name);
  return part?.type === "pseudo-class" && (part.kind === "root" || part.kind === "host");
}

/**
 * Keeps a selector inside of the components. What is said of the page's root is said of theirs, and what
 * depends on an attribute of the root, such as its theme, still does.
 */
function scopeSelector(selector: Selector): Selector {
  const [first, ...others] = selector;
  if (selector.some(({ type }) => type === "nesting")) return selector;
  if (!isRoot(first)) return [...SCOPE, { type: "combinator", value: "descendant" }, ...selector];
  if (others[0]?.type !== "attribute") return [...SCOPE, ...others];
  return [...selector, { type: "combinator", value: "descendant" }, ...SCOPE];
}

/** Makes styles of a whole page apply to the components alone, whatever page they stand on. */
export function scopeStyles(css: string): string {
  const { code } = transform({
    filename: "styles.css",
    code: Buffer.from(css),
    minify: true,
    targets: { chrome: 123 << 16 },
    visitor: { Selector: scopeSelector },
  });
  return new TextDecoder().decode(code);
}

export function scopedStyles(): Plugin {
  return {
    name: "scoped-styles",
    enforce: "post",
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue;
        const text =
          typeof file.source === "string" ? file.source : new TextDecoder().decode(file.source);
        file.source = scopeStyles(text);
      }
    },
  };
}
