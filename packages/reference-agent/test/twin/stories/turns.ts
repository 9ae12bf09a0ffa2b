import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The parts of a turn, and how turns follow each other. */
export const turns: Story[] = [
  {
    name: "two plain turns",
    async play(stage) {
      const talk = stage.open();
      await talk.turn(prompt("Hello", say("Good day.")));
      await talk.turn(prompt("And again", say("Good day again.")));
    },
  },
  {
    name: "thinking and partial messages",
    async play(stage) {
      const talk = stage.open({ includePartialMessages: true });
      await talk.turn(prompt("Hello", "::think They greet me.", say("Good day to you.")));
    },
  },
  {
    name: "characters that some readers take for the end of a line",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      const odd = "one\u2028two\u2029three\u0085four";
      await talk.turn(prompt(odd, bash(`touch '${odd}'`, odd), next, say(odd)));
    },
  },
  {
    name: "one prompt as text, with its echo",
    async play(stage) {
      const talk = stage.open({ extraArgs: { "replay-user-messages": null } });
      await talk.turn(prompt("Hello", say("Good day.")));
    },
  },
  {
    name: "an image",
    script: "say One pixel.",
    async play(stage) {
      const talk = stage.open();
      const image = { type: "base64", media_type: "image/png", data: PIXEL } as const;
      talk.say({
        message: {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", source: image },
          ],
        },
      });
      await talk.result();
    },
  },
  {
    name: "a prompt with a uuid that was here before",
    async play(stage) {
      const talk = stage.open({ extraArgs: { "replay-user-messages": null } });
      const message = { role: "user", content: prompt("Hello", say("Good day.")) } as const;
      const uuid = talk.say({ message });
      await talk.result();
      talk.say({ message, uuid: uuid as never });
      await talk.until((one) => one.type === "user" && "isReplay" in one);
      await talk.turn(prompt("And now another", say("Another it is.")));
    },
  },
  {
    name: "a second prompt while a tool runs",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const first = prompt(
        "Look",
        say("I look."),
        bash("while [ ! -e go ]; do sleep 0.05; done", "Wait"),
        say("Seen."),
      );
      talk.say(first);
      await talk.until((one) => isCall(one));
      talk.say(prompt("And over there", say("There as well.")));
      await talk.lifecycle("queued", 2);
      stage.write("go", "");
      await talk.result();
    },
  },
  {
    name: "a second prompt while the model speaks",
    async play(stage) {
      const talk = stage.open({ includePartialMessages: true });
      talk.say(prompt("Speak", "::flood 150 30", say("That was it.")));
      await talk.until(
        (one) => one.type === "stream_event" && one.event.type === "content_block_delta",
      );
      talk.say(prompt("Something else", say("Something else.")));
      await talk.lifecycle("queued", 2);
      await talk.result();
      await talk.result();
    },
  },
  {
    name: "an interrupt while the model speaks",
    async play(stage) {
      const talk = stage.open({ includePartialMessages: true });
      talk.say(prompt("Speak", say("This is how it begins."), "::stall"));
      await talk.until((one) => one.type === "assistant");
      stage.note("interrupt", await talk.query.interrupt());
      await talk.result();
      await talk.turn(prompt("Are you there?", say("I am.")));
    },
  },
  {
    name: "an interrupt while a tool runs",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow, includePartialMessages: true });
      talk.say(prompt("Wait", bash("touch begun; sleep 60", "Sleep"), say("Slept.")));
      await stage.exists("begun");
      await talk.answered();
      stage.note("interrupt", await talk.query.interrupt());
      await talk.result();
      await talk.turn(prompt("Are you there?", say("I am.")));
    },
  },
  {
    name: "an abort by the host",
    async play(stage) {
      const abortController = new AbortController();
      const talk = stage.open({ abortController });
      talk.say(prompt("Speak", say("This is how it begins."), "::stall"));
      await talk.until((one) => one.type === "assistant");
      abortController.abort();
      await talk.end();
    },
  },
  {
    name: "max turns",
    async play(stage) {
      const talk = stage.open({ maxTurns: 1, canUseTool: allow });
      await talk.turn(prompt("Look", bash("echo one", "Say one"), say("Done.")));
    },
  },
  {
    name: "a budget that is spent by words",
    async play(stage) {
      const talk = stage.open({ maxBudgetUsd: 0.0001 });
      await talk.turn(prompt("Hello", say("Good day.")));
    },
  },
  {
    name: "a budget that is spent",
    async play(stage) {
      const talk = stage.open({ maxBudgetUsd: 0.0001, canUseTool: allow });
      await talk.turn(prompt("Look", bash("echo one", "Say one"), say("Done.")));
    },
  },
  {
    name: "a budget that is spent when a file is read, or read and changed",
    files: { "a.txt": "one\n" },
    async play(stage) {
      const look = tool("Read", { file_path: "a.txt" });
      for (const calls of [[look], [look, bash("touch b", "Make b")]]) {
        const talk = stage.open({ maxBudgetUsd: 0.0001, canUseTool: allow });
        await talk.turn(prompt("Look", ...calls, say("Done.")));
        await talk.end();
      }
    },
  },
  {
    name: "max tokens, and the model goes on",
    async play(stage) {
      const talk = stage.open();
      await talk.turn(
        prompt(
          "Tell me",
          say("The first half,"),
          "::stop max_tokens",
          next,
          say("and the second."),
        ),
      );
    },
  },
  {
    name: "answers that never come to their end, and thoughts alone",
    async play(stage) {
      const cut = "::stop max_tokens";
      const talk = stage.open({
        canUseTool: allow,
        hooks: { StopFailure: [{ hooks: [() => Promise.resolve({})] }] },
      });
      const parts = ["One,", "two,", "three,"].flatMap((part) => [say(part), cut, next]);
      await talk.turn(
        prompt("Count", ...parts, bash("touch four", "Four"), next, ...parts, say("five")),
      );
      await talk.turn(prompt("Count on", ...parts, say("six,"), cut, next, say("seven")));
      await talk.turn(prompt("Think", "::think Well", cut, next, say("It is so")));
      const sent = errand("general-purpose", "Think of it", "::think Well", cut);
      await talk.turn(prompt("Let think", tool("Task", sent), next, say("Nothing")));
      await talk.turn(prompt("Enough", say("Very well")));
    },
  },
  {
    name: "an error of the API",
    async play(stage) {
      const talk = stage.open();
      await talk.turn(
        prompt("Hello", "::error 403 permission_error This key may not use this model"),
      );
    },
  },
  {
    name: "an overloaded API is asked again",
    async play(stage) {
      const talk = stage.open();
      await talk.turn(prompt("Hello", "::overload x1", say("Now I can.")));
    },
  },
];

function isCall(message: { type: string }): boolean {
  if (message.type !== "assistant") return false;
  const { content } = (message as unknown as { message: { content: { type: string }[] } }).message;
  return content.some((block) => block.type === "tool_use");
}
