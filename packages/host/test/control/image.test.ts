import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { imageProblem, imageSize, MAX_IMAGE_SIDE } from "../../src/control/image.ts";
import { makeGif, makeJpeg, makePng, webps } from "@signalbox/testing/pictures";

const all = [makePng(3, 2), makeJpeg(3, 2), makeJpeg(3, 2, "c2"), makeGif(3, 2), ...webps];

describe("the size of a picture, in pixels (C27)", () => {
  test("is read from its header, for every format", () => {
    for (const picture of all) expect(imageSize(picture)).toEqual({ width: 3, height: 2 });
    const shot = readFileSync(join(import.meta.dir, "../../../../docs/screenshots/phone-dark.png"));
    expect(imageSize(shot)?.width).toBeGreaterThan(300);
  });

  test("is that of the largest frame for a GIF", () => {
    expect(imageSize(makeGif(1, 1, { width: 65_535, height: 4 }))).toEqual({
      width: 65_535,
      height: 4,
    });
  });

  test("is bounded: a few bytes that claim billions of pixels are refused with a sentence", () => {
    const vast = new Uint8Array(webps[2]);
    vast.fill(0xff, 24, 30);
    for (const bomb of [makePng(2 ** 31, 2 ** 31), makeJpeg(65_535, 1), makeGif(1, 65_535), vast]) {
      expect(imageProblem(bomb)).toContain(`the model accepts ${MAX_IMAGE_SIDE} on each side`);
    }
    expect(imageProblem(makePng(MAX_IMAGE_SIDE, MAX_IMAGE_SIDE))).toBeUndefined();
    expect(imageProblem(makePng(MAX_IMAGE_SIDE + 1, 1))).toContain("8001 × 1 pixels");
  });

  test("is unknown for a damaged picture, wherever it is truncated and whatever bytes are changed", () => {
    for (const picture of all) {
      expect(imageProblem(picture.subarray(0, 13))).toContain("damaged");
      const change = fc.tuple(fc.nat(picture.length - 1), fc.nat(255));
      fc.assert(
        fc.property(fc.array(change), fc.nat(picture.length), (changes, length) => {
          const bytes = picture.slice(0, length);
          for (const [at, value] of changes) if (at < length) bytes[at] = value;
          const problem = imageProblem(bytes);
          expect(problem === undefined || problem.length > 10).toBe(true);
        }),
        { numRuns: 300 },
      );
    }
  });
});
