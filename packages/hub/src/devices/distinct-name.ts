import { nameSkeleton } from "@signalbox/api";

/** As long as a device's name may be. */
const MAX_LENGTH = 100;

/** A name that none of the others has or looks like, so that "answered by …" says which device it was. */
export function makeDistinctName(name: string, others: readonly string[]): string {
  const taken = new Set(others.map(nameSkeleton));
  for (let nth = 1; ; nth++) {
    const ending = nth === 1 ? "" : ` ${nth}`;
    const distinct = name.slice(0, MAX_LENGTH - ending.length) + ending;
    if (!taken.has(nameSkeleton(distinct))) return distinct;
  }
}
