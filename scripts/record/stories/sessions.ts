import type { Launch } from "@signalbox/host";
import { bash, type Stories, type Story } from "../story.ts";

const nowhere = "00000000-0000-4000-8000-000000000000";
const script = `
== forget
say I will forget that.
== remember
say I remember: your name is Ada.
== *
say Nice to meet you, Ada.`;

/** Two runs: the second takes up what `taken` says of the first. */
function takenUp(taken: (id: string, at: string) => NonNullable<Launch["resume"]>): Story {
  const play: Story["play"] = async (stage) => {
    const first = await stage.start();
    const { session_id: id = "" } = await first.turn("My name is Ada");
    const at = first.all("assistant").at(-1)?.uuid ?? "";
    await first.turn("Say something to forget");
    await stage.finish();
    const resume = taken(id, at);
    const options = [
      `--resume ${resume.id}`,
      resume.at === undefined ? [] : `--resume-session-at ${resume.at}`,
      resume.fork === true ? "--fork-session" : [],
    ];
    stage.note(`new run: ${options.flat().join(" ")}`);
    const second = await stage.start({ resume });
    await second.turn("Do you remember me?");
  };
  return { script, play };
}

/** Conversations that are taken up again, and runs that end badly. */
export const sessions: Stories = {
  resume: takenUp((id) => ({ id })),
  fork: takenUp((id) => ({ id, fork: true })),
  "resume-cut": takenUp((id, at) => ({ id, at })),
  "missing-session": {
    script,
    async play(stage) {
      stage.note(`new run: --resume ${nowhere}`);
      try {
        const talk = await stage.start({ resume: { id: nowhere } });
        await talk.host.prompt({ text: "Do you remember me?" });
        await talk.closed();
      } catch {
        // It may leave before it has answered; what it said is recorded.
      }
    },
  },
  killed: {
    script: "flood 400 20",
    async play(stage) {
      const talk = await stage.start();
      await talk.host.prompt({ text: "Tell me a story" });
      await talk.next("stream_event", ({ event }) => JSON.stringify(event).includes("w20"));
      process.kill(talk.host.run.pid ?? 0, "SIGKILL");
      await talk.closed();
      stage.note("killed: SIGKILL in the middle of a message");
    },
  },
  "killed-and-resumed": {
    script: `
== still
say I am back.
== *
${bash("echo asleep; sleep 30", "Sleep")}
say Never said.`,
    async play(stage) {
      const talk = await stage.start({ allowedTools: ["Bash"] });
      await talk.host.prompt({ text: "Sleep a while" });
      await talk.next("assistant", ({ message }) => JSON.stringify(message).includes("tool_use"));
      await Bun.sleep(500);
      const id = talk.system("init")[0]?.session_id ?? "";
      process.kill(talk.host.run.pid ?? 0, "SIGKILL");
      await talk.closed();
      stage.note("killed: SIGKILL while a tool ran");
      stage.note(`new run: --resume ${id}`);
      await (await stage.start({ resume: { id } })).turn("Are you still there?");
    },
  },
};
