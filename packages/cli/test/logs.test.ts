import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStage } from "@signalbox/testing/cli-stage";
import { serve } from "@signalbox/testing/held-hub";
import { until } from "@signalbox/testing/until";
import { formatLogLine } from "../src/commands/logs.ts";
import { followLines, readLastLines } from "../src/hub/log-reader.ts";
import { createStyle } from "../src/terminal/style.ts";

setDefaultTimeout(180_000);

const plain = createStyle({}, {});

describe("reading a log file", () => {
  test("the last lines come from the end, however long the lines are", () => {
    const path = join(mkdtempSync(join(tmpdir(), "signalbox-log-")), "log");
    const lines = Array.from({ length: 300 }, (_, at) => `${at} ${"ä".repeat(at * 7)}`);
    writeFileSync(path, `${lines.join("\n")}\nunfinished`);
    expect(readLastLines(path, 1).lines).toEqual(lines.slice(-1));
    expect(readLastLines(path, 250).lines).toEqual(lines.slice(-250));
    expect(readLastLines(path, 1000).lines).toEqual(lines);
    rmSync(path);
    expect(readLastLines(path, 5)).toEqual({ lines: [], end: 0 });
  });

  test("what is added is followed, also after the file was rotated", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "signalbox-log-")), "log");
    writeFileSync(path, "one\n");
    const stop = new AbortController();
    const followed = followLines(path, 4, stop.signal);
    appendFileSync(path, "two\nthr");
    expect((await followed.next()).value).toBe("two");
    appendFileSync(path, "ee\n");
    expect((await followed.next()).value).toBe("three");
    renameSync(path, `${path}.1`);
    writeFileSync(path, "four\n");
    expect((await followed.next()).value).toBe("four");
    stop.abort();
    expect((await followed.next()).done).toBe(true);
  });
});

test("a line is printed with its time, its facts and no control characters", () => {
  const line =
    '{"at":"2026-01-02T03:04:05.000Z","level":"info","what":"started","url":"http://x\\u001b[2J"}';
  expect(formatLogLine(line, plain)).toMatch(/^\S.* {2}started {2}url=http:\/\/x␛\[2J$/);
  expect(formatLogLine("not ours\u0007", plain)).toBe("not ours␇");
});

test("`logs` shows a hub's log while it runs, and after it", async () => {
  await using stage = await openStage();
  const served = await serve(stage);
  const where = ["--data", served.data];
  const { stdout } = await stage.signalbox(["logs", "--hub", ...where]);
  expect(stdout).toMatch(/started {2}url=http/);
  await until("the runner has been started", () =>
    existsSync(join(served.data, "runner/runner.log")),
  );
  await served.end();
  expect(await stage.signalbox(["logs", "--runner", ...where])).toMatchObject({ exit: 0 });
  const none = join(stage.folder, "empty");
  mkdirSync(none);
  const missing = await stage.signalbox(["logs", "--data", none]);
  expect(missing).toMatchObject({ exit: 4 });
  expect(missing.stderr).toContain("There is no log at");
});
