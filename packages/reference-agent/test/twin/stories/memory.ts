import { bash, next, prompt, say, tool } from "../script.ts";
import type { Story } from "../story.ts";

/** Lets the model say which of the words it sees. Brackets keep a pattern from matching itself. */
const seen = (...words: string[]): string =>
  say(words.map((word) => `{{seen mark-[${word[0]}]${word.slice(1)}}}`).join(" "));
/** Lets the model say whether the words come in this order in one message. */
const seenInOrder = (...words: string[]): string => {
  const [first = "", ...rest] = words.map((word) => `mark-[${word[0]}]${word.slice(1)}`);
  return say(`In order: {{seen ${first}(?=[^]*${rest.join("[^]*")})}}`);
};

/** Memory files. */
export const memoryStories: readonly Story[] = [
  {
    name: "what people wrote for the agent, and what it meets on its way",
    files: {
      "home/.claude/CLAUDE.md": "mark-user @~/notes.md\n",
      "home/notes.md": "mark-notes\n",
      "home/.claude/rules/own.md": "mark-own\n",
      "CLAUDE.md": "mark-project @docs/a.md `@docs/code.md` @../out.md\n<!-- mark-comment -->\n",
      "docs/a.md": "mark-first @b.md\n",
      "docs/b.md": "mark-second @a.md\n",
      "docs/code.md": "mark-code\n",
      ".claude/CLAUDE.md": "mark-dot\n",
      ".claude/rules/all.md": "mark-rule\n",
      ".claude/rules/some.md": "---\npaths: src/**/*.ts\n---\nmark-typed\n",
      "CLAUDE.local.md": "mark-local\n",
      "sub/CLAUDE.md": "mark-below\n",
      "sub/x.txt": "x\n",
      "other/CLAUDE.md": "mark-shown\n",
      "other/x.txt": "x\n",
      "src/x.ts": "x\n",
      ".claude/output-styles/verse.md":
        "---\nname: Verse\ndescription: Rhymes\n---\nSpeak in verse.\n",
      ".claude/settings.json": JSON.stringify({ outputStyle: "Verse" }),
    },
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Read", "Bash"] });
      const all = "user notes own project first second dot rule local".split(" ");
      await talk.turn(prompt("Whose words are there?", seenInOrder(...all)));
      await talk.turn(prompt("And what else?", seen("comment", "code", "typed", "below")));
      await talk.turn(
        prompt(
          "Look around",
          tool("Read", { file_path: `${stage.folder}/sub/x.txt` }),
          next,
          tool("Read", { file_path: `${stage.folder}/src/x.ts` }),
          next,
          bash("cat other/x.txt", "Look"),
          next,
          seen("below", "typed", "shown"),
        ),
      );
      stage.note("styles", (await talk.query.initializationResult()).available_output_styles);
    },
  },
];
