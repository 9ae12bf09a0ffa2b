import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const axe = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[];
}
interface Look {
  /** Only in here: the rest of the page has been looked at. */
  readonly within?: string;
  /** Only at colours: another scheme changes nothing else. */
  readonly colors?: boolean;
}

/** What axe finds serious or critical on a page, in a line each. */
export async function serious(page: Page, { within, colors }: Look = {}): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  await page.evaluate(finishTransitions);
  const options = {
    resultTypes: ["violations"],
    ...(colors === true && { runOnly: ["color-contrast"] }),
  };
  const looked = `axe.run(${JSON.stringify(within ?? "html")}, ${JSON.stringify(options)})`;
  const { violations } = (await page.evaluate(looked)) as { violations: Finding[] };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} ${JSON.stringify(target)} ${failureSummary}`,
      ),
    );
}

/** Waits until colors and positions have stopped changing. A lamp that pulses never stops. */
async function finishTransitions(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  const ends = (animation: Animation) =>
    Number.isFinite(animation.effect?.getComputedTiming().endTime ?? 0);
  const ending = document.getAnimations().filter(ends);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
