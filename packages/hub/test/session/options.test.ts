import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NewSession, SessionOptionsChange } from "@signalbox/api";
import { EngineStage, person } from "@signalbox/testing/engine-stage";
import { until } from "@signalbox/testing/until";
import { refusal } from "./bench.ts";

setDefaultTimeout(180_000);

interface ModelRequest {
  readonly body: {
    readonly model: string;
    readonly system: unknown;
    readonly tools?: readonly { readonly name: string; readonly input_schema: unknown }[];
    readonly output_config?: { readonly effort?: string };
  };
}

/** An HTTP server that keeps the headers with which an MCP client comes. */
function startMcpListener() {
  const seen: { path: string; header: string | null }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      seen.push({ path: pathname, header: request.headers.get("x-key") });
      return new Response(null, { status: 404 });
    },
  });
  return {
    seen,
    url: (path: string) => `http://127.0.0.1:${server.port}${path}`,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const parseRequests = (stage: EngineStage): ModelRequest["body"][] =>
  stage.requests.map((request) => {
    const parsed = JSON.parse(request) as ModelRequest["body"] & Partial<ModelRequest>;
    return parsed.body ?? parsed;
  });

/** Uses the variables and the JSON Schema of `makeOptions`. */
const USES_OPTIONS = `::tool Bash {"command":"printf %s \\"$VISIBLE $HIDDEN\\" > variables.txt"}
::tool StructuredOutput {"verdict":"yes"}`;
const answerSchema = { type: "object", properties: { verdict: { type: "string" } } };

function makeOptions(stage: EngineStage, listener: ReturnType<typeof startMcpListener>) {
  const extra = join(stage.place, "extra");
  mkdirSync(extra);
  const command = `printf '%s' "$KEY" > ${join(stage.folder, "server.txt")}`;
  return {
    model: "opus",
    effort: "low",
    systemPrompt: { mode: "append", text: "Answer like a pirate-7." },
    addDirs: [extra],
    variables: { HIDDEN: "hidden-3", VISIBLE: { value: "visible-2" } },
    mcpServers: {
      local: { command: "sh", args: ["-c", command], env: { KEY: "server-key-1" } },
      far: { type: "http", url: listener.url("/http"), headers: { "X-Key": "http-key" } },
      stream: { type: "sse", url: listener.url("/sse"), headers: { "X-Key": "sse-key" } },
    },
    jsonSchema: answerSchema,
  } satisfies Partial<NewSession>;
}

/** Claude Code had the options of `makeOptions`, and no secret of them is told to anybody. */
async function expectOptionsInUse(
  stage: EngineStage,
  id: string,
  listener: ReturnType<typeof startMcpListener>,
): Promise<void> {
  const [request] = parseRequests(stage);
  expect(request?.model).toContain("opus");
  expect(request?.output_config?.effort).toBe("low");
  expect(JSON.stringify(request?.system)).toContain("Answer like a pirate-7.");
  expect(JSON.stringify(request?.system)).toContain("Claude Code");
  expect(JSON.stringify(request)).toContain(join(stage.place, "extra"));
  const output = request?.tools?.find(({ name }) => name === "StructuredOutput");
  expect(output?.input_schema).toMatchObject(answerSchema);
  const read = (name: string) => readFileSync(join(stage.folder, name), "utf8");
  expect(read("variables.txt")).toBe("visible-2 hidden-3");
  expect(read("server.txt")).toBe("server-key-1");
  expect(listener.seen).toContainEqual({ path: "/http", header: "http-key" });
  await until(() => listener.seen.some(({ path }) => path === "/sse"));
  expect(listener.seen).toContainEqual({ path: "/sse", header: "sse-key" });

  // The board stays short.
  const view = stage.engine.sessions.get(id);
  expect(Object.keys(view.options)).not.toContain("systemPrompt");
  const options = stage.engine.sessions.getOptions(id);
  expect(options).toMatchObject({
    effort: "low",
    systemPrompt: { mode: "append", text: "Answer like a pirate-7." },
    variables: { HIDDEN: null, VISIBLE: { value: "visible-2" } },
    mcpServers: { local: { env: { KEY: null } }, far: { headers: { "X-Key": null } } },
    jsonSchema: answerSchema,
  });
  const told = JSON.stringify([view, options, await stage.store.audit(0, 1000)]);
  for (const secret of ["hidden-3", "server-key-1", "http-key"]) {
    expect(told).not.toContain(secret);
  }
}

describe.each(["stdio", "sdk"])("[HB110] over %s, Claude Code is given", (driver) => {
  test("[HB110] model, effort, system prompt, folders, variables, MCP servers and a JSON Schema", async () => {
    await using stage = await EngineStage.open();
    using listener = startMcpListener();
    const options = makeOptions(stage, listener);
    const { id } = await stage.create({
      driver,
      policy: "autonomous",
      confirmed: true,
      ...options,
      prompt: { text: USES_OPTIONS },
    });
    await stage.turns(id, 1);
    await expectOptionsInUse(stage, id, listener);
  });

  test("[HB113] the same options after they were changed in a parked session", async () => {
    await using stage = await EngineStage.open();
    using listener = startMcpListener();
    const { id } = await stage.create({ driver, policy: "autonomous", confirmed: true });
    await stage.engine.sessions.changeOptions(id, makeOptions(stage, listener), person);
    await stage.send(id, USES_OPTIONS);
    await stage.turns(id, 1);
    await expectOptionsInUse(stage, id, listener);

    // While the agent runs, it keeps what it was started with, and the session says so.
    const changed = await stage.engine.sessions.changeOptions(
      id,
      {
        model: "haiku",
        systemPrompt: { mode: "append", text: "Answer like a ninja-8." },
        variables: { HIDDEN: null },
        mcpServers: null,
        jsonSchema: null,
      },
      person,
    );
    expect(changed.optionsPending).toBe(true);
    await stage.send(id, "::say still the old model");
    await stage.turns(id, 2);
    expect(parseRequests(stage).at(-1)?.model).toContain("opus");
    await stage.engine.sessions.stop(id, person);
    expect(stage.engine.sessions.get(id).optionsPending).toBeUndefined();
    await stage.send(
      id,
      `::tool Bash {"command":"printf %s \\"[$VISIBLE][$HIDDEN]\\" > variables.txt"}\n::say done`,
    );
    await stage.turns(id, 3);
    const last = parseRequests(stage).at(-1);
    expect(last?.model).toContain("haiku");
    expect(last?.output_config?.effort ?? "low").toBe("low");
    expect(JSON.stringify(last?.system)).toContain("Answer like a ninja-8.");
    expect(JSON.stringify(last?.system)).not.toContain("pirate-7");
    expect(last?.tools?.some(({ name }) => name === "StructuredOutput")).toBe(false);
    expect(readFileSync(join(stage.folder, "variables.txt"), "utf8")).toBe("[][hidden-3]");
    expect(stage.engine.sessions.getOptions(id)).not.toHaveProperty("mcpServers");
  });

  test("[HB110] a system prompt of its own, a fallback model and limits", async () => {
    await using stage = await EngineStage.open();
    const run = async (options: Partial<NewSession>, text: string) => {
      const { id } = await stage.create({ driver, ...options, prompt: { text } });
      await stage.turns(id, 1);
      return (await stage.items(id)).findLast(({ kind }) => kind === "turn-end");
    };
    await run(
      {
        model: "opus",
        fallbackModel: "haiku",
        systemPrompt: { mode: "replace", text: "You are a test-9." },
      },
      "::overload x3\n::say done",
    );
    const requests = parseRequests(stage);
    expect(JSON.stringify(requests[0]?.system)).toContain("You are a test-9.");
    expect(JSON.stringify(requests[0]?.system)).not.toContain("interactive agent");
    expect(requests.at(-1)?.model).toContain("haiku");
    writeFileSync(join(stage.folder, "a.txt"), "a");
    const twice = `::tool Read {"file_path":"${join(stage.folder, "a.txt")}"}\n::say done`;
    expect(await run({ maxTurns: 1 }, twice)).toMatchObject({
      status: "error",
      error: expect.stringContaining("maximum number of turns"),
    });
    expect(await run({ maxBudgetUsd: 0.000_001 }, twice)).toMatchObject({
      status: "error",
      error: expect.stringContaining("maximum budget"),
    });
  });
});

test("[HB111] an option that the agent's version lacks is refused before anything starts", async () => {
  await using stage = await EngineStage.open();
  const views = await stage.engine.settings.listAgents();
  const old = views.find(({ name }) => name === "old");
  expect(old).toMatchObject({ unsupported: [{ option: "effort", since: "2.1.40" }] });
  expect(views.find(({ name }) => name === "claude-code")).not.toHaveProperty("unsupported");
  const make = (options: Partial<NewSession>) => stage.create({ agent: "old", ...options });
  const refused = (await make({ effort: "high" }).catch((failure: unknown) => failure)) as Error;
  expect(refused).toMatchObject({ status: 422, code: "option-not-supported" });
  expect(refused.message).toBe(
    'Claude Code 2.1.7 does not support the option "effort" (--effort): 2.1.40 or newer is needed. Leave it out, update Claude Code, or choose another agent.',
  );
  expect(stage.engine.sessions.list()).toEqual([]);
  const { id } = await make({});
  const change = (options: SessionOptionsChange) =>
    refusal(stage.engine.sessions.changeOptions(id, options, person));
  expect(await change({ effort: "high" })).toEqual({ status: 422, code: "option-not-supported" });
  await stage.engine.sessions.changeOptions(id, { agent: null, effort: "high" }, person);
  expect(await change({ agent: "old" })).toEqual({ status: 422, code: "option-not-supported" });
  expect(stage.engine.sessions.get(id)).toMatchObject({ agent: "claude-code", state: "new" });
  await make({ maxTurns: 3, systemPrompt: { mode: "append", text: "x" } });
  await stage.create({ effort: "high" });
  expect(await refusal(stage.create({ effort: "utmost" }))).toEqual({
    status: 422,
    code: "no-such-effort",
  });
});

test("[HB112] an account whose folder is gone starts nothing, and works again once the folder is back", async () => {
  await using stage = await EngineStage.open();
  const account = join(stage.place, "account");
  mkdirSync(account);
  const variables = { CLAUDE_CONFIG_DIR: { value: account } };
  const { id } = await stage.create({ variables, prompt: { text: "::say one" } });
  await stage.turns(id, 1);
  await stage.engine.sessions.stop(id, person);

  rmSync(account, { recursive: true });
  const refused = stage.create({ variables }).catch((failure: unknown) => failure);
  expect(await refused).toMatchObject({ status: 422, code: "bad-environment" });
  await stage.send(id, "::say two");
  await stage.until(() => stage.engine.sessions.get(id).state === "crashed");
  const { problem, queue } = stage.engine.sessions.get(id);
  expect(problem).toContain(`CLAUDE_CONFIG_DIR to ${account}, which does not exist`);
  expect(queue.map(({ text }) => text)).toEqual(["::say two"]);

  mkdirSync(account);
  await stage.engine.sessions.retry(id, person, { fresh: true });
  await stage.until(() => stage.engine.sessions.get(id).queue.length === 0);
});

test("[HB114] a project remembers options, which its new sessions have unless they say otherwise", async () => {
  await using stage = await EngineStage.open();
  const { folder } = stage;
  const { projectOptions } = stage.engine;
  const options = {
    model: "haiku",
    systemPrompt: { mode: "append", text: "Answer like a judge-5." },
    variables: { PLACE: { value: "court-6" } },
    policy: "accept-edits",
    isolation: "off",
  } as const;
  await projectOptions.set({ folder, options }, person);
  const shown = `::tool Bash {"command":"printf %s \\"$PLACE\\" > place.txt"}\n::say done`;
  const asked = { policy: "autonomous", confirmed: true } as const;
  const { id } = await stage.create({ ...asked, prompt: { text: shown } });
  await stage.turns(id, 1);
  const [request] = parseRequests(stage);
  expect(request?.model).toContain("haiku");
  expect(JSON.stringify(request?.system)).toContain("Answer like a judge-5.");
  expect(readFileSync(join(folder, "place.txt"), "utf8")).toBe("court-6");

  const other = await stage.create({
    model: "opus",
    withoutDefaults: ["systemPrompt", "variables"],
  });
  expect(stage.engine.sessions.getOptions(other.id)).toEqual({
    agent: "claude-code",
    driver: "stdio",
    model: "opus",
    policy: "accept-edits",
    isolation: "off",
  });
  // A driver's session has no looser permissions than a driver may choose.
  const driver = { name: "a driver", device: "d", role: "driver" } as const;
  const made = await stage.engine.sessions.create(crypto.randomUUID(), { folder }, driver);
  expect(stage.engine.sessions.getOptions(made.id)).toEqual({
    agent: "claude-code",
    driver: "stdio",
    model: "haiku",
    systemPrompt: options.systemPrompt,
    variables: options.variables,
    policy: "default",
  });
  const wrong = projectOptions.set({ folder, options: { agent: "nobody" } }, person);
  expect(await refusal(wrong)).toEqual({ status: 422, code: "no-such-agent" });
  await projectOptions.set({ folder, options: null }, person);
  const plain = await stage.create({});
  expect(stage.engine.sessions.getOptions(plain.id)).not.toHaveProperty("model");
});
