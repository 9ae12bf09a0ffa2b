import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { hostname } from "node:os";
import { randomBytes } from "node:crypto";
import type { Pairing, PairedDevice } from "@signalbox/api";
import { elevationText, hubProofText } from "@signalbox/api/proof";
import { verifySignature, readDeviceSigningKey } from "@signalbox/runner/keys";
import { makeDistinctName } from "../../src/devices/distinct-name.ts";
import { MAX_AUDITED_GUESSES } from "../../src/devices/guess-limiter.ts";
import type { AnyRole } from "../../src/devices/roles.ts";
import { newDevice } from "@signalbox/testing/signed-requests";
import { type TestServer, enterStream, greeted, openTestServer, openStream } from "./stage.ts";

setDefaultTimeout(180_000);

async function codeFor(testServer: TestServer, token: string, role: string): Promise<string> {
  const response = await testServer.ask("POST", "/api/pairings", { token, body: { role } });
  return ((await response.json()) as Pairing).code;
}
const pair = (testServer: TestServer, code: string, { publicKey } = newDevice()) =>
  testServer.ask("POST", "/api/pair", { body: { code, name: "phone", publicKey } });

function movableClock() {
  let ahead = 0;
  return {
    steady: () => 1_000_000 + ahead,
    now: () => 1_000_000 + ahead,
    add: (ms: number) => (ahead += ms),
  };
}

