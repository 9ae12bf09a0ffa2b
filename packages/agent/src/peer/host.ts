import { errorMessage } from "@signalbox/protocol/text";
import {
  type JsonObject,
  type Peer,
  type ControlRequestOptions,
  SignalboxError,
  isObject,
} from "@signalbox/protocol/wire";
import { elicitationAnswer, hookAnswer, mcpAnswer, permissionAnswer } from "./answers.ts";
import type {
  ControlRequest,
  ElicitationResult,
  HostCallbacks,
  PermissionAnswer,
} from "../agent.ts";

interface HostPeerOptions {
  readonly asksPermission: boolean;
  /** Called when a hook has failed. */
  readonly report: (sentence: string) => void;
  /** Called when a person is asked, and when they have answered. */
  readonly onAsk?: () => void;
  readonly onAnswer?: () => void;
}

/** Creates the functions with which an agent asks the host, over the control plane. */
export function hostCallbacks(peer: Peer, options: HostPeerOptions): HostCallbacks {
  const { asksPermission, report } = options;
  return {
    asksPermission,
    async askPermission(request, signal, taken) {
      options.onAsk?.();
      const answer = await permissionFrom(peer, { subtype: "can_use_tool", ...request }, signal);
      taken?.(answer);
      options.onAnswer?.();
      return answer;
    },
    async hook(callbackId, input, { toolUseId, timeoutMs, signal, onFailure } = {}) {
      const request = {
        subtype: "hook_callback",
        callback_id: callbackId,
        input,
        ...omitUndefined({ tool_use_id: toolUseId }),
      };
      try {
        const wanted = { answer: hookAnswer, ...omitUndefined({ timeoutMs, signal }) };
        return (await peer.request(request, wanted)) as JsonObject;
      } catch (failure) {
        if (!isAnswer(failure)) throw failure;
        report(`Error in hook callback ${callbackId}: ${errorMessage(failure)}`);
        onFailure?.();
        return {};
      }
    },
    async mcpMessage(serverName, message) {
      const request = { subtype: "mcp_message", server_name: serverName, message };
      try {
        const answer = await peer.request(request, { answer: mcpAnswer });
        return isObject(answer) ? answer["mcp_response"] : undefined;
      } catch (failure) {
        // The host has already reported why its server failed.
        const isRefused = SignalboxError.is(failure, "REQUEST_REFUSED");
        throw isRefused ? new Error(failure.data.answer, { cause: failure }) : failure;
      }
    },
    async elicit(request, signal) {
      if (peer.isOver || signal?.aborted) return { action: "cancel" };
      options.onAsk?.();
      try {
        const wanted = { answer: elicitationAnswer, ...omitUndefined({ signal }) };
        return (await peer.request(
          { subtype: "elicitation", ...request },
          wanted,
        )) as ElicitationResult;
      } catch {
        return { action: "cancel" };
      } finally {
        options.onAnswer?.();
      }
    },
    ask(request: ControlRequest, signal) {
      return peer.request(request, omitUndefined({ signal }));
    },
  };
}

async function permissionFrom(
  peer: Peer,
  request: { subtype: string },
  signal: AbortSignal | undefined,
): Promise<PermissionAnswer> {
  try {
    const wanted = { answer: permissionAnswer, ...omitUndefined({ signal }) };
    return (await peer.request(request, wanted)) as PermissionAnswer;
  } catch (failure) {
    return { behavior: "deny", message: describeMissingAnswer(failure), failed: true };
  }
}

/** Whether the host answered, but with an error or in another shape. */
const isAnswer = (failure: unknown): boolean =>
  SignalboxError.is(failure, "REQUEST_REFUSED") || SignalboxError.is(failure, "ANSWER_MALFORMED");

/** Returns the reason why there is no answer, in Claude Code's wording. */
function describeMissingAnswer(failure: unknown): string {
  if (SignalboxError.is(failure, "ANSWER_MALFORMED")) {
    return "The canUseTool callback returned an invalid permission result. Expected {behavior: 'allow', updatedInput?: object} or {behavior: 'deny', message: string}. updatedPermissions may hold at most 4096 updates, rules and directories in all.";
  }
  const isRefused = SignalboxError.is(failure, "REQUEST_REFUSED");
  const reason = isRefused ? failure.data.answer : errorMessage(failure);
  const kind = SignalboxError.is(failure, "CONNECTION_CLOSED") ? "AbortError" : "Error";
  return `Tool permission request failed: ${kind}: ${reason}`;
}

/** Omits undefined fields: `exactOptionalPropertyTypes` distinguishes them from missing ones. */
function omitUndefined<T extends object>(
  fields: T,
): ControlRequestOptions & { [K in keyof T]?: NonNullable<T[K]> } {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [K in keyof T]?: NonNullable<T[K]> };
}
