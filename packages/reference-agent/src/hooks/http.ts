import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { Session } from "../session.ts";
import type { HookEnd } from "./hook-end.ts";
import type { SettingsHook } from "./settings-hooks.ts";

const MAX_ANSWER = 1_000_000;

/** Posts the event to a hook's address. A response that is not JSON is no answer. */
export async function postHook(
  session: Session,
  hook: SettingsHook,
  input: JsonObject,
  signal: AbortSignal,
): Promise<HookEnd> {
  const failed = (stderr: string, code?: number, stdout = ""): HookEnd => ({
    code,
    stdout,
    stderr,
    failure: "unusable",
  });
  if (!mayCall(session, hook.name)) {
    return failed(
      `HTTP hook blocked: ${hook.name} does not match any pattern in allowedHttpHookUrls`,
    );
  }
  try {
    const answer = await fetch(hook.name, {
      method: "POST",
      headers: { ...getHeaders(session, hook), "content-type": "application/json" },
      body: JSON.stringify(input),
      redirect: "manual", // Only the address in the settings may be called.
      signal,
    });
    const { status } = answer;
    if (!answer.ok) {
      await answer.body?.cancel();
      return failed(`HTTP ${status} from ${hook.name}`, status);
    }
    const text = (await answer.text()).slice(0, MAX_ANSWER);
    if (text.trim() === "" || isObjectText(text)) return { code: status, stdout: text, stderr: "" };
    const why = `HTTP hook must return JSON, but got non-JSON response body: ${text}`;
    return failed(why, status, text);
  } catch (cause) {
    return failed((cause as Error).message);
  }
}

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * Whether `allowedHttpHookUrls` of all files together allow the address. Without that setting,
 * every address is allowed.
 */
function mayCall({ settings }: Session, url: string): boolean {
  const lists = getLists(settings.files, "allowedHttpHookUrls");
  if (lists.length === 0) return true;
  return lists.flat().some((pattern) => {
    const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "s").test(url);
  });
}

/** Builds the headers. Variables are inserted if the hook names them and the settings allow it. */
function getHeaders(
  { context, settings }: Session,
  { body }: SettingsHook,
): Record<string, string> {
  const named = new Set(texts(body["allowedEnvVars"]));
  const lists = getLists(settings.files, "httpHookAllowedEnvVars");
  const isOpen = (name: string) =>
    named.has(name) && (lists.length === 0 || lists.flat().includes(name));
  const values = { ...context.environment, ...settings.environment };
  const filled = (text: string) =>
    text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, plain?: string) => {
      const name = braced ?? plain ?? "";
      return isOpen(name) ? (values[name] ?? "") : "";
    });
  const headers = isObject(body["headers"]) ? body["headers"] : {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      filled(String(value)).replace(/[\r\n]/g, ""),
    ]),
  );
}

function getLists(files: readonly { content: JsonObject }[], name: string): string[][] {
  return files.flatMap(({ content }) =>
    Array.isArray(content[name]) ? [texts(content[name])] : [],
  );
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
