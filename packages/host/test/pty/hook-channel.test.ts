import { expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { Isolation } from "@signalbox/host/isolation";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { HookChannel } from "../../src/drivers/pty/hook-channel.ts";

setDefaultTimeout(180_000);

test.if(bubblewrapMissing === undefined)(
  "[PT6] no command of an isolated agent takes the place of the runner's socket",
  async () => {
    using folder = tempFolder();
    using channel = await HookChannel.open(async ({ word }) => ({ answer: word }));
    const own = { PATH: process.env["PATH"] ?? "" };
    const { work } = channel;
    const plan = await new Isolation({ hide: [] }).plan({ folder: folder.path }, "/", own, work);
    const socket = `${work.inside}/hook.sock`;
    const attack = `rm -f ${socket}; mv ${socket} ${socket}.x; touch ${work.inside}/other; mv ${work.inside} /dev/moved`;
    const script = `${attack}; echo '{"word":"from the runner"}' | ${channel.command(true, true)}`;
    const wrapped = plan.wrap({ command: "/bin/sh", args: ["-c", script], env: own });
    const { command, args, env } = wrapped;
    const agent = spawn(command, [...args], { env, stdio: ["ignore", "pipe", "ignore"] });
    expect(await text(agent.stdout)).toBe('{"answer":"from the runner"}\n');
    expect(readdirSync(channel.folder)).toEqual(["hook.sock"]);
  },
);
