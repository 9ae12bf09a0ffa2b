import { expect, test } from "bun:test";
import { join } from "node:path";
import { HubError } from "@signalbox/client";
import { hasFailingDisk, openFailingDisk } from "./failing-disk.ts";
import { goesOnWhole } from "./goes-on-whole.ts";
import { Room } from "./room.ts";
import { freshItems, when } from "./seen.ts";

const SAYS = "Make the disk writable";

/** What the hub says to somebody who wants something written. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const failure: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure instanceof HubError ? failure.message : `not refused: ${String(failure)}`;
}

test.if(hasFailingDisk)(
  "a disk that turns read-only under a running hub: all can be read and no session starts, then or after a restart; mended, nothing is missing",
  async () => {
    using disk = openFailingDisk(64);
    await using room = await Room.open({ data: join(disk.path, "data") });
    using board = room.admin.watchBoard();
    const { id } = await room.session([{ tell: "before the fault" }]);
    await room.idle(id, 1);
    await room.send(id, [{ lines: 400, everyMs: 10 }, { tell: "through the fault" }]);
    await when(board, () => board.view.session(id)?.summary.status === "active");
    disk.fail();
    await when(board, () => board.view.trouble !== undefined && board.view.trouble !== null);
    const told = {
      trouble: board.view.trouble,
      session: await refusal(room.session([{ tell: "too late" }])),
      message: await refusal(room.send(id, [{ tell: "too late" }])),
    };
    console.log(JSON.stringify(told));
    for (const sentence of Object.values(told)) expect(sentence).toContain(SAYS);
    expect(JSON.stringify(await freshItems(room.client(), id))).toContain("before the fault");
    expect(room.hub.exitCode).toBeNull();

    // Whoever starts it again there can look, and nothing else.
    await room.killHub();
    await room.startHub();
    await when(board, () => board.view.trouble?.includes(SAYS) ?? false);
    expect(await refusal(room.session([{ tell: "too late" }]))).toContain(SAYS);
    expect(JSON.stringify(await freshItems(room.client(), id))).toContain("before the fault");
    expect((await room.admin.sessions()).map((each) => each.id)).toEqual([id]);

    await room.killHub();
    disk.mend();
    await room.startHub();
    await room.idle(id, 2);
    await goesOnWhole(room, id, 3);
  },
  300_000,
);
