import { describe, expect, test } from "bun:test";
import { readResultError } from "@signalbox/protocol";
import { toRunEnd } from "@signalbox/host/launch";
import { markedProcesses } from "../../src/drivers/stdio/process-tree.ts";
import { openStage } from "@signalbox/testing/agent-stage";
import { everyVersion, furtherTest } from "@signalbox/testing/agent-versions";
import { until } from "@signalbox/testing/until";

const PATIENCE = 180_000;
const nowhere = "00000000-0000-4000-8000-000000000000";

describe.each(everyVersion)("sessions of Claude Code %s", (version) => {
  const further = furtherTest(version);

  test(
    "resume goes on under the same id with the whole history",
    async () => {
      await using stage = await openStage();
      const first = await stage.start(version);
      const before = await first.turn("::say My name is Ada.");
      await first.host.stop();
      const id = before.session_id ?? "";
      const second = await stage.start(version, { resume: { id } });
      const after = await second.turn("::say I remember.");
      expect(after.session_id).toBe(id);
      expect(JSON.stringify(stage.model.requests.at(-1))).toContain("My name is Ada.");
    },
    PATIENCE,
  );

  further(
    "fork goes on under a new id, and the old one stays as it was",
    async () => {
      await using stage = await openStage();
      const first = await stage.start(version);
      const id = (await first.turn("::say My name is Ada.")).session_id ?? "";
      await first.host.stop();
      const fork = await stage.start(version, { resume: { id, fork: true } });
      const forked = await fork.turn("::say Said in the fork.");
      expect(forked.session_id).not.toBe(id);
      expect(JSON.stringify(stage.model.requests.at(-1))).toContain("My name is Ada.");
      const original = await stage.start(version, { resume: { id } });
      await original.turn("::say Back in the original.");
      expect(JSON.stringify(stage.model.requests.at(-1))).not.toContain("Said in the fork.");
    },
    PATIENCE,
  );

  further(
    "resume at a message cuts what came after it",
    async () => {
      await using stage = await openStage();
      const first = await stage.start(version);
      const id = (await first.turn("::say Keep this.")).session_id ?? "";
      const kept = first.all("assistant").at(-1)?.uuid ?? "";
      await first.turn("::say Forget that.");
      await first.host.stop();
      const cut = await stage.start(version, { resume: { id, at: kept } });
      await cut.turn("::say Going on.");
      const sent = JSON.stringify(stage.model.requests.at(-1));
      expect(sent).toContain("Keep this.");
      expect(sent).not.toContain("Forget that.");
    },
    PATIENCE,
  );

  further(
    "continue takes up the newest conversation of the folder",
    async () => {
      await using stage = await openStage();
      const first = await stage.start(version);
      const id = (await first.turn("::say My name is Ada.")).session_id;
      await first.host.stop();
      const second = await stage.start(version, { continue: true });
      expect((await second.turn("::say ok")).session_id).toBe(id ?? "");
    },
    PATIENCE,
  );

  further(
    "a session that is not there ends as resume-failed and says which",
    async () => {
      await using stage = await openStage();
      const start = async () => {
        const talk = await stage.start(version, { resume: { id: nowhere } });
        await talk.host.prompt({ text: "::say hello" });
        return talk.closed();
      };
      const end = await start().catch((failure: unknown) => toRunEnd(failure));
      expect(end?.kind).toBe("resume-failed");
      expect(end?.sentence).toContain(nowhere);
      expect(end?.sentence).toContain("No conversation found");
    },
    PATIENCE,
  );

  test(
    "kill -9 in the middle of a turn ends as crashed with the signal, and resume goes on",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version);
      const id = (await talk.turn("::say Before the crash.")).session_id ?? "";
      await talk.host.prompt({ text: "::say Half a\n::stall" });
      await talk.next("stream_event");
      process.kill(talk.host.run.pid ?? 0, "SIGKILL");
      const end = await talk.closed();
      expect(end).toMatchObject({ kind: "crashed", signal: "SIGKILL", code: null });
      expect(end.sentence).toContain("SIGKILL");
      const again = await stage.start(version, { resume: { id } });
      expect((await again.turn("::say I am back.")).result).toBe("I am back.");
    },
    PATIENCE,
  );

  test(
    "a stop in the middle of a shell command leaves no process behind",
    async () => {
      await using stage = await openStage();
      const marker = crypto.randomUUID();
      const environment = { ...stage.environment, TEST_MARKER: marker };
      const launch = { environment, allowedTools: ["Bash"] };
      const talk = await stage.start(version, launch);
      const command = "touch running; sleep 1000";
      await talk.host.prompt({ text: `::tool Bash ${JSON.stringify({ command })}\n::say never` });
      await until(() => stage.has("running"));
      expect(markedProcesses(`TEST_MARKER=${marker}`).length).toBeGreaterThan(1);
      await talk.host.stop();
      expect(markedProcesses(`TEST_MARKER=${marker}`)).toEqual([]);
    },
    PATIENCE,
  );

  further(
    "a long prompt arrives whole",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version);
      // 5 MB: what is printed back beyond 8 MiB is kept and not read.
      const text = `::say got it\n${"0123456789abcdef".repeat(327_680)}end`;
      await talk.host.prompt({ text });
      const replay = await talk.next("user", (user) => user.isReplay === true);
      expect(replay.message.content === text).toBe(true);
    },
    PATIENCE,
  );

  further(
    "without a login the end says so",
    async () => {
      await using stage = await openStage();
      const { ANTHROPIC_API_KEY: _, ...environment } = stage.environment;
      const talk = await stage.start(version, { environment });
      const result = await talk.turn("hello");
      expect(readResultError(result)).toContain("/login");
      process.kill(talk.host.run.pid ?? 0, "SIGTERM");
      expect(await talk.closed()).toMatchObject({ kind: "not-logged-in" });
    },
    PATIENCE,
  );
});
