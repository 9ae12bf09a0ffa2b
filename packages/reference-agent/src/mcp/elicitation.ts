import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { ElicitationResult } from "@signalbox/agent";
import type { Session } from "../session.ts";
import type { Question } from "./question.ts";

/** Asks a person on behalf of a server. Hooks may answer for the person, and change the answer. */
export async function elicit(
  session: Session,
  server: string,
  question: Question,
  signal: AbortSignal,
): Promise<ElicitationResult> {
  const byHook = await hookAnswer(session, server, question, signal);
  if (byHook) return byHook;
  return askPerson(session, server, question, signal);
}

/** Asks the person without calling hooks first. */
export async function askPerson(
  session: Session,
  server: string,
  question: Question,
  signal: AbortSignal,
): Promise<ElicitationResult> {
  const answer = await session.context.host.elicit(getRequest(server, question), signal);
  const final = await afterHooks(session, server, question, answer, signal);
  notify(
    session,
    "elicitation_response",
    `Elicitation response for server "${server}": ${final.action}`,
  );
  return final;
}

/** Tells hosts that the server considers the task behind a link completed. */
export function tellCompleted(session: Session, server: string, elicitationId: string): void {
  session.say({
    type: "system",
    subtype: "elicitation_complete",
    mcp_server_name: server,
    elicitation_id: elicitationId,
  });
  const message = `MCP server "${server}" confirmed elicitation ${elicitationId} complete`;
  notify(session, "elicitation_complete", message);
}

function getRequest(server: string, question: Question): JsonObject {
  const { message, mode, _meta: meta } = question;
  const shown = isObject(meta) ? meta["anthropic/permissionDisplay"] : undefined;
  const { title, displayName, description } = isObject(shown) ? shown : {};
  return {
    mcp_server_name: server,
    message,
    mode,
    ...(question.mode === "url"
      ? { url: question.url, elicitation_id: question.elicitationId }
      : {
          requested_schema: question.requestedSchema,
          property_order: Object.keys(question.requestedSchema.properties),
        }),
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof displayName === "string" ? { display_name: displayName } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

export async function hookAnswer(
  session: Session,
  server: string,
  question: Question,
  signal: AbortSignal,
): Promise<ElicitationResult | undefined> {
  const { message, mode } = question;
  const details = {
    mcp_server_name: server,
    message,
    mode,
    ...(question.mode === "url"
      ? { url: question.url, elicitation_id: question.elicitationId }
      : { requested_schema: question.requestedSchema }),
  };
  return reportElicitation(session, "Elicitation", details, signal);
}

async function afterHooks(
  session: Session,
  server: string,
  question: Question,
  { action, content }: ElicitationResult,
  signal: AbortSignal,
): Promise<ElicitationResult> {
  const answer = { action, ...(content === undefined ? {} : { content }) };
  const details = {
    mcp_server_name: server,
    ...(question.mode === "url" ? { elicitation_id: question.elicitationId } : {}),
    mode: question.mode,
    ...answer,
  };
  const changed = await reportElicitation(session, "ElicitationResult", details, signal);
  if (!changed) return answer;
  return changed.action === "decline" ? changed : { ...answer, ...changed };
}

/**
 * Returns the answer of hooks of the settings. Hooks of the host are called, but their answer does
 * not count.
 */
async function reportElicitation(
  session: Session,
  event: "Elicitation" | "ElicitationResult",
  details: JsonObject,
  signal: AbortSignal,
): Promise<ElicitationResult | undefined> {
  const subject = String(details["mcp_server_name"]);
  const { blockedBy, elicited } = await session.hooks.run(event, details, { subject, signal });
  if (blockedBy !== undefined) return { action: "decline" };
  if (elicited?.event !== event) return undefined;
  const { action, content } = elicited;
  if (action === "decline") return { action };
  return { action, ...(content === undefined ? {} : { content }) };
}

function notify(session: Session, kind: string, message: string): void {
  const details = { message, notification_type: kind };
  void session.hooks.run("Notification", details, { subject: kind });
}
