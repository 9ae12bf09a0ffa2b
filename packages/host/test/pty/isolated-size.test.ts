import { setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { until } from "@signalbox/testing/until";
import { startPty } from "../../src/pty/index.ts";
import { findBubblewrap, namespaceArguments } from "../../src/sandbox/find-bubblewrap.ts";

setDefaultTimeout(60_000);

const { path: bubblewrap, why } = await findBubblewrap();

test.skipIf(bubblewrap === undefined)(
  `an isolated program is told of a new size of its terminal${why === undefined ? "" : ` (${why})`}`,
  async () => {
    let output = "";
    const report = "trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done";
    const roots = ["--dev-bind", "/", "/", ...namespaceArguments, "--"];
    const pty = await startPty({
      command: bubblewrap ?? "",
      args: [...roots, "/bin/sh", "-c", report],
      folder: tmpdir(),
      env: { PATH: process.env["PATH"] ?? "" },
      runId: randomUUID(),
      size: { cols: 80, rows: 24 },
      onOutput: (bytes) => void (output += Buffer.from(bytes).toString()),
      hasNamespace: true,
    });
    await until("the program listens", () => output.includes("ready"));
    pty.resize({ cols: 127, rows: 31 });
    await until("the program knows the new size", () => output.includes("31 127"), {
      seen: () => output,
    });
    await pty.close();
    await pty.exited;
  },
);
