import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settingsStrings } from "../../src/strings/settings-strings.ts";
import { strings } from "../../src/strings/strings.ts";
import { findText } from "./find-text.ts";

const root = join(import.meta.dirname, "../../src");

/** Files whose texts no catalog needs, and why. */
const exempt: Readonly<Record<string, string>> = {
  "browser/trusted-script.ts": "an error for developers",
  "changes/parse-patch.ts": "the first line of a file that Git LFS leaves",
  "code/highlight/detect-language.ts": "the names of languages, as files and fences write them",
  "items/parts/items-context.tsx": "an error for developers",
  "navigation/focus-region.ts": "selectors of CSS",
  "store/app-context.tsx": "an error for developers",
  "text/visible.ts": "the abbreviations of control characters",
};
/** The catalogs, and the gallery, which only developers see. */
const skipped = /^(?:strings|gallery)\//;

describe("the texts of the page", () => {
  test("[PG75] are in a catalog, not in the views", () => {
    const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync({ cwd: root })];
    const found = files
      .filter((file) => !skipped.test(file) && !Object.hasOwn(exempt, file))
      .flatMap((file) =>
        findText(file, readFileSync(join(root, file), "utf8")).map(
          ({ line, text }) => `${file}:${line} ${text}`,
        ),
      );
    expect(files.length).toBeGreaterThan(200);
    expect(found).toEqual([]);
    expect(Object.keys(exempt).filter((file) => !files.includes(file))).toEqual([]);
  });

  /** Words of the old page, which nobody who writes plain product English would use. */
  const oldWords =
    /\b(?:may everything|holds until|make a code|works once|what should be done|make the session|look for a folder|up from|waits? for you|cut off|not live|is called that|say what|withdraw|keep until online|kept here|to the newest|give the process back|say it differently|put files? back|whole message|why not|several may stand|do not answer|send back|sent back|nothing goes on|of its own|of before|whoever|somebody|anew|cannot|did not count|take .{0,20} away|leave it as it is)\b/i;

  test("[PG75] have none of the old page's words", () => {
    const texts = [...listTexts(strings), ...listTexts(settingsStrings)];
    expect(texts.length).toBeGreaterThan(800);
    expect(texts.filter((text) => oldWords.test(text))).toEqual([]);
  });
});

describe("a text outside of a catalog is found", () => {
  test.each([
    ["<p>Nothing here</p>", "Nothing here"],
    ["<p>{isOpen ? 'Less' : more}</p>", "Less"],
    ["<p>{count > 0 && `${count} left`}</p>", "… left"],
    ["<button aria-label='Close' />", "Close"],
    ["<Field label={isNew ? 'Name' : text.name} />", "Name"],
    ["notify('Could not send')", "Could not send"],
    ["({ title: 'Delete' })", "Delete"],
    ["throw new Error(`no such ${thing} here`)", "no such … here"],
  ])("%s", (source, text) => {
    expect(findText("a.tsx", source).map((found) => found.text)).toContain(text);
  });

  test.each([
    "<p className='mt-2 text-dim'>{text.empty}</p>",
    "<p className={isDim ? 'text-dim truncate' : ''} />",
    "const look = 'button-ghost button-danger';",
    "document.querySelector('main article')",
    "type Word = 'two words';",
    "import a from 'some file';",
    "event.key === 'Escape' && <p>{name}</p>",
    "const svg = '<circle cx=\"1\" />';",
    "const command = `signalbox dial ${url} -- claude`;",
  ])("not in %s", (source) => {
    expect(findText("a.tsx", source)).toEqual([]);
  });
});

/** Every text of a catalog; those with parts that vary are called with placeholders. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "function") {
    const text: unknown = (value as (...parts: unknown[]) => unknown)(...fill(value.length));
    return [String(text)];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

const fill = (count: number) => Array.from({ length: count }, () => 2);
