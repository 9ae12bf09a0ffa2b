import { type LampKind, type Session, sessionLamp } from "@signalbox/client";
import type { Style } from "../terminal/style.ts";

/** The lamp of a session on a terminal. It has a shape and a word besides its color. */
interface TerminalLamp {
  readonly kind: LampKind;
  readonly word: string;
  readonly shape: string;
  readonly color: "green" | "yellow" | "red" | "plain";
}

const lampStyles: Readonly<Record<LampKind, Pick<TerminalLamp, "shape" | "color">>> = {
  working: { shape: "●", color: "green" },
  waiting: { shape: "▲", color: "yellow" },
  idle: { shape: "○", color: "plain" },
  parked: { shape: "◌", color: "plain" },
  failed: { shape: "✗", color: "red" },
  "catching-up": { shape: "◌", color: "plain" },
};

export function getTerminalLamp(session: Parameters<typeof sessionLamp>[0]): TerminalLamp {
  const lamp = sessionLamp(session);
  return { ...lamp, ...lampStyles[lamp.kind] };
}

/** The suffix after the word of the lamp that says that the agent never asks. */
export function formatPolicySuffix({ policy }: Pick<Session, "policy">): string {
  return policy === "autonomous" ? ", autonomous" : "";
}

export function paintLamp({ shape, color }: TerminalLamp, style: Style): string {
  return color === "plain" ? shape : style[color](shape);
}
