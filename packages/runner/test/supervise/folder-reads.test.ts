import { expect, test } from "bun:test";
import type { FolderOrder, Order } from "@signalbox/api/link";
import { LineBuffer } from "../../src/link/line-buffer.ts";
import { Supervisor } from "../../src/supervise/supervisor.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";

type Result = Awaited<ReturnType<Supervisor["execute"]>>;

const listChanges = (folder: string): Order => ({
  kind: "list-changes",
  folder,
  against: { kind: "head" },
});

/** A supervisor whose reads of folders end when the test says so. */
function openSupervisor(place: string) {
  const running: { folder: string; end: (result: unknown) => void }[] = [];
  const started: string[] = [];
  const execute = ({ folder }: FolderOrder) => {
    started.push(folder);
    return new Promise<unknown>((end) => running.push({ folder, end }));
  };
  const buffer = new LineBuffer(place);
  const supervisor = new Supervisor({ drivers: new Map(), buffer, changes: { execute } });
  const read = (folder: string) => supervisor.execute(crypto.randomUUID(), listChanges(folder));
  return { running, started, supervisor, read };
}

test("[LK47] of orders that look into folders three run at a time, and equal ones that wait share an answer", async () => {
  using temporary = tempFolder();
  const { running, started, read } = openSupervisor(temporary.path);
  const first = ["/a", "/b", "/c"].map(read);
  const equal = Array.from({ length: 50 }, () => read("/a"));
  expect(started).toEqual(["/a", "/b", "/c"]);
  running[0]?.end("before");
  expect(await first[0]).toEqual({ result: "before" });
  expect(started).toEqual(["/a", "/b", "/c", "/a"]);
  running[3]?.end("after");
  const answers: Result[] = await Promise.all(equal);
  expect(answers).toEqual(Array.from({ length: 50 }, () => ({ result: "after" })));
  expect(started).toHaveLength(4);
});

test("[LK47] what is more than a machine can look at is refused, and other orders are carried out", async () => {
  using temporary = tempFolder();
  const { running, supervisor, read } = openSupervisor(temporary.path);
  const reads = Array.from({ length: 104 }, (_, nth) => read(`/folder-${nth}`));
  expect(await reads[103]).toMatchObject({ problem: { code: "machine-busy" } });
  const other = { kind: "list-folder", path: temporary.path } as const;
  expect(await supervisor.execute("an order", other)).toMatchObject({
    result: { path: temporary.path },
  });
  for (let nth = 0; nth < 103; nth++) {
    running[nth]?.end(nth);
    expect(await reads[nth]).toEqual({ result: nth });
  }
  const again = read("/folder-0");
  running[103]?.end("it is looked at again");
  expect(await again).toEqual({ result: "it is looked at again" });
});

test("[LK47] the results of orders that look into folders are not kept", async () => {
  using temporary = tempFolder();
  const { running, supervisor } = openSupervisor(temporary.path);
  const ids = ["the same id", "the same id"];
  for (const [nth, id] of ids.entries()) {
    const done = supervisor.execute(id, listChanges("/a"));
    running[nth]?.end(nth);
    expect(await done).toEqual({ result: nth });
  }
});
