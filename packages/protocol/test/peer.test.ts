import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import * as z from "zod";
import { decode, SignalboxError } from "@signalbox/protocol";
import { Peer, type PeerOptions, type LineRole, type StrayLine } from "@signalbox/protocol/wire";

type Sent = {
  type: string;
  request_id?: string;
  request?: object;
  response?: Record<string, unknown>;
};

function open(options: Partial<PeerOptions> = {}) {
  const sent: Sent[] = [];
  const strays: StrayLine[] = [];
  let next = 0;
  const peer = new Peer({
    send: (line) => {
      sent.push(JSON.parse(line) as Sent);
      return Promise.resolve();
    },
    onStray: (stray) => strays.push(stray),
    newId: () => `r${next++}`,
    ...options,
  });
  const accept = (message: object): LineRole => peer.accept(decode(JSON.stringify(message)));
  const answer = (id: string, response: unknown = {}) =>
    accept({
      type: "control_response",
      response: { subtype: "success", request_id: id, response },
    });
  return { peer, sent, strays, accept, answer };
}
const getFailure = (promise: Promise<unknown>) => promise.catch((failure: unknown) => failure);
const ask = (id: string, request: object) => ({ type: "control_request", request_id: id, request });
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe("asking", () => {
  test("[CP1] a request carries an id and resolves with the answer of that id", async () => {
    const { peer, sent, answer } = open();
    const asked = peer.request({ subtype: "get_context_usage" });
    expect(sent).toEqual([
      { type: "control_request", request_id: "r0", request: { subtype: "get_context_usage" } },
    ]);
    expect(answer("r0", { totalTokens: 3 })).toBe("answer");
    expect(await asked).toEqual({ totalTokens: 3 });
    expect(peer.waiting).toBe(0);
  });

  test("[CP2] an error answer rejects, and says whether the request is unsupported", async () => {
    const { peer, accept } = open();
    const asked = getFailure(peer.request({ subtype: "nonsense" }));
    const response = {
      subtype: "error",
      request_id: "r0",
      error: "no",
      error_code: "unsupported_request",
    };
    accept({ type: "control_response", response });
    const failure = await asked;
    expect(SignalboxError.is(failure, "REQUEST_REFUSED") && failure.data).toEqual({
      subtype: "nonsense",
      answer: "no",
      unsupported: true,
    });
  });

  test("[CP3] an abort sends control_cancel_request, rejects once, and a late answer is reported", async () => {
    const { peer, sent, strays, answer } = open();
    const abort = new AbortController();
    const asked = getFailure(peer.request({ subtype: "rewind_files" }, { signal: abort.signal }));
    abort.abort();
    expect(SignalboxError.is(await asked, "REQUEST_ABORTED")).toBe(true);
    expect(sent[1]).toEqual({ type: "control_cancel_request", request_id: "r0" });
    expect(answer("r0")).toBe("stray");
    expect(strays).toEqual([
      { kind: "late-answer", requestId: "r0", subtype: "rewind_files", why: "withdrawn" },
    ]);
  });

  test("[CP3] a signal that is aborted already sends nothing", async () => {
    const { peer, sent } = open();
    const asked = getFailure(peer.request({ subtype: "x" }, { signal: AbortSignal.abort() }));
    expect(SignalboxError.is(await asked, "REQUEST_ABORTED")).toBe(true);
    expect(sent).toEqual([]);
  });

  test("[CP4] a time-out rejects, withdraws the request, and a late answer is reported", async () => {
    const { peer, sent, strays, answer } = open();
    const failure = await getFailure(peer.request({ subtype: "initialize" }, { timeoutMs: 1 }));
    expect(SignalboxError.is(failure, "REQUEST_TIMED_OUT")).toBe(true);
    expect(sent[1]?.type).toBe("control_cancel_request");
    answer("r0");
    expect(strays[0]).toMatchObject({ kind: "late-answer", why: "timed out" });
  });

  test("[CP5] the end of the connection settles every request with its reason, and refuses new ones", async () => {
    const { peer } = open();
    const asked = [
      getFailure(peer.request({ subtype: "a" })),
      getFailure(peer.request({ subtype: "b" })),
    ];
    const reason = { kind: "crashed", sentence: "It died." };
    peer.end(reason);
    for (const failure of [
      ...(await Promise.all(asked)),
      await getFailure(peer.request({ subtype: "c" })),
    ]) {
      expect(SignalboxError.is(failure, "CONNECTION_CLOSED") && failure.data.reason).toEqual(
        reason,
      );
    }
  });

  test("[CP5] when only the input ends, what was asked of us is still answered", async () => {
    let say: (value: object) => void = () => {};
    const ask = () => new Promise((resolve) => (say = resolve));
    const { peer, sent, accept } = open({ handlers: { ask } });
    accept({ type: "control_request", request_id: "h1", request: { subtype: "ask" } });
    const waiting = getFailure(peer.request({ subtype: "a" }));
    peer.endInput({ kind: "ended", sentence: "over" });
    expect(SignalboxError.is(await waiting, "CONNECTION_CLOSED")).toBe(true);
    say({ fine: true });
    await peer.waitUntilAnswered();
    expect(sent[1]?.response).toMatchObject({ request_id: "h1", response: { fine: true } });
  });

  test("[CP6] second and unexpected answers are reported and change nothing", async () => {
    const { peer, strays, answer } = open();
    const asked = peer.request({ subtype: "a" });
    answer("r0", { n: 1 });
    expect(answer("r0", { n: 2 })).toBe("stray");
    expect(answer("nobody")).toBe("stray");
    expect(await asked).toEqual({ n: 1 });
    expect(strays).toEqual([
      { kind: "second-answer", requestId: "r0", subtype: "a" },
      { kind: "unexpected-answer", requestId: "nobody" },
    ]);
  });

  test("[CP7] an answer in another shape than asked for rejects and says so", async () => {
    const { peer, answer } = open();
    const asked = getFailure(
      peer.request({ subtype: "a" }, { answer: z.looseObject({ n: z.number() }) }),
    );
    answer("r0", { n: "one" });
    expect(SignalboxError.is(await asked, "ANSWER_MALFORMED")).toBe(true);
  });

  test("[CP8] a request that cannot be sent rejects with the cause", async () => {
    const { peer } = open({ send: () => Promise.reject(new Error("pipe is gone")) });
    expect(String(await getFailure(peer.request({ subtype: "a" })))).toContain("pipe is gone");
    expect(peer.waiting).toBe(0);
  });

  test("[CP9] any interleaving of answers, errors, aborts and an end settles each request exactly once", async () => {
    const move = fc.record({
      kind: fc.constantFrom("answer", "answer", "error", "abort", "stray", "end"),
      at: fc.nat(9),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 10 }),
        fc.array(move, { maxLength: 40 }),
        async (n, moves) => {
          const { peer, accept, answer } = open();
          const settled = Array.from({ length: n }, () => 0);
          const outcome: string[] = [];
          const aborts = Array.from({ length: n }, () => new AbortController());
          const expected: string[] = [];
          let over = false;
          const requests = aborts.map(async ({ signal }, i) => {
            const asked = peer.request({ subtype: `s${i}` }, { signal });
            outcome[i] = await asked.then(
              (value: unknown) => `answer ${JSON.stringify(value)}`,
              (failure: unknown) =>
                SignalboxError.isAny(failure) ? failure.code : String(failure),
            );
            settled[i] = (settled[i] ?? 0) + 1;
          });
          const settle = (i: number, how: string) => {
            if (i < n) expected[i] ??= how;
          };
          for (const [step, { kind, at }] of moves.entries()) {
            if (kind === "answer") {
              answer(`r${at}`, { step });
              settle(at, `answer ${JSON.stringify({ step })}`);
            } else if (kind === "error") {
              accept({
                type: "control_response",
                response: { subtype: "error", request_id: `r${at}`, error: "no" },
              });
              settle(at, "REQUEST_REFUSED");
            } else if (kind === "abort") {
              aborts[at]?.abort();
              settle(at, "REQUEST_ABORTED");
            } else if (kind === "stray") {
              answer(`x${at}`);
            } else if (!over) {
              over = true;
              peer.end({ kind: "ended", sentence: "over" });
              for (let i = 0; i < n; i++) settle(i, "CONNECTION_CLOSED");
            }
          }
          peer.end({ kind: "ended", sentence: "over" });
          for (let i = 0; i < n; i++) settle(i, "CONNECTION_CLOSED");
          await Promise.all(requests);
          expect(settled).toEqual(Array.from({ length: n }, () => 1));
          expect(outcome).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("being asked", () => {
  test("[CP10] a request goes to its handler and the answer has the one shape Claude Code understands", async () => {
    const { sent, accept } = open({ handlers: { can_use_tool: () => ({ behavior: "allow" }) } });
    expect(accept(ask("q1", { subtype: "can_use_tool", tool_name: "Bash", input: {} }))).toBe(
      "request",
    );
    await soon();
    expect(sent).toEqual([
      {
        type: "control_response",
        response: { subtype: "success", request_id: "q1", response: { behavior: "allow" } },
      },
    ]);
  });

  test("[CP11] a subtype nobody handles is refused as unsupported_request", () => {
    const { sent, accept } = open();
    accept(ask("q1", { subtype: "toString" }));
    expect(sent[0]?.response).toEqual({
      subtype: "error",
      request_id: "q1",
      error: "Unsupported control request subtype: toString",
      error_code: "unsupported_request",
    });
  });

  test("[CP12] a handler that throws is an error answer", async () => {
    const handlers = { x: () => Promise.reject(new Error("broken")) };
    const { sent, accept } = open({ handlers });
    accept(ask("q1", { subtype: "x" }));
    await soon();
    expect(sent[0]?.response).toEqual({ subtype: "error", request_id: "q1", error: "broken" });
  });

  test("[CP13] a withdrawn request aborts its handler, and its answer is not sent", async () => {
    let aborted = false;
    const { sent, strays, accept } = open({
      handlers: {
        x: (_request, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              aborted = true;
              resolve({ behavior: "allow" });
            });
          }),
      },
    });
    accept(ask("q1", { subtype: "x" }));
    expect(accept({ type: "control_cancel_request", request_id: "q1" })).toBe("cancellation");
    await soon();
    expect(aborted).toBe(true);
    expect(sent).toEqual([]);
    expect(accept({ type: "control_cancel_request", request_id: "q9" })).toBe("stray");
    expect(strays).toEqual([{ kind: "unknown-cancellation", requestId: "q9" }]);
  });

  test("[CP13] an agent answers what its host withdraws", async () => {
    const { sent, accept } = open({
      answersWithdrawn: true,
      handlers: { x: (_request, { signal }) => Promise.resolve({ aborted: signal.aborted }) },
    });
    accept(ask("q1", { subtype: "x" }));
    expect(accept({ type: "control_cancel_request", request_id: "q1" })).toBe("cancellation");
    await soon();
    expect(sent.map(({ response }) => response?.request_id)).toEqual(["q1"]);
    expect(accept({ type: "control_cancel_request", request_id: "q1" })).toBe("cancellation");
  });

  test("[CP14] a request that comes again while or after it was handled is not handled again", async () => {
    let handled = 0;
    const { strays, accept } = open({ handlers: { x: () => ++handled } });
    accept(ask("q1", { subtype: "x" }));
    accept(ask("q1", { subtype: "x" }));
    await soon();
    accept(ask("q1", { subtype: "x" }));
    await soon();
    expect(handled).toBe(1);
    expect(strays.map((stray) => stray.kind)).toEqual(["repeated-request", "repeated-request"]);
  });

  test("[CP15] our own answer, printed back, is an echo", async () => {
    const { sent, strays, accept } = open({ handlers: { x: () => ({ ok: 1 }) } });
    accept(ask("q1", { subtype: "x" }));
    await soon();
    expect(accept(sent[0] ?? {})).toBe("echo");
    expect(strays).toEqual([]);
  });

  test("[CP16] reading never waits for writing: requests are taken while nothing can be sent", async () => {
    let handled = 0;
    const { accept } = open({
      send: () => new Promise(() => {}),
      handlers: { x: () => ++handled },
    });
    for (let i = 0; i < 1000; i++) accept(ask(`q${i}`, { subtype: "x" }));
    await soon();
    expect(handled).toBe(1000);
  });

  test("[CP17] the end of the connection aborts what is being handled", () => {
    let aborted = false;
    const { peer, accept } = open({
      handlers: {
        x: (_request, { signal }) => {
          signal.addEventListener("abort", () => (aborted = true));
          return new Promise(() => {});
        },
      },
    });
    accept(ask("q1", { subtype: "x" }));
    peer.end({ kind: "ended", sentence: "over" });
    expect(aborted).toBe(true);
  });
});

describe("what cannot be read", () => {
  test("[CP19] a request in another shape, or too deep to be parsed, is refused and reported", async () => {
    const { peer, sent, strays } = open({
      handlers: { can_use_tool: () => ({ behavior: "allow" }) },
    });
    expect(peer.accept(decode('{"type":"control_request","request_id":"q1","request":{}}'))).toBe(
      "stray",
    );
    const deep = `${"[".repeat(600)}${"]".repeat(600)}`;
    const ask = `{"type":"control_request","request_id":"q2","request":{"subtype":"can_use_tool","input":{"x":${deep}}}}`;
    expect(peer.accept(decode(ask))).toBe("stray");
    await soon();
    expect(sent.map(({ response }) => [response?.["subtype"], response?.["request_id"]])).toEqual([
      ["error", "q1"],
      ["error", "q2"],
    ]);
    expect(strays.map(({ kind }) => kind)).toEqual(["malformed-request", "malformed-request"]);
  });

  test("[CP20] an answer in another shape rejects its request at once", async () => {
    const { peer, accept } = open();
    const asked = getFailure(peer.request({ subtype: "a" }));
    accept({
      type: "control_response",
      response: { subtype: "error", request_id: "r0", error: {} },
    });
    expect(SignalboxError.is(await asked, "ANSWER_MALFORMED")).toBe(true);
  });

  test("[CP21] a request that cannot be put into words is refused, and nothing waits for it", async () => {
    const { peer } = open();
    const request = { subtype: "a", big: 1n };
    expect(await getFailure(peer.request(request))).toBeInstanceOf(TypeError);
    expect(peer.waiting).toBe(0);
    peer.end({ kind: "ended", sentence: "over" });
  });

  test("[CP22] a listener that throws does not end the reading", () => {
    const { answer } = open({
      onStray: () => {
        throw new Error("listener");
      },
    });
    expect(answer("nobody")).toBe("stray");
  });
});

describe("reading answers of other programs", () => {
  test("[CP18] other programs' shapes of an answer settle requests too", async () => {
    const { peer, accept } = open();
    const asked = [0, 1, 2].map(() => peer.request({ subtype: "can_use_tool" }));
    accept({ type: "control_response", request_id: "r0", permission: { allow: true } });
    accept({ type: "control_response", request_id: "r1", permission: { allow: false } });
    accept({
      type: "control_response",
      request_id: "r2",
      response: { subtype: "success", result: { behavior: "allow", message: "" } },
    });
    expect(await Promise.all(asked)).toEqual([
      { behavior: "allow" },
      { behavior: "deny" },
      { behavior: "allow", message: "" },
    ]);
  });
});
