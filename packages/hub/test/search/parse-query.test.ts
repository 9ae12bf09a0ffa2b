import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { parseQuery } from "../../src/search/parse-query.ts";

const now = new Date(2026, 10, 19, 12).getTime();
const parse = (text: string) => parseQuery(text, now);

describe("what a person types to search", () => {
  test("[SE2] words, phrases, beginnings and excluded words", () => {
    expect(parse("reader flaky ").match).toBe('("reader" AND "flaky")');
    expect(parse('"reads rows" x').match).toBe('("reads rows" AND "x"*)');
    expect(parse("rea* flaky ").match).toBe('("rea"* AND "flaky")');
    expect(parse('reader -sleep -"two words" ').match).toBe(
      '("reader") NOT ("sleep" OR "two words")',
    );
  });

  test("[SE9] of a long search the first forty words and filters count, each once", () => {
    const repeated = parse("path:a read ".repeat(20));
    expect(repeated).toMatchObject({ match: '("read")', problems: [] });
    const words = Array.from({ length: 60 }, (_, nth) => `w${nth}x`);
    const long = parse(`${words.join(" ")} path:late `);
    expect(long.words).toHaveLength(40);
    expect(long.paths).toEqual([]);
    expect(long.problems).toEqual(["Only the first 40 words and filters are looked for."]);
  });

  test("[SE2] a last word that no space follows may continue", () => {
    expect(parse("read").match).toBe('("read"*)');
    expect(parse("read ").match).toBe('("read")');
  });

  test("[SE2] filters, also with quotes, and words that only look like filters", () => {
    expect(parse('path:src/Rows.ts tool:Bash project:"my atlas" from:me is:error ')).toMatchObject({
      match: undefined,
      paths: ["src/rows.ts"],
      tools: ["bash"],
      projects: ["my atlas"],
      isFromMe: true,
      isError: true,
      problems: [],
    });
    expect(parse("http://localhost:80 ").match).toBe('("http localhost 80")');
  });

  test("[SE2] dates, and how long ago", () => {
    expect(parse("after:2026-11-01").after).toBe(new Date(2026, 10, 1).getTime());
    expect(parse("before:2025").before).toBe(new Date(2025, 0, 1).getTime());
    expect(parse("after:3d").after).toBe(now - 3 * 86_400_000);
    expect(parse("before:today").before).toBe(new Date(2026, 10, 19).getTime());
  });

  test("[SE2] a filter that is not understood is named and not applied", () => {
    const { before, isError, problems } = parse("x before:someday is:green ");
    expect({ before, isError }).toEqual({ before: undefined, isError: false });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain("before:someday");
    expect(problems[1]).toContain("Use is:error");
  });

  test("[SE3] nothing that is typed is an error for the index", () => {
    using db = new Database(":memory:");
    db.run("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = \"unicode61 tokenchars '_'\")");
    const find = db.query("SELECT rowid FROM words WHERE words MATCH ?");
    const check = (text: string) => {
      const { match } = parse(text);
      if (match !== undefined) find.all(match);
    };
    for (const text of [
      "foo-bar",
      "it's",
      "C++",
      '"',
      '""',
      "a AND",
      "NEAR(",
      "*",
      "^x",
      "{a}:b",
      "-",
    ])
      check(text);
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), check), { numRuns: 500 });
  });
});
