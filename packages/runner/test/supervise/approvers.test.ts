import { describe, expect, test } from "bun:test";
import type { HubDecision } from "@signalbox/api";
import { decisionText, delegationText, elevationText } from "@signalbox/api/proof";
import { createSigningKey } from "../../src/link/keys.ts";
import { Approvers } from "../../src/supervise/approvers.ts";

const ask = { id: "ask", hash: "hash", session: "session" };
const allow: HubDecision = { behavior: "allow" };
const signedBy = (key: ReturnType<typeof createSigningKey>, by: string, decision = allow) => ({
  by,
  signature: key.sign(decisionText(ask.id, ask.hash, decision)),
});

describe("the runner", () => {
  test("[HD14] accepts a decision that an approver's key has signed, for this ask and unchanged", () => {
    const approvers = new Approvers();
    const desk = createSigningKey();
    const stranger = createSigningKey();
    approvers.set([{ id: "desk", publicKey: desk.publicKey }]);
    const signed = signedBy(desk, "desk");
    expect(approvers.hasSigned(ask, allow, signed)).toBe(true);
    expect(approvers.hasSigned({ ...ask, id: "another" }, allow, signed)).toBe(false);
    expect(approvers.hasSigned({ ...ask, hash: "other input" }, allow, signed)).toBe(false);
    const edited: HubDecision = { behavior: "allow", input: { command: "rm" } };
    expect(approvers.hasSigned(ask, edited, signed)).toBe(false);
    expect(approvers.hasSigned(ask, allow, signedBy(stranger, "desk"))).toBe(false);
    expect(approvers.hasSigned(ask, allow, signedBy(stranger, "stranger"))).toBe(false);
    approvers.set([]);
    expect(approvers.hasSigned(ask, allow, signed)).toBe(false);
  });

  test("[HD14] accepts a terminal's decision only with the signature of the device that confirmed it", () => {
    const approvers = new Approvers();
    const desk = createSigningKey();
    const terminal = createSigningKey();
    const device = { id: "desk", publicKey: desk.publicKey };
    const confirmed = (
      by: ReturnType<typeof createSigningKey>,
      publicKey = terminal.publicKey,
    ) => ({
      id: "terminal",
      publicKey: terminal.publicKey,
      confirmedBy: { device: "desk", signature: by.sign(elevationText("terminal", publicKey)) },
    });
    const signed = signedBy(terminal, "terminal");
    approvers.set([device, confirmed(desk)]);
    expect(approvers.hasSigned(ask, allow, signed)).toBe(true);
    for (const wrong of [confirmed(terminal), confirmed(desk, desk.publicKey)]) {
      approvers.set([device, wrong]);
      expect(approvers.hasSigned(ask, allow, signed)).toBe(false);
    }
    approvers.set([confirmed(desk)]); // its device was revoked
    expect(approvers.hasSigned(ask, allow, signed)).toBe(false);
  });

  test("[HD14] accepts a delegated decision for the session, the key and the time that the device has named", () => {
    let now = 1000;
    const approvers = new Approvers(() => now);
    const desk = createSigningKey();
    const hub = createSigningKey();
    approvers.set([{ id: "desk", publicKey: desk.publicKey }]);
    const granted = { publicKey: hub.publicKey, session: "session", expiresAt: 2000 };
    const delegation = { ...granted, signature: desk.sign(delegationText(granted)) };
    const signed = { ...signedBy(hub, "desk"), delegation };
    expect(approvers.hasSigned(ask, allow, signed)).toBe(true);
    expect(approvers.hasSigned({ ...ask, session: "another" }, allow, signed)).toBe(false);
    const longer = { ...signed, delegation: { ...delegation, expiresAt: 9000 } };
    expect(approvers.hasSigned(ask, allow, longer)).toBe(false);
    const { publicKey } = createSigningKey();
    expect(
      approvers.hasSigned(ask, allow, { ...signed, delegation: { ...delegation, publicKey } }),
    ).toBe(false);
    now = 2000;
    expect(approvers.hasSigned(ask, allow, signed)).toBe(false);
  });
});
