import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attempts } from "../conversation/attempts.ts";
import type { MessagesRequest } from "../conversation/request.ts";
import { createBeats, type Envelope } from "../reply/beats.ts";
import { planReply } from "../reply/plan.ts";
import type { Script } from "../script/types.ts";
import { pumpStream, pumpWhole } from "./pump.ts";
import { refuse } from "./refuse.ts";

type Asked = {
  request: MessagesRequest;
  response: ServerResponse;
  requestId: string;
  envelope: Omit<Envelope, "model">;
  /** Aborts when the client has left or the server closes. */
  signal: AbortSignal;
};

/** Answers POST /v1/messages. */
export async function answerMessages(script: Script, attempts: Attempts, asked: Asked) {
  const { request, response, requestId, envelope, signal } = asked;
  const { failed, fail } = attempts.of(request);
  const plan = planReply(script, request, failed);
  const { message, failure } = plan;
  if (failure) fail();
  const waits = message.steps.filter((step) => step.do === "wait");
  // Once the first word is out an error can only be an event of the stream.
  if (failure?.kind === "error" && (!request.stream || waits.length === message.steps.length)) {
    for (const { ms } of waits) await sleep(ms, undefined, { signal });
    return refuse(response, failure.error, requestId);
  }
  const type = request.stream ? "text/event-stream; charset=utf-8" : "application/json";
  response.writeHead(200, { "content-type": type, "cache-control": "no-cache" });
  const beats = createBeats(plan, { ...envelope, model: request.model });
  await (request.stream ? pumpStream : pumpWhole)(response, beats, signal);
}