describe("pairing", () => {
  test("[HD1] a code lets one device in, once, however it is typed, and stands in the fragment alone", async () => {
    await using testServer = await openTestServer();
    const token = await testServer.tokenOf("driver");
    const response = await testServer.ask("POST", "/api/pairings", {
      token,
      body: { role: "viewer" },
    });
    const made = (await response.json()) as Pairing;
    expect(made.url).toBe(`${testServer.url}/#pair=${made.code}`);
    expect(made.expiresAt - Date.now()).toBeLessThanOrEqual(5 * 60 * 1000 + 1000);
    const typed = made.code
      .toLowerCase()
      .replaceAll("-", " ")
      .replaceAll("0", "o")
      .replaceAll("1", "l");
    const own = newDevice();
    const first = await pair(testServer, typed, own);
    expect(first.status).toBe(201);
    const { device, hub } = (await first.json()) as PairedDevice;
    expect(hub).toEqual(testServer.access.hub);
    const fresh = own.createKey(device.id);
    expect(device).toMatchObject({ name: "phone", role: "viewer", you: true });
    expect((await testServer.ask("GET", "/api/sessions", { token: fresh })).status).toBe(200);
    const again = await pair(testServer, made.code);
    expect(again.status).toBe(401);
    expect(await again.json()).toMatchObject({ code: "wrong-code" });
  });

  test("[HD1] a code ends after five minutes, after five wrong tries, and with the device that made it", async () => {
    const clock = movableClock();
    await using testServer = await openTestServer({ clocks: clock });
    const { token, row } = await testServer.deviceOf("driver");
    const late = await codeFor(testServer, token, "viewer");
    clock.add(5 * 60 * 1000);
    expect((await pair(testServer, late)).status).toBe(401);
    const guessed = await codeFor(testServer, token, "viewer");
    const wrong = guessed.slice(0, -1) + (guessed.endsWith("0") ? "1" : "0");
    for (let n = 0; n < 5; n++) expect((await pair(testServer, wrong)).status).toBe(401);
    expect((await pair(testServer, guessed)).status).toBe(401);
    const orphan = await codeFor(testServer, token, "viewer");
    await testServer.access.devices.revoke(row.id, null);
    expect((await pair(testServer, orphan)).status).toBe(401);
  });

  test("[HD1] a code tells who has it whom it makes, and can still be used; a wrong one counts as a try", async () => {
    await using testServer = await openTestServer();
    const token = await testServer.tokenOf("admin");
    const look = (code: string) => testServer.ask("POST", "/api/pair/role", { body: { code } });
    const code = await codeFor(testServer, token, "approver");
    for (let n = 0; n < 7; n++)
      expect(await (await look(code)).json()).toEqual({ role: "approver" });
    expect((await pair(testServer, code)).status).toBe(201);
    expect((await look(code)).status).toBe(401);
    const guessed = await codeFor(testServer, token, "viewer");
    const wrong = guessed.slice(0, -1) + (guessed.endsWith("0") ? "1" : "0");
    for (let n = 0; n < 5; n++) {
      const refused = await look(wrong);
      expect({ status: refused.status, told: await refused.text() }).toMatchObject({
        status: 401,
        told: expect.not.stringContaining("viewer"),
      });
    }
    expect((await pair(testServer, guessed)).status).toBe(401);
  });

  test("[HD9] a device that pairs gets a name of its own, also beside one that pairs at the same time", async () => {
    await using testServer = await openTestServer();
    const token = await testServer.tokenOf("admin");
    const codes: string[] = [];
    for (let n = 0; n < 3; n++) codes.push(await codeFor(testServer, token, "viewer"));
    const made = await Promise.all(
      codes.map(async (code) => (await (await pair(testServer, code)).json()) as PairedDevice),
    );
    const names = made.map(({ device }) => device.name).toSorted();
    expect(names).toEqual(["phone", "phone 2", "phone 3"]);
    const second = made.find(({ device }) => device.name === "phone 2");
    await testServer.access.devices.revoke(second?.device.id ?? "", null);
    const again = (await (
      await pair(testServer, await codeFor(testServer, token, "viewer"))
    ).json()) as PairedDevice;
    expect(again.device.name).toBe("phone 2");
    const longest = "x".repeat(100);
    expect(makeDistinctName(longest, [longest.toUpperCase()])).toBe(`${"x".repeat(98)} 2`);
  });

  test("[HD9] a name that looks like another device's gets a number; a program's token, too", async () => {
    await using testServer = await openTestServer();
    const token = await testServer.tokenOf("admin");
    const named = async (name: string) => {
      const body = { code: await codeFor(testServer, token, "viewer"), name, ...newDevice() };
      const response = await testServer.ask("POST", "/api/pair", { body });
      return ((await response.json()) as PairedDevice).device.name;
    };
    expect(await named("Ian's phone")).toBe("Ian's phone");
    expect(await named("IAN\u2019S PHONE")).toBe("IAN\u2019S PHONE"); // the apostrophe is another
    expect(await named("lan's  ph0ne")).toBe("lan's  ph0ne 2");
    expect(await named("\uff29an's phone")).toBe("\uff29an's phone 3"); // full width
    expect(await named("\u0440\u0435\u0441")).toBe("\u0440\u0435\u0441"); // Cyrillic alone
    expect(await named("pec")).toBe("pec 2");
    const made = await testServer.ask("POST", "/api/tokens", {
      token,
      body: { name: "PEC", role: "viewer" },
    });
    expect(await made.json()).toMatchObject({ device: { name: "PEC 3" } });
  });

  test("[HD9] names of the hub's own and words of two alphabets are refused, and the code can still be used", async () => {
    await using testServer = await openTestServer();
    const token = await testServer.tokenOf("admin");
    const code = await codeFor(testServer, token, "viewer");
    const { publicKey } = newDevice();
    const refused = async (name: string) => {
      const pairing = await testServer.ask("POST", "/api/pair", {
        body: { code, name, publicKey },
      });
      const body = { name, role: "viewer" };
      const made = await testServer.ask("POST", "/api/tokens", { token, body });
      return [pairing.status, made.status, await pairing.text()] as const;
    };
    const reserved = ["the hub", "The  Hub", "the-hub", "the hub: clock", "COMMAND LINE", "You"];
    const disguised = [
      "\uff59\uff4f\uff55",
      "yo\u0301u",
      "c0mmand 1ine",
      "system.",
      "terminal root@pc",
    ];
    for (const name of [...reserved, ...disguised]) {
      expect([name, ...(await refused(name))]).toEqual([
        name,
        400,
        400,
        expect.stringContaining("is reserved"),
      ]);
    }
    for (const name of ["\u0430dmin", "my pho\u03b7e", "\u0443ou"]) {
      expect([name, ...(await refused(name))]).toEqual([
        name,
        400,
        400,
        expect.stringContaining("two alphabets"),
      ]);
    }
    for (const name of [
      "youtube",
      "terminal-3",
      "\u0418\u0432\u0430\u043d iPhone",
      "\u6771\u4eacPC",
    ]) {
      const body = { name, role: "viewer" };
      expect((await testServer.ask("POST", "/api/tokens", { token, body })).status).toBe(201);
    }
    expect((await pair(testServer, code)).status).toBe(201);
  });

  test("[HD2] after ten thousand guesses wrong ones are locked out, and a right one still comes in", async () => {
    await using testServer = await openTestServer();
    const token = await testServer.tokenOf("driver");
    const code = await codeFor(testServer, token, "viewer");
    const guess = (n: number) =>
      n % 2 === 0
        ? pair(testServer, `${n}-guess`)
        : testServer.ask("GET", "/api/sessions", { token: `guess-${n}` });
    let last = 0;
    for (let n = 0; n < 10_000; n += 100) {
      const batch = Array.from({ length: 100 }, async (_, at) => {
        const response = await guess(n + at);
        await response.arrayBuffer();
        return response.status;
      });
      last = (await Promise.all(batch)).at(-1) ?? 0;
    }
    expect(last).toBe(429);
    expect((await pair(testServer, code)).status).toBe(201);
    expect((await testServer.ask("GET", "/api/sessions", { token })).status).toBe(200);
    const told = (await testServer.store.audit()).filter(({ what }) =>
      what.startsWith("login-fail"),
    );
    expect(told.length).toBeLessThanOrEqual(MAX_AUDITED_GUESSES + 1);
  });

  test("[HD2] of many wrong ones the audit keeps the first and a count", async () => {
    const clock = movableClock();
    await using testServer = await openTestServer({ clocks: clock });
    const wrong = () => testServer.ask("GET", "/api/sessions", { token: "wrong" });
    for (let n = 0; n < 70; n++) await wrong();
    expect((await wrong()).status).toBe(429);
    clock.add(61_000);
    expect((await wrong()).status).toBe(401);
    const told = (await testServer.store.audit()).filter(({ what }) => what === "login-failures");
    expect(told.map(({ facts }) => facts)).toEqual([{ more: 71 - MAX_AUDITED_GUESSES }]);
  });

  test("[HD3] who may make whom: drivers no approvers, approvers no admins", async () => {
    await using testServer = await openTestServer();
    const allowed = {
      driver: ["viewer", "driver"],
      approver: ["viewer", "driver", "approver", "runner"],
      admin: ["viewer", "driver", "approver", "runner", "admin"],
    };
    for (const [maker, makes] of Object.entries(allowed)) {
      const token = await testServer.tokenOf(maker as keyof typeof allowed);
      for (const role of ["viewer", "driver", "approver", "runner", "admin"]) {
        const { status } = await testServer.ask("POST", "/api/pairings", { token, body: { role } });
        expect({ maker, role, status }).toEqual({
          maker,
          role,
          status: makes.includes(role) ? 201 : 403,
        });
      }
    }
  });

  test("[HD3] the code of the hub's own terminal makes an admin", async () => {
    await using testServer = await openTestServer();
    const { code } = testServer.access.inviteFirst(testServer.url);
    const { device } = (await (await pair(testServer, code)).json()) as PairedDevice;
    expect(device.role).toBe("admin");
  });

  test("[HD3] a device takes away itself and those that it could make", async () => {
    await using testServer = await openTestServer();
    const driver = await testServer.deviceOf("driver");
    const admin = await testServer.deviceOf("admin");
    const viewer = await testServer.deviceOf("viewer");
    const remove = async (by: string, id: string) =>
      (await testServer.ask("DELETE", `/api/devices/${id}`, { token: by })).status;
    expect(await remove(driver.token, admin.row.id)).toBe(403);
    expect(await remove(viewer.token, driver.row.id)).toBe(404);
    expect(await remove(driver.token, viewer.row.id)).toBe(204);
    expect(await remove(driver.token, viewer.row.id)).toBe(404);
    expect(await remove(driver.token, driver.row.id)).toBe(204);
    expect(await remove(driver.token, driver.row.id)).toBe(401);
    const what = (await testServer.store.audit()).map((entry) => entry.what);
    expect(what.filter((name) => name === "device-revoked")).toHaveLength(2);
  });
});

