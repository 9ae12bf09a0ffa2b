import { nameSkeleton } from "@signalbox/api/schemas";

/** The longest name that a device may have. */
const MAX_LENGTH = 100;

/**
 * A name that is not equal or similar to any of the others, so that "answered by …" identifies the device.
 */
export function makeDistinctName(name: string, others: readonly string[]): string {
  const taken = new Set(others.map(nameSkeleton));
  for (let nth = 1; ; nth++) {
    const ending = nth === 1 ? "" : ` ${nth}`;
    const distinct = name.slice(0, MAX_LENGTH - ending.length) + ending;
    if (!taken.has(nameSkeleton(distinct))) return distinct;
  }
}
