import { describe, expect, test } from "bun:test";
import { failureText } from "../src/model/failure-text.ts";
import { clampTimerMs } from "@signalbox/agent";
import { apiErrorName, getFailure, isConnectionLost, ModelFailure } from "../src/model/failure.ts";
import { Retries, type Retry } from "../src/model/retries.ts";

const asked = { model: "m", gateway: undefined };
const overloaded = new ModelFailure({
  status: 529,
  type: "overloaded_error",
  apiText: "Overloaded",
});

describe("failures of the model", () => {
  test.each([
    [{ code: "ConnectionRefused" }, "ECONNREFUSED"],
    [{ message: "fetch failed", cause: { code: "ENOTFOUND" } }, "ENOTFOUND"],
    [{ message: "terminated", cause: { code: "UND_ERR_SOCKET" } }, "ECONNRESET"],
  ])("have the same word on every runtime: %p", (thrown, code) => {
    const failure = getFailure(thrown);
    expect(failure.code).toBe(code);
    expect(isConnectionLost(failure)).toBe(true);
    expect(failureText(failure, asked)).toContain(`(${code})`);
  });

  test("are not lost connections if the answer took too long or arrived", () => {
    const late = getFailure({ message: "Request timed out." });
    expect([isConnectionLost(late), failureText(late, asked)]).toEqual([
      false,
      "Request timed out",
    ]);
    expect(isConnectionLost(getFailure({ status: 500, cause: { code: "ECONNRESET" } }))).toBe(
      false,
    );
  });

  test("name who is responsible: the gateway, or the API itself", () => {
    const own = failureText(overloaded, asked);
    expect(own).toContain("529 Overloaded. This is a server-side issue");
    expect(own).toContain("status.claude.com");
    const gateway = { model: "m", gateway: "https://models.example:8443/v1" };
    expect(failureText(overloaded, gateway)).toContain("gateway (models.example:8443)");
  });
});

describe("retries", () => {
  test("[RA38] do not happen for our own errors or wrong settings", async () => {
    const address = getFailure(
      Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL" }),
    );
    expect([failureText(address, asked), apiErrorName(address)]).toEqual([
      "API Error: Invalid URL",
      {},
    ]);
    const key = getFailure(
      new TypeError('Headers.append: "secret\nkey" is an invalid header value.'),
    );
    expect(failureText(key, asked)).not.toContain("secret");
    const missing = ModelFailure.notLoaded(new Error("Cannot find package"));
    for (const failure of [address, key, missing]) {
      const retries = new Retries(10, new AbortController().signal);
      expect(await retries.after(failure).catch((thrown: unknown) => thrown)).toBe(failure);
    }
    expect(failureText(missing, asked)).toContain("could not be loaded: Cannot find package");
  });

  test("use a long delay if a timer does not support it, not none", () => {
    expect([clampTimerMs(1000), clampTimerMs(99_999_999_999)]).toEqual([1000, 2_147_483_647]);
  });

  test("[RA38] end with the third overload, and all kinds count together", async () => {
    const told: Retry[] = [];
    const retries = new Retries(10, new AbortController().signal, (retry) => told.push(retry));
    const soon = { retryAfterMs: 0 };
    const overload = new ModelFailure({ ...soon, status: 529, apiText: "Overloaded" });
    await retries.after(overload);
    await retries.after(new ModelFailure({ ...soon, status: 500, apiText: "Broken" }));
    await retries.after(overload);
    const last = await retries.after(overload).catch((failure: unknown) => failure);
    expect(last).toMatchObject({ status: 529, isRepeated: true });
    expect(told.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  test("end when they are pointless, after enough attempts, and at an interrupt", async () => {
    const stop = new AbortController();
    const refused = new ModelFailure({ status: 403, apiText: "No" });
    const broken = new ModelFailure({ status: 500, apiText: "Broken" });
    const few = new Retries(0, stop.signal);
    expect(await few.after(broken).catch((failure: unknown) => failure)).toBe(broken);
    const many = new Retries(10, stop.signal);
    expect(await many.after(refused).catch((failure: unknown) => failure)).toBe(refused);
    const waiting = many.after(broken).catch((failure: unknown) => failure);
    stop.abort(new Error("stopped"));
    expect(await waiting).toMatchObject({ message: "stopped" });
  });
});
