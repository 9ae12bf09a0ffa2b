import { isObject, type JsonObject } from "@signalbox/protocol/wire";

/** The variables that a host may set: credentials that may expire while a session runs. */
const taken: ReadonlySet<string> = new Set([
  "CLAUDE_CODE_SESSION_ACCESS_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
]);

export interface EnvironmentUpdate {
  readonly variables: Readonly<Record<string, string>>;
  /** The answer, if the host asked for one. */
  readonly answer: string | undefined;
}

/** Applies an `update_environment_variables` line. Returns the variables and the answer. */
export function readEnvironmentUpdate(body: JsonObject): EnvironmentUpdate {
  const { variables, request_id: id } = body;
  const answered = (response: object): string | undefined =>
    typeof id === "string" && id !== ""
      ? JSON.stringify({ type: "control_response", response: { ...response, request_id: id } })
      : undefined;
  if (!isTexts(variables)) {
    const error = "update_environment_variables: variables must be an object of string values";
    return { variables: {}, answer: answered({ subtype: "error", error }) };
  }
  const applied = Object.entries(variables).filter(([name]) => taken.has(name));
  const response = { applied: applied.map(([name]) => name) };
  return {
    variables: Object.fromEntries(applied),
    answer: answered({ subtype: "success", response }),
  };
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((each) => typeof each === "string");
}
