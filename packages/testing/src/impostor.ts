import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./until.ts";
import { hasIpv6 } from "./machine.ts";

/** In every text that the impostor makes up, so that it can be looked for. */
export const IMPOSTOR_MARK = "made up by an impostor";

type Event = { bound: string } | { connection: number; bytes: string };

/** The hub that it imitates: where it listens, and what it has answered when it was asked who it is. */
interface Imitated {
  readonly port: number;
  readonly recorded: object;
}

/** What the hub answers whoever asks who it is: an impostor can have asked before. */
export async function recordIdentity(url: string): Promise<object> {
  const answer = await fetch(new URL("/api/identity", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ challenge: "5a".repeat(32) }),
  });
  return (await answer.json()) as object;
}

/**
 * Starts a program that waits for the hub's port to be free and then imitates the hub. It runs as another
 * user where this process may start one; otherwise as this one, which is harder on the hub.
 */
export async function startImpostor({ port, recorded }: Imitated) {
  const place = mkdtempSync(join(tmpdir(), "signalbox-impostor-"));
  chmodSync(place, 0o755);
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "programs/impostor-process.ts")],
    outdir: place,
    target: "bun",
    conditions: ["bun"],
  });
  const program = built.outputs[0]?.path ?? "";
  chmodSync(program, 0o644);
  const child = Bun.spawn([...asAnotherUser(), process.execPath, program], {
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir() },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const addresses = ["127.0.0.1", ...(hasIpv6() ? ["::1"] : [])];
  void child.stdin.write(`${JSON.stringify({ port, addresses, recorded, mark: IMPOSTOR_MARK })}\n`);
  await child.stdin.flush();
  const bound: string[] = [];
  const connections = new Map<number, Buffer[]>();
  const read = collect(child.stdout, (event) => {
    if ("bound" in event) bound.push(event.bound);
    else {
      const pieces = connections.get(event.connection) ?? [];
      connections.set(event.connection, [...pieces, Buffer.from(event.bytes, "base64")]);
    }
  });
  const impostor = {
    /** Settles when it has the port on all addresses. */
    hasPort: () =>
      until("the impostor has the port", () => bound.length === addresses.length, {
        seen: () => ({ bound, exit: child.exitCode }),
      }),
    /** All that it was sent, a text for each connection. */
    texts: () =>
      [...connections.values()].map((pieces) => Buffer.concat(pieces).toString("latin1")),
    /** The first lines of the requests, with the name by which the hub was asked for. */
    requests: () =>
      impostor.texts().flatMap((text) =>
        [...text.matchAll(/([A-Z]+ \S+) HTTP\/1\.1\r\n([^]*?)\r\n\r\n/g)].map(([, line, head]) => ({
          line: line ?? "",
          head: head ?? "",
          host: /(?:^|\n)host: ([^:\r]+)/i.exec(head ?? "")?.[1],
        })),
      ),
    /** Ends it; the port is free then. */
    async end(): Promise<void> {
      await child.stdin.end();
      await child.exited;
      await read;
    },
    [Symbol.dispose]() {
      child.kill("SIGKILL");
      rmSync(place, { recursive: true, force: true });
    },
  };
  return impostor;
}
export type Impostor = Awaited<ReturnType<typeof startImpostor>>;

function asAnotherUser(): string[] {
  const become = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
  if (process.getuid?.() !== 0 || !Bun.which("setpriv")) return [];
  const { exitCode } = Bun.spawnSync([...become, process.execPath, "--version"], { cwd: "/" });
  return exitCode === 0 ? become : []; // that user may not reach this program
}

async function collect(
  from: ReadableStream<Uint8Array>,
  onEvent: (event: Event) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of from) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onEvent(JSON.parse(line) as Event);
  }
}
