import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { HubError } from "@signalbox/client";
import { openSmallDisk } from "@signalbox/testing/small-disk";
import { isRoot } from "@signalbox/testing/machine";
import { goesOnWhole } from "./goes-on-whole.ts";
import { Room } from "./room.ts";
import { freshItems, when } from "./seen.ts";

/** Settles when a file has not grown for a second: whoever writes it is held up. */
async function still(file: string): Promise<number> {
  for (let before = -1; ;) {
    const { size } = statSync(file);
    if (size === before) return size;
    before = size;
    await Bun.sleep(1000);
  }
}

test.if(isRoot)(
  "a disk that is full under hub and runner: the agent is held up, everybody is told, and with room again nothing is missing",
  async () => {
    await using disk = await openSmallDisk("16m");
    const at = (name: string) => join(disk.path, name);
    await using room = await Room.open({ data: at("data"), runnerData: at("runner") });
    using board = room.admin.watchBoard();
    const { id } = await room.session([{ tell: "before the fault" }]);
    await room.idle(id, 1);
    // 80 MB: more than the disk takes, and more than the runner keeps in memory.
    await room.send(id, [{ lines: 4000, size: 20_000 }, { tell: "through the fault" }]);
    await when(board, () => board.view.trouble !== undefined && board.view.trouble !== null);
    const record = join(room.place, "said.ndjson");
    const said = await still(record);
    expect(said).toBeLessThan(60_000_000);
    const refused: unknown = await room
      .send(id, [{ tell: "too late" }])
      .catch((why: unknown) => why);
    const told = { trouble: board.view.trouble, message: String(refused), said };
    console.log(JSON.stringify(told));
    expect(told.trouble).toContain("full");
    expect(refused).toBeInstanceOf(HubError);
    expect(told.message).toContain("full");
    expect(JSON.stringify(await freshItems(room.client(), id))).toContain("before the fault");
    expect(room.hub.exitCode).toBeNull();
    expect(room.runner.exitCode).toBeNull();
    expect(room.agents().length).toBeGreaterThan(0);

    disk.grow("512m");
    await room.idle(id, 2);
    expect(board.view.trouble ?? null).toBeNull();
    await goesOnWhole(room, id, 3);
  },
  300_000,
);
