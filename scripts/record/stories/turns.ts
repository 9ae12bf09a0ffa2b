import { dotPicture } from "@signalbox/testing/programs";
import { readFileSync } from "node:fs";
import { allow, bash, oneTurn, type Stories, untilSaid } from "../story.ts";

/** Plain conversation, and what can come between. */
export const turns: Stories = {
  "plain-turn": {
    script: `
== bye
say Goodbye, and come again.
== *
say Hello! What shall we build today?`,
    async play(stage) {
      const talk = await stage.start();
      await talk.turn("Hello there");
      await talk.turn("Nothing today, bye");
    },
  },
  "thinking-and-streaming": oneTurn(
    "How does a signal box work?",
    `
think The question is broad, so I begin with what a signal box is for and then name its parts.
say <<END
## A signal box

It keeps trains apart. Three things work together:

- **levers**, one for each point and each signal,
- an *interlocking*, which holds a lever until it is safe to move,
- the \`block\` bell to the next box.

\`\`\`ts
if (section.isClear()) signal.set("clear");
\`\`\`
END
think Was that enough? A sentence on today's boxes will do.
say Today a screen has taken the place of the levers; the rules are the same.`,
  ),
  image: {
    script: "say I see a single dot.",
    async play(stage) {
      const talk = await stage.start();
      const images = [{ data: readFileSync(dotPicture), name: "dot.png" }];
      await talk.host.prompt({ text: "What is in this picture?", images });
      await talk.result();
    },
  },
  "interrupt-while-streaming": {
    script: `
== go on
say Then let us go on.
== *
say This will be a long answer, and it begins like this:
flood 20 20
stall`,
    async play(stage) {
      const talk = await stage.start();
      await talk.host.prompt({ text: "Tell me everything" });
      await talk.next("stream_event", ({ event }) => JSON.stringify(event).includes("w10"));
      await talk.host.interrupt();
      await talk.result();
      await talk.turn("Never mind, go on");
    },
  },
  steering: {
    script: `
== second
say Then the second folder as well.
== *
say I look at the first folder.
${bash("sleep 2; echo looked", "Look for a while")}
say That was the first folder.`,
    async play(stage) {
      const talk = await stage.start({ allowedTools: ["Bash"] }, { onAsk: allow });
      await talk.host.prompt({ text: "Look at the first folder" });
      await talk.next("assistant", ({ message }) => JSON.stringify(message).includes("tool_use"));
      await Bun.sleep(300);
      await talk.host.prompt({ text: "And look at the second folder" });
      await untilSaid(talk, "Then the second folder");
    },
  },
  compaction: oneTurn(
    "Say before",
    `
usage input=990000 output=1000
${bash("echo before", "Say before")}
say The conversation was summed up on the way here.
usage input=2000 cache_read=18000 cache_creation=500`,
  ),
  "compaction-asked": {
    script: "say There is something to be summed up.",
    async play(stage) {
      const talk = await stage.start();
      await talk.turn("Tell me something");
      await talk.turn("/compact");
      await talk.turn("And after that?");
    },
  },
  "slash-command": {
    script: "say That was a command.",
    async play(stage) {
      stage.write(".claude/commands/greet.md", "Greet $ARGUMENTS kindly.\n");
      const talk = await stage.start();
      for (const command of ["/cost", "/context", "/greet Ada", "/nonsense"]) {
        await talk.turn(command);
      }
    },
  },
};
