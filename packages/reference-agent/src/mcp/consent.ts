import { isObject } from "@signalbox/protocol/wire";
import type { ElicitationResult } from "@signalbox/agent";
import type { Session } from "../session.ts";
import type { Output } from "../tool.ts";
import { RpcError } from "./channel.ts";
import { askPerson, hookAnswer } from "./elicitation.ts";
import { type Question, readQuestion } from "./question.ts";
import type { McpTool } from "./tool-list.ts";

const CONSENT_NEEDED = -32042;
const MAX_TRIES = 3;

/**
 * Repeats a call that a server refused until a person opens a link, after asking that person.
 * `refused`: the person declined.
 */
export async function callWithConsent(
  session: Session,
  tool: McpTool,
  signal: AbortSignal,
  call: () => Promise<unknown>,
): Promise<{ answer: unknown } | { refused: Output }> {
  for (let tries = 0; ; tries++) {
    try {
      return { answer: await call() };
    } catch (cause) {
      const links = linksIn(cause);
      if (links.length === 0 || tries === MAX_TRIES) throw cause;
      for (const link of links) {
        const refused = await consentTo(link, session, tool, signal);
        if (refused !== undefined) return { refused: { content: refused, structured: refused } };
      }
    }
  }
}

function linksIn(cause: unknown): Question[] {
  if (!(cause instanceof RpcError) || cause.code !== CONSENT_NEEDED) return [];
  const { elicitations } = isObject(cause.data) ? cause.data : {};
  return (Array.isArray(elicitations) ? elicitations : []).flatMap((one) => {
    const question = readQuestion(one);
    return typeof question !== "string" && question.mode === "url" ? [question] : [];
  });
}

async function consentTo(
  link: Question,
  session: Session,
  { server, name }: McpTool,
  signal: AbortSignal,
): Promise<string | undefined> {
  const byHook = await hookAnswer(session, server, link, signal);
  const { action } = byHook ?? (await askPerson(session, server, link, signal));
  if (action === "accept") return undefined;
  const who = byHook ? "a hook" : "the user";
  return `URL elicitation was ${past[action]} by ${who}. The tool "${name}" could not complete because it requires the user to open a URL.`;
}

const past: Record<Exclude<ElicitationResult["action"], "accept">, string> = {
  decline: "declined",
  cancel: "canceled",
};
