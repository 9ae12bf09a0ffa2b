import { expect, test } from "bun:test";
import { SizeHolder } from "../../src/terminal/size-holder.ts";
import { fitGrid, scaleToFit } from "../../src/terminal/terminal-size.ts";

test("[TM22] a terminal gets as many whole cells as fit, within the limits of the machine", () => {
  const cell = { width: 8, height: 16 };
  expect(fitGrid({ width: 807, height: 415 }, cell)).toEqual({ cols: 100, rows: 25 });
  expect(fitGrid({ width: 10, height: 10 }, cell)).toEqual({ cols: 20, rows: 5 });
  expect(fitGrid({ width: 1e6, height: 1e6 }, cell)).toEqual({ cols: 500, rows: 300 });
  expect(fitGrid({ width: 0, height: 400 }, cell)).toBeUndefined();
  expect(fitGrid({ width: 800, height: 400 }, { width: 0, height: 0 })).toBeUndefined();
});

test("[TM22] a terminal of another page's size is scaled down, never up", () => {
  expect(scaleToFit({ width: 400, height: 400 }, { width: 800, height: 400 })).toBe(0.5);
  expect(scaleToFit({ width: 800, height: 300 }, { width: 400, height: 400 })).toBe(0.75);
  expect(scaleToFit({ width: 100, height: 400 }, { width: 800, height: 400 })).toBe(0.5); // then it scrolls
  expect(scaleToFit({ width: 900, height: 900 }, { width: 400, height: 400 })).toBe(1);
});

test("[TM22] a page decides the size from its first key until another page sets one", () => {
  const holder = new SizeHolder();
  const [small, middle, wide] = [
    { cols: 80, rows: 24 },
    { cols: 100, rows: 30 },
    { cols: 140, rows: 40 },
  ];
  expect(holder.isHolding).toBe(false);
  expect(holder.request(middle, small)).toBe(true);
  expect(holder.request(middle, small)).toBe(false);
  expect(holder.request(wide, small)).toBe(true);
  holder.changed(middle); // its own first request comes back after the second was made
  expect(holder.isHolding).toBe(true);
  holder.changed(wide);
  expect(holder.isHolding).toBe(true);
  holder.changed(small); // from another page
  expect(holder.isHolding).toBe(false);
  expect(holder.request(wide, small)).toBe(true);
});
