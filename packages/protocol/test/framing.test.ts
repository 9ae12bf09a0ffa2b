import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Line, readLines, lineText } from "@signalbox/protocol";
import { LineSplitter } from "@signalbox/protocol/wire";
import { recordings } from "@signalbox/testing/recordings";

const utf8 = new TextEncoder();

function split(chunks: Iterable<Uint8Array>, limit?: number): Line[] {
  const splitter = new LineSplitter(limit);
  const found: Line[] = [];
  for (const chunk of chunks) found.push(...splitter.push(chunk));
  return [...found, ...splitter.end()];
}

function* splitChunks(bytes: Uint8Array, cuts: number[]): Generator<Uint8Array> {
  const sorted = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  let from = 0;
  for (const cut of [...sorted, bytes.length]) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
}

/** Computes the expected lines in the simplest way: cut at LF, then check each line. */
function naive(bytes: Uint8Array, limit: number): Line[] {
  const found: Line[] = [];
  const pieces = bytes.length > 0 && bytes.at(-1) !== 0x0a ? [...bytes, 0x0a] : [...bytes];
  for (let from = 0; from < pieces.length;) {
    const end = pieces.indexOf(0x0a, from);
    const line = pieces.slice(from, end);
    from = end + 1;
    const tooLong = line.length > limit;
    let kept = tooLong ? line.slice(0, limit) : line.at(-1) === 0x0d ? line.slice(0, -1) : line;
    if (tooLong) {
      const lead = kept.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
      const byte = kept[lead] ?? 0;
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      const behind = kept.length - lead;
      if (lead >= 0 && behind <= 3 && size > behind) kept = kept.slice(0, lead);
    }
    if (kept.length === 0 && !tooLong) continue;
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(kept));
    const valid = Buffer.from(text).equals(Buffer.from(kept));
    const flaws = {
      ...(!valid && { original: Uint8Array.from(kept) }),
      ...(tooLong && { droppedBytes: line.length - kept.length }),
    };
    found.push(valid && !tooLong ? text : { text, flaws });
  }
  return found;
}

async function* inTwoChunks() {
  yield utf8.encode("a\nb");
  await Promise.resolve();
  yield utf8.encode("c\nd");
}

const texts = (found: Line[]) => found.map(lineText);
const getFlaws = (line: Line | undefined) => (typeof line === "object" ? line.flaws : undefined);

describe("framing", () => {
  test("[FR1] lines end at LF, CR before it belongs to the line end, empty lines are nothing", () => {
    expect(texts(split([utf8.encode('{"a":1}\r\n\n\r\n{"b":2}\n')]))).toEqual([
      '{"a":1}',
      '{"b":2}',
    ]);
  });

  test("[FR2] a last line without LF is a line", () => {
    expect(texts(split([utf8.encode("one\ntw"), utf8.encode("o")]))).toEqual(["one", "two"]);
    expect(texts(split([utf8.encode("one\r")]))).toEqual(["one"]);
  });

  test("[FR3] U+2028, U+0085 and a lone CR are ordinary characters", () => {
    const text = '{"s":"a\u2028b\u2029c\u0085d\re"}';
    expect(texts(split([utf8.encode(`${text}\n`)]))).toEqual([text]);
  });

  test("[FR4] characters split anywhere stay whole: one byte at a time gives the same lines", () => {
    const text = "é€😀\u0000\ufeffz";
    const bytes = utf8.encode(`${text}\n${text}`);
    expect(texts(split([...bytes].map((byte) => Uint8Array.of(byte))))).toEqual([text, text]);
  });

  test("[FR5] any chunking of any recorded exchange gives the same lines", () => {
    for (const [story, recorded] of recordings()) {
      const expected = recorded.map((line) => line.text);
      const bytes = utf8.encode(`${expected.join("\n")}\n`);
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 200 }), (cuts) => {
          expect(texts(split(splitChunks(bytes, cuts))), story).toEqual(expected);
        }),
        { numRuns: 40 },
      );
    }
  });

  test("[FR5] any bytes at all, under any chunking and any limit, give the same lines and flaws", () => {
    const byte = fc.oneof(
      fc.constantFrom(0x0a, 0x0d, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80),
      fc.nat(255),
    );
    fc.assert(
      fc.property(
        fc.array(byte, { maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        (content, cuts, limit) => {
          const bytes = Uint8Array.from(content);
          expect(split(splitChunks(bytes, cuts), limit)).toEqual(naive(bytes, limit));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("[FR6] a line past the limit is cut and counted, and the next one is parsed", () => {
    const found = split([utf8.encode(`${"x".repeat(25)}\nnext\n`)], 10);
    expect(found).toEqual([{ text: "x".repeat(10), flaws: { droppedBytes: 15 } }, "next"]);
  });

  test("[FR6] a line of exactly the limit is whole", () => {
    expect(split([utf8.encode("0123456789\n")], 10)).toEqual(["0123456789"]);
  });

  test("[FR6] a cut inside a character drops that character and does not call it bad UTF-8", () => {
    const [line] = split([utf8.encode("aaaaaaaa€€\n")], 10);
    expect(lineText(line ?? "")).toBe("aaaaaaaa");
    expect(getFlaws(line)?.original).toBeUndefined();
    expect(getFlaws(line)?.droppedBytes).toBe(6);
  });

  test("[FR7] bytes that are not UTF-8 are replaced, flagged and kept, at every position", () => {
    for (let bad = 0x80; bad <= 0xff; bad++) {
      for (let at = 0; at <= 3; at++) {
        const bytes = Uint8Array.from([0x61, 0x62, 0x63]);
        const line = Uint8Array.from([...bytes.slice(0, at), bad, ...bytes.slice(at)]);
        const [broken, next] = split([Uint8Array.from([...line, 0x0a, 0x6f, 0x6b, 0x0a])]);
        expect(lineText(broken ?? "")).toContain("\ufffd");
        expect(getFlaws(broken)?.original).toEqual(line);
        expect(next).toEqual("ok");
      }
    }
  });

  test("[FR8] lines() reads an async stream to its end", async () => {
    expect(texts((await Array.fromAsync(readLines(inTwoChunks()))).flat())).toEqual([
      "a",
      "bc",
      "d",
    ]);
  });
});
