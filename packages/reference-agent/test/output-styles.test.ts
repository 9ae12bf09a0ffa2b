import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readDefinitions } from "../src/commands/definitions.ts";
import { describe } from "../src/describe.ts";
import { getPreface, subagentPrompt, systemPrompt } from "../src/turn/system-prompt.ts";
import { openToolStage } from "./tool-stage.ts";

const files = {
  "home/.claude/output-styles/verse.md": "---\nname: Verse\n---\nThe user's verse.",
  "home/.claude/output-styles/sub/plain.md": "Plain words.",
  "work/.claude/output-styles/verse.md":
    "---\nname: Verse\ndescription: Rhymes\n---\nThe project's verse.",
};

const counter = { type: "counter", description: "Counts", prompt: "You count." };

async function told(outputStyle: string | undefined, args: readonly string[] = []) {
  const settings = outputStyle === undefined ? [] : ["--settings", JSON.stringify({ outputStyle })];
  using stage = openToolStage({ args: [...settings, ...args] });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(stage.place, name)), { recursive: true });
    writeFileSync(join(stage.place, name), text);
  }
  await readDefinitions(stage.session);
  const { initialize, init } = describe(stage.session);
  const fields = typeof init === "function" ? await init() : init;
  return {
    prompt: systemPrompt(await getPreface(stage.session)).join("\n"),
    subagent: (await subagentPrompt(stage.session, counter)).join("\n"),
    style: initialize?.["output_style"],
    shown: fields?.["output_style"],
    known: initialize?.["available_output_styles"],
  };
}

test("[RA64] a project's style is added to the host's prompt, and not for subagents", async () => {
  const { prompt, subagent, style, shown, known } = await told("Verse", [
    "--system-prompt",
    "You sing.",
  ]);
  expect(prompt).toContain("You sing.");
  expect(prompt).toContain("The project's verse.");
  expect(subagent).not.toContain("verse");
  expect([style, shown]).toEqual(["Verse", "Verse"]);
  const own = ["plain", "Verse"];
  expect(known).toEqual(["default", "Proactive", "Concise", "Explanatory", "Learning", ...own]);
});

test("[RA64] a style can be a file's name, built in, unknown, or none", async () => {
  expect((await told("plain")).prompt).toContain("Plain words.");
  expect((await told("Explanatory")).prompt).toContain("★ Insight");
  const [unknown, none] = [await told("verse"), await told(undefined)];
  expect(unknown).toMatchObject({ style: "verse", shown: "verse" });
  expect(unknown.prompt).not.toContain("Output style");
  expect(none).toMatchObject({ style: "default", shown: "default" });
});
