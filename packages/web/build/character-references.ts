import { createRequire } from "node:module";

/**
 * The module of character references as Node finds it: with a table. Its form for browsers decodes `&copy;` by
 * writing markup, which Trusted Types refuse.
 */
export const characterReferences = createRequire(import.meta.url).resolve(
  "decode-named-character-reference",
);
