import type { HookCallbackMatcher, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { bash, next, prompt, say } from "../script.ts";
import type { Conversation, Stage, Story } from "../story.ts";

type Options = NonNullable<Parameters<Stage["open"]>[0]>;

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const echoes = { "replay-user-messages": null };
const message = (content: SDKUserMessage["message"]["content"]) =>
  ({ message: { role: "user", content } }) as const;

/** Plays a turn whose end a hook delays until the waiting prompts have arrived. */
async function whileTurnRuns(
  stage: Stage,
  options: Options,
  first: string,
  sendMore: (talk: Conversation) => Promise<void>,
): Promise<Conversation> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const Stop: HookCallbackMatcher[] = [{ hooks: [() => released.then(() => ({}))] }];
  const talk = stage.open({ ...options, hooks: { Stop } });
  talk.say(first);
  await talk.asked("hook_callback", 1);
  await sendMore(talk);
  release();
  await talk.result();
  return talk;
}

/** A command that runs until `go` exists; `begun` shows that it runs. */
const untilGo = bash("touch begun; while [ ! -e go ]; do sleep 0.05; done", "Wait");

/** Prompts that wait while a turn runs, and what happens to them. */
export const queue: Story[] = [
  {
    name: "several prompts wait and become one turn",
    async play(stage) {
      const hello = prompt("Hello", say("Good day."));
      const talk = await whileTurnRuns(stage, {}, hello, async (talk) => {
        for (const word of ["one", "two", "three"]) talk.say(say(word));
        await talk.lifecycle("queued", 4);
      });
      await talk.result();
      await talk.turn(prompt("And again", say("Good day again.")));
    },
  },
  {
    name: "several prompts wait, some without a uuid, and are echoed",
    async play(stage) {
      const hello = prompt("Hello", say("Good day."));
      const talk = await whileTurnRuns(stage, { extraArgs: echoes }, hello, async (talk) => {
        talk.say({ ...message(say("one")), uuid: undefined as never });
        talk.say(say("two"));
        talk.say({ ...message(say("three")), uuid: undefined as never });
        talk.say(say("four"));
        await talk.lifecycle("queued", 3);
      });
      await talk.result();
    },
  },
  {
    name: "a picture, a command and what wants no answer among those that wait",
    async play(stage) {
      const hello = prompt("Hello", say("Good day."));
      const image = { type: "base64", media_type: "image/png", data: PIXEL } as const;
      const talk = await whileTurnRuns(stage, {}, hello, async (talk) => {
        talk.say(say("one"));
        talk.say(message([{ type: "image", source: image }]));
        talk.say(say("two"));
        talk.say("/cost");
        talk.say({ ...message("By the way"), shouldQuery: false });
        talk.say(say("three"));
        await talk.lifecycle("queued", 7);
      });
      for (let more = 0; more < 4; more++) await talk.result();
    },
  },
  {
    name: "a prompt that comes twice while it is worked on",
    async play(stage) {
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const UserPromptSubmit = [{ hooks: [() => released.then(() => ({}))] }];
      const talk = stage.open({ extraArgs: echoes, hooks: { UserPromptSubmit } });
      const hello = message(prompt("Hello", say("Good day.")));
      const uuid = talk.say(hello) as never;
      await talk.asked("hook_callback", 1);
      talk.say({ ...hello, uuid });
      await talk.until((one) => one.type === "user" && "isReplay" in one);
      release();
      await talk.result();
    },
  },
  {
    name: "prompts for later, and for the next boundary between tools",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      talk.say(prompt("Wait", untilGo, next, say("Waited.")));
      await stage.exists("begun");
      talk.say({ ...message(say("later")), priority: "later" });
      talk.say({ ...message(say("next")), priority: "next" });
      talk.say(say("as usual"));
      talk.say({ ...message(say("later still")), priority: "later" });
      await talk.lifecycle("queued", 5);
      stage.write("go", "");
      await talk.result();
      await talk.result();
    },
  },
  {
    name: "a prompt that does not wait, while a tool runs",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      talk.say(
        prompt("Wait", say("I wait."), untilGo, bash("touch late", "Touch"), next, say("-")),
      );
      await stage.exists("begun");
      await talk.said("assistant", 3); // The second call is reported after the first began.
      talk.say(say("some time"));
      await talk.lifecycle("queued", 2);
      talk.say({ ...message(say("at once")), priority: "now" });
      await talk.lifecycle("queued", 3);
      stage.write("go", "");
      for (let more = 0; more < 3; more++) await talk.result();
    },
  },
  {
    name: "a prompt that does not wait, while the model speaks",
    async play(stage) {
      const talk = stage.open({ includePartialMessages: true });
      talk.say(prompt("Speak", say("This is how it begins."), "::stall"));
      await talk.until((one) => one.type === "assistant");
      talk.say({ ...message(say("at once")), priority: "now" });
      await talk.result();
      await talk.result();
    },
  },
  {
    name: "a prompt that does not wait, while the host is asked",
    async play(stage) {
      const talk = stage.open({
        includePartialMessages: true,
        canUseTool: (_tool, _input, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("withdrawn")));
          }),
      });
      talk.say(prompt("Touch it", bash("touch made", "Touch"), next, say("Touched.")));
      await talk.asked("can_use_tool", 1);
      await talk.answered();
      talk.say({ ...message(say("at once")), priority: "now" });
      await talk.result();
      await talk.result();
    },
  },
  {
    name: "an interrupt while several prompts wait",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      talk.say(prompt("Wait", bash("touch begun; sleep 60", "Sleep"), next, say("Slept.")));
      await stage.exists("begun");
      talk.say(say("one"));
      talk.say({ ...message(say("later")), priority: "later" });
      talk.say(say("two"));
      await talk.lifecycle("queued", 4);
      stage.note("interrupt", await talk.query.interrupt());
      for (let more = 0; more < 3; more++) await talk.result();
    },
  },
  {
    name: "several prompts wait when the most turns are reached",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"], maxTurns: 1 });
      talk.say(prompt("Wait", untilGo, next, say("Waited.")));
      await stage.exists("begun");
      talk.say(say("one"));
      talk.say(say("two"));
      await talk.lifecycle("queued", 3);
      stage.write("go", "");
      await talk.result();
      await talk.result();
    },
  },
  {
    name: "prompts that say nothing",
    async play(stage) {
      const talk = stage.open();
      await talk.turn(prompt("Hello", say("Good day.")));
      await talk.turn("  \n");
      const image = { type: "base64", media_type: "image/png", data: "" } as const;
      const result = { type: "tool_result", tool_use_id: "nobody's", content: "nothing" } as const;
      for (const content of [
        [{ type: "text", text: "" } as const],
        [result],
        [{ type: "text", text: "Look" } as const, { type: "image", source: image } as const],
      ]) {
        talk.say(message(content));
        await talk.result();
      }
    },
  },
  {
    name: "two tasks end while a turn runs",
    async play(stage) {
      const inBackground = (word: string) =>
        bash(`while [ ! -e go-${word} ]; do sleep 0.05; done; echo ${word}`, word, {
          run_in_background: true,
        });
      const first = prompt(
        "Two",
        inBackground("one"),
        next,
        inBackground("two"),
        next,
        say("Begun."),
      );
      const talk = await whileTurnRuns(stage, { allowedTools: ["Bash"] }, first, async (talk) => {
        for (const word of ["one", "two"]) {
          stage.write(`go-${word}`, "");
          await talk.until((one) => "subtype" in one && one.subtype === "task_notification");
        }
      });
      await talk.result();
      await talk.result();
    },
  },
];
