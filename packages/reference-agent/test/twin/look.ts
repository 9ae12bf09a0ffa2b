// Plays stories with both programs and prints their differences: `bun look.ts [part of a name]`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { bundledAgent } from "@signalbox/host/agents";
import { isAllowed } from "./allowed.ts";
import { differences } from "./differences.ts";
import { normalize } from "./normalize.ts";
import { playStory, type Recording } from "./play.ts";
import { stories } from "./stories/index.ts";

const real = { name: "real", path: bundledAgent() ?? "" };
const ours = {
  name: "ours",
  path: new URL("../../bin/signalbox-agent.mjs", import.meta.url).pathname,
};
const cache = process.env["TWIN_CACHE"] ?? ""; // This folder stores what the real program sent.
const wanted = process.argv.slice(2);
const width = Number(process.env["WIDTH"] ?? 300);
for (const story of stories.filter(({ name }) => wanted.every((part) => name.includes(part)))) {
  console.log(`\n=== ${story.name}`);
  const [a, b] = await Promise.all(
    [real, ours].map(async (program) => {
      if (process.env["ONLY"] && process.env["ONLY"] !== program.name) return undefined;
      const kept = `${cache}/${program.name}-${story.name.replaceAll(/\W+/g, "-")}.json`;
      if (cache !== "" && program === real && existsSync(kept)) {
        return normalize(JSON.parse(readFileSync(kept, "utf8")) as Recording);
      }
      const recording = await playStory(story, program).catch((failure: unknown) => {
        console.log(`${program.name} failed: ${String(failure)}`);
        return undefined;
      });
      if (recording && cache !== "") writeFileSync(kept, JSON.stringify(recording));
      return recording && normalize(recording);
    }),
  );
  if (process.env["SHOW"]) {
    const shown = process.env["SHOW"] as keyof NonNullable<typeof a>;
    for (const one of [a, b]) {
      if (!one) continue;
      console.log("---");
      const rows = one[shown];
      for (const row of Array.isArray(rows) ? rows : [rows])
        console.log(JSON.stringify(row).slice(0, width));
    }
  }
  if (!a || !b) continue;
  for (const difference of differences(a, b).filter((one) => !isAllowed(one))) {
    console.log(difference.path);
    console.log(`   real ${JSON.stringify(difference.real)?.slice(0, width)}`);
    console.log(`   ours ${JSON.stringify(difference.ours)?.slice(0, width)}`);
  }
}
