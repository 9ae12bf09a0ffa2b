import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trustText } from "@signalbox/api/proof";
import { createSigningKey } from "../../src/link/keys.ts";
import { Approvers } from "../../src/supervise/approvers.ts";
import { FolderOrders } from "../../src/supervise/folder-orders.ts";
import { TrustStore } from "../../src/trust/trust-store.ts";

test("[TS17] the runner trusts a folder only by an approver's signature over its findings and this machine, and stores that itself", async () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-signed-")));
  try {
    const folder = join(place, "work");
    mkdirSync(join(folder, ".claude"), { recursive: true });
    const settings = join(folder, ".claude/settings.json");
    writeFileSync(settings, '{"env":{"A":"1"}}');
    const file = join(place, "trust.json");
    const [desk, stranger] = [createSigningKey(), createSigningKey()];
    const approvers = new Approvers();
    approvers.set([{ id: "desk", publicKey: desk.publicKey }]);
    const open = () =>
      new FolderOrders({
        store: new TrustStore(file),
        runner: "here",
        approvers,
        environment: { HOME: place },
      });
    const orders = open();
    const { hash } = await orders.scan({ kind: "scan-folder", folder });
    const text = { runner: "here", folder, hash };
    const grant = (signed?: { by: string; signature: string }) =>
      orders.trust({ kind: "trust-folder", folder, hash, ...(signed && { signed }) }).then(
        () => "trusted",
        (why: { code?: string }) => why.code,
      );
    const by = (key: typeof desk, about: object = {}) => ({
      by: "desk",
      signature: key.sign(trustText({ ...text, ...about })),
    });
    expect(await grant()).toBe("not-signed");
    expect(await grant(by(stranger))).toBe("not-signed");
    expect(await grant(by(desk, { runner: "another machine" }))).toBe("not-signed");
    expect(await grant(by(desk, { folder: "/" }))).toBe("not-signed");
    expect(await grant(by(desk, { hash: "of something else" }))).toBe("not-signed");
    writeFileSync(settings, '{"env":{"A":"2"}}');
    expect(await grant(by(desk))).toBe("folder-changed");
    writeFileSync(settings, '{"env":{"A":"1"}}');
    expect((await orders.scan({ kind: "scan-folder", folder })).untrusted).toHaveLength(1);
    expect(await grant(by(desk))).toBe("trusted");
    // Another process of the runner finds it, without the hub and after the device is gone.
    approvers.set([]);
    expect((await open().scan({ kind: "scan-folder", folder })).untrusted).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await open().distrust({ kind: "distrust-folder", folder });
    expect((await open().scan({ kind: "scan-folder", folder })).untrusted).toHaveLength(1);
    writeFileSync(file, "not what we wrote");
    expect((await open().scan({ kind: "scan-folder", folder })).untrusted).toHaveLength(1);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