describe("credentials", () => {
  test("[HD4] of a device its public key is stored, of a program's token the hash, and nothing secret", async () => {
    await using testServer = await openTestServer();
    const admin = await testServer.tokenOf("admin");
    const body = { name: "curl", role: "driver" };
    const made = await testServer.ask("POST", "/api/tokens", { token: admin, body });
    const { token } = (await made.json()) as { token: string };
    const secret = token.slice("sbx_".length + 32 + "_".length);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    for (const used of [admin, token]) {
      expect((await testServer.ask("GET", "/api/sessions", { token: used })).status).toBe(200);
      expect(JSON.stringify(testServer.store.changes)).not.toContain(used);
      expect(testServer.logged.join("")).not.toContain(used);
    }
  });

  test("[HD10] a program's token is made by an admin alone, looks or drives, never approves, and ends by itself", async () => {
    const clock = movableClock();
    await using testServer = await openTestServer({ clocks: clock });
    const make = async (maker: AnyRole, body: object) =>
      testServer.ask("POST", "/api/tokens", { token: await testServer.tokenOf(maker), body });
    for (const role of ["approver", "driver", "viewer"] as const) {
      expect((await make(role, { name: "curl", role: "viewer" })).status).toBe(403);
    }
    for (const role of ["approver", "admin", "runner"]) {
      expect((await make("admin", { name: "curl", role })).status).toBe(400);
    }
    const made = await make("admin", { name: "curl", role: "driver", days: 2 });
    const { token, device } = (await made.json()) as { token: string; device: object };
    expect(device).toMatchObject({ name: "curl", role: "driver", token: true });
    expect((await testServer.ask("GET", "/api/sessions", { token })).status).toBe(200);
    const answer = { hash: "0".repeat(64), decision: { behavior: "allow" } };
    const path = `/api/asks/${crypto.randomUUID()}/answer`;
    expect((await testServer.ask("POST", path, { token, body: answer })).status).toBe(403);
    // It lets nobody in, asks for no more, and takes nothing of the hub's own away.
    const invite = { token, body: { role: "viewer" } };
    expect((await testServer.ask("POST", "/api/pairings", invite)).status).toBe(403);
    const lift = { token, body: { name: "me", publicKey: newDevice().publicKey } };
    expect((await testServer.ask("POST", "/api/elevations", lift)).status).toBe(403);
    const own = { name: "command line", role: "driver", by: null, how: "a test" } as const;
    const { row } = await testServer.access.devices.add({ ...own, neverExpires: true });
    for (const by of [
      token,
      await testServer.tokenOf("driver"),
      await testServer.tokenOf("approver"),
    ]) {
      expect((await testServer.ask("DELETE", `/api/devices/${row.id}`, { token: by })).status).toBe(
        403,
      );
    }
    // Nor anything that its role alone could take away; itself it may.
    const viewer = await testServer.deviceOf("viewer");
    const runner = await testServer.deviceOf("runner");
    for (const { id } of [viewer.row, runner.row]) {
      expect((await testServer.ask("DELETE", `/api/devices/${id}`, { token })).status).toBe(403);
      expect(testServer.access.devices.find(id)).toBeDefined();
    }
    const other = (await (await make("admin", { name: "curl", role: "viewer" })).json()) as {
      token: string;
      device: { id: string };
    };
    const itself = { token: other.token };
    expect((await testServer.ask("DELETE", `/api/devices/${other.device.id}`, itself)).status).toBe(
      204,
    );
    expect((await testServer.ask("GET", "/api/sessions", itself)).status).toBe(401);
    clock.add(2 * 24 * 60 * 60 * 1000);
    expect((await testServer.ask("GET", "/api/sessions", { token })).status).toBe(401);
  });

  test("[HD4] a device that is not used expires, and use prolongs it", async () => {
    const clock = movableClock();
    await using testServer = await openTestServer({ clocks: clock });
    const day = 24 * 60 * 60 * 1000;
    const token = await testServer.tokenOf("viewer");
    const status = async () => (await testServer.ask("GET", "/api/sessions", { token })).status;
    clock.add(89 * day);
    expect(await status()).toBe(200);
    clock.add(89 * day);
    expect(await status()).toBe(200);
    clock.add(91 * day);
    expect(await status()).toBe(401);
  });

  test("[HD5] a ticket opens one stream, once, within thirty seconds", async () => {
    const clock = movableClock();
    await using testServer = await openTestServer({ clocks: clock });
    const token = await testServer.tokenOf("viewer");
    const used = await testServer.getTicket(token);
    using _first = await greeted(testServer.url, used);
    const refused = async (ticket: string) => {
      using stream = openStream(testServer.url, ticket);
      expect((await stream.closed).code).toBe(1006);
      expect(stream.frames).toEqual([]);
    };
    await refused(used);
    const late = await testServer.getTicket(token);
    clock.add(30_000);
    await refused(late);
  });

  test("[HD6] the hub proves who it is, for the name by which it was asked", async () => {
    await using testServer = await openTestServer();
    const challenge = randomBytes(32).toString("hex");
    const response = await testServer.ask("POST", "/api/identity", { body: { challenge } });
    const { hub, key } = testServer.access.identity;
    const said = (await response.json()) as { nonce: string; signature: string };
    expect(said).toMatchObject({ hub, key: key.publicKey });
    const { nonce, signature } = said;
    const text = (host: string) => hubProofText({ challenge, host, nonce });
    expect(verifySignature(key.publicKey, text(`127.0.0.1:${testServer.port}`), signature)).toBe(
      true,
    );
    expect(verifySignature(key.publicKey, text(`localhost:${testServer.port}`), signature)).toBe(
      false,
    );
  });
});

