import type { Figure } from "./hub/rig.ts";

/**
 * Measures the figures that the command line names, or all: prints one JSON object a figure, and exits 1
 * when a bar is missed.
 */
export async function runFigures(
  benchmark: string,
  figures: Readonly<Record<string, () => Promise<Figure[]>>>,
): Promise<never> {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !Object.hasOwn(figures, name));
  if (unknown.length > 0) {
    const known = Object.keys(figures).join(", ");
    console.error(`There is no figure ${unknown.join(", ")}. There is: ${known}.`);
    process.exit(2);
  }
  let passed = true;
  for (const [name, measure] of Object.entries(figures)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    for (const figure of await measure()) {
      console.log(JSON.stringify(figure));
      passed &&= figure.passed;
    }
  }
  console.log(JSON.stringify({ benchmark, runtime: `bun ${Bun.version}`, passed }));
  process.exit(passed ? 0 : 1);
}
