import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import type { Conversation, Stage, Story } from "../story.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: PIXEL },
} as const;
const echoes = { extraArgs: { "replay-user-messages": null } };
const message = (content: SDKUserMessage["message"]["content"]) =>
  ({ message: { role: "user", content } }) as const;
const words = (text: string) => ({ type: "text", text }) as const;

/**
 * A command that runs until `go-N` exists; `begun-N` shows that it runs, and `ended-N` that it was
 * not interrupted.
 */
const untilGo = (nth: number) =>
  bash(
    `touch begun-${nth}; while [ ! -e go-${nth} ]; do sleep 0.05; done; touch ended-${nth}`,
    "Wait",
  );

/** Sends something while a command runs, which joins the turn when the command has ended. */
async function joins(
  stage: Stage,
  talk: Conversation,
  nth: number,
  sends: readonly Partial<SDKUserMessage>[],
): Promise<void> {
  const queued = talk.messages.filter(isQueued).length;
  talk.say(prompt("Wait", untilGo(nth), next, say("Waited.")));
  await stage.exists(`begun-${nth}`);
  for (const one of sends) talk.say(one);
  await talk.lifecycle("queued", queued + 1 + sends.filter(({ uuid }) => uuid !== null).length);
  stage.write(`go-${nth}`, "");
  await talk.result();
}

const isQueued = (one: object): boolean => "state" in one && one.state === "queued";

/** Prompts that join a turn or end it early. */
export const steering: Story[] = [
  {
    name: "prompts of every shape join a turn, and are echoed",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"], ...echoes });
      const [one, two] = [message(say("one")), message([words(say("two"))])];
      await joins(stage, talk, 1, [one, two]);
      await joins(stage, talk, 2, [two, one]);
      await joins(stage, talk, 3, [message([words("A"), words("B")]), two]);
      await joins(stage, talk, 4, [message("look"), message([words("at it"), image]), one]);
      await joins(stage, talk, 5, [message("  "), one]);
    },
  },
  {
    name: "prompts with an empty name, and of other senders",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"], ...echoes });
      const hello = message(prompt("Hello", say("Good day.")));
      for (const more of [
        { uuid: "" as never },
        { uuid: "" as never },
        { uuid: "no-uuid" as never },
        { isSynthetic: true },
        { origin: { kind: "human" } as const },
      ]) {
        talk.say({ ...hello, ...more });
        await talk.result();
      }
      const joining = message(say("Waited."));
      await joins(stage, talk, 1, [{ ...joining, uuid: "" as never }]);
      await joins(stage, talk, 2, [{ ...joining, isSynthetic: true }]);
      await joins(stage, talk, 3, [{ ...joining, origin: { kind: "human" } }]);
    },
  },
  {
    name: "an interrupt after a prompt that does not wait",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const sent = tool(
        "Task",
        errand("general-purpose", "Wait", untilGo(2), next, say("Waited.")),
      );
      for (const [at, [call, results]] of (
        [
          [untilGo(1), 3],
          [sent, 3],
        ] as const
      ).entries()) {
        const nth = at + 1;
        talk.say(prompt("Wait", call, next, say("-")));
        await stage.exists(`begun-${nth}`);
        await talk.said("assistant", nth === 1 ? 1 : 5);
        talk.say(say("some time"));
        talk.say({ ...message(say("at once")), priority: "now" });
        await talk.lifecycle("queued", 3 * nth);
        for (const which of ["first", "second"]) {
          stage.note(which, (await talk.query.interrupt()) !== undefined);
        }
        stage.write(`go-${nth}`, "");
        for (let more = 0; more < results; more++) await talk.result();
      }
    },
  },
  {
    name: "the folder that a turn begins in",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      await talk.turn(prompt("Go", bash("mkdir sub; cd sub", "Go in"), next, say("Gone.")));
      await talk.turn("/cost");
      await talk.turn(prompt("Go", bash("cd ..", "Go out"), next, say("Gone.")));
      await talk.turn(prompt("Hello", say("Good day.")));
    },
  },
];