describe("a terminal that wants to approve", () => {
  async function elevated(testServer: TestServer) {
    const driver = await testServer.deviceOf("driver");
    const approver = await testServer.tokenOf("approver");
    const { publicKey, createKey } = newDevice();
    const body = { name: "a window", publicKey };
    const asked = await testServer.ask("POST", "/api/elevations", { token: driver.token, body });
    const { id, words } = (await asked.json()) as { id: string; words: string };
    const decide = (token: string, confirm = true, signedKey = publicKey) => {
      const signature = readDeviceSigningKey(token)?.sign(elevationText(id, signedKey));
      const body = { confirm, ...(confirm && { signature }) };
      return testServer.ask("POST", `/api/elevations/${id}/decide`, { token, body });
    };
    /** As the terminal signs from its own memory. */
    const token = createKey(id);
    return { driver, approver, id, words, decide, token };
  }
  const answer = (testServer: TestServer, token: string) =>
    testServer.ask("POST", `/api/asks/${crypto.randomUUID()}/answer`, {
      token,
      body: { hash: "0".repeat(64), decision: { behavior: "allow" } },
    });

  test("[HD7] is confirmed by the signature of an approver's device, and may then answer with its own key", async () => {
    await using testServer = await openTestServer();
    const { driver, approver, words, decide, token } = await elevated(testServer);
    using stream = await enterStream(testServer, approver);
    expect((await stream.frame("elevations")).elevations).toMatchObject([{ words }]);
    expect((await answer(testServer, driver.token)).status).toBe(403);
    expect((await answer(testServer, token)).status).toBe(401);
    expect((await decide(driver.token)).status).toBe(403);
    // Another key than the terminal's, as somebody would have it who wants to come in with it.
    expect((await decide(approver, true, newDevice().publicKey)).status).toBe(403);
    expect((await answer(testServer, token)).status).toBe(401);
    expect((await decide(approver)).status).toBe(200);
    expect((await answer(testServer, token)).status).toBe(200);
    expect(testServer.calls.at(-1)?.args[2]).toMatchObject({
      role: "approver",
      name: "terminal a window",
      device: driver.row.id,
    });
    expect(JSON.stringify(testServer.store.changes)).not.toContain(token);
    expect((await testServer.store.audit()).map(({ what }) => what)).toContain(
      "terminal-confirmed",
    );
  });

  test("[HD20] asks for the rights of an admin, which only an admin's device gives, and which create nothing that lasts", async () => {
    await using testServer = await openTestServer();
    const { token: driver } = await testServer.deviceOf("driver");
    const { publicKey, createKey } = newDevice();
    const body = { name: "a window", publicKey, role: "admin" };
    const asked = await testServer.ask("POST", "/api/elevations", { token: driver, body });
    const { id, role, page } = (await asked.json()) as { id: string; role: string; page: string };
    expect([role, page]).toEqual(["admin", `${testServer.url}/inbox`]);
    const decide = (token: string) => {
      const signature = readDeviceSigningKey(token)?.sign(elevationText(id, publicKey));
      return testServer.ask("POST", `/api/elevations/${id}/decide`, {
        token,
        body: { confirm: true, signature },
      });
    };
    const token = createKey(id);
    const setAgents = () => testServer.ask("PUT", "/api/agents", { token, body: [] });
    expect((await decide(await testServer.tokenOf("approver"))).status).toBe(403);
    expect((await setAgents()).status).toBe(401);
    expect((await decide(await testServer.tokenOf("admin"))).status).toBe(200);
    expect((await setAgents()).status).toBe(204);
    const confirmed = (await testServer.store.audit()).find(
      ({ what }) => what === "terminal-confirmed",
    );
    expect(confirmed?.facts).toMatchObject({ role: "admin" });
    const wanted = { name: "script", role: "driver", days: 1 };
    expect((await testServer.ask("POST", "/api/tokens", { token, body: wanted })).status).toBe(403);
    for (const role of ["viewer", "admin"]) {
      const pairing = await testServer.ask("POST", "/api/pairings", { token, body: { role } });
      expect(pairing.status).toBe(403);
    }
    // A terminal that an approver confirmed changes no settings.
    const approving = await elevated(testServer);
    await approving.decide(approving.approver);
    const refused = await testServer.ask("PUT", "/api/agents", {
      token: approving.token,
      body: [],
    });
    expect(refused.status).toBe(403);
  });

  test("[HD7] [MC2] may add a machine and remove it, which a driver may not", async () => {
    await using testServer = await openTestServer();
    const { driver, approver, decide, token } = await elevated(testServer);
    const invite = (token: string) =>
      testServer.ask("POST", "/api/pairings", { token, body: { role: "runner" } });
    expect((await invite(driver.token)).status).toBe(403);
    await decide(approver);
    const made = await invite(token);
    expect(made.status).toBe(201);
    const { code } = (await made.json()) as { code: string };
    const body = { code, name: hostname(), publicKey: newDevice().publicKey };
    const paired = await testServer.ask("POST", "/api/pair", { body });
    const { device } = (await paired.json()) as { device: { id: string; name: string } };
    expect(device).toMatchObject({ role: "runner", name: `${hostname()} 2` }); // the hub's own has that name
    const remove = (token: string) =>
      testServer.ask("DELETE", `/api/devices/${device.id}`, { token });
    expect((await remove(driver.token)).status).toBe(403);
    expect((await remove(token)).status).toBe(204);
  });

  test("[HD7] cannot lift or let in others, and ends with its device, its silence and a refusal", async () => {
    const clock = movableClock();
    await using testServer = await openTestServer({ clocks: clock });
    const one = await elevated(testServer);
    await one.decide(one.approver);
    const { token } = one;
    const pairing = await testServer.ask("POST", "/api/pairings", {
      token,
      body: { role: "approver" },
    });
    expect(await pairing.json()).toMatchObject({ code: "lasting-device-needed" });
    const phone = await testServer.deviceOf("viewer");
    const revoking = await testServer.ask("DELETE", `/api/devices/${phone.row.id}`, { token });
    expect(await revoking.json()).toMatchObject({ code: "lasting-device-needed" });
    expect((await one.decide(token)).status).toBe(403);
    clock.add(4 * 60 * 1000);
    expect((await answer(testServer, token)).status).toBe(200);
    clock.add(5 * 60 * 1000);
    expect((await answer(testServer, token)).status).toBe(401);
    const two = await elevated(testServer);
    await two.decide(two.approver);
    await testServer.access.devices.revoke(two.driver.row.id, null);
    expect((await answer(testServer, two.token)).status).toBe(401);
    const three = await elevated(testServer);
    await three.decide(three.approver, false);
    expect(testServer.access.elevations.find(three.id)).toMatchObject({ status: "refused" });
    expect((await three.decide(three.approver)).status).toBe(404);
    const four = await elevated(testServer);
    await four.decide(four.approver);
    expect((await answer(testServer, four.token)).status).toBe(200);
    await testServer.access.devices.revoke(readDeviceSigningKey(four.approver)?.device ?? "", null);
    expect((await answer(testServer, four.token)).status).toBe(401);
  });
});
