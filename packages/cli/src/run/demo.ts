import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoScript, startModel } from "@signalbox/model";
import { bundledAgent, findAgent } from "@signalbox/host/agents";
import { type Launch } from "@signalbox/host";
import { referenceAgent } from "./reference-agent.ts";

/** Runs the real Claude Code with no account and no network: with a scripted model and its own home folder. */
interface Demo extends AsyncDisposable {
  /** The agent's home folder. */
  readonly home: string;
  readonly launch: Pick<
    Launch,
    "folder" | "agentPath" | "environment" | "inheritFrom" | "permissionMode"
  >;
  /** Notes about the demo for the person. */
  readonly remarks: readonly string[];
}

export async function openDemo(named: {
  folder?: string;
  agentPath?: string;
  /** Nobody can be asked, so the demo may edit files. They are deleted with its folder. */
  mayEdit: boolean;
  /** What the model says, if not the tour that answers any prompt. */
  script?: string;
  /** The name of the demo's own folder. */
  project?: string;
}): Promise<Demo> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-demo-")));
  const { script = demoScript(), project = "project" } = named;
  const [home, folder] = [join(place, "home"), named.folder ?? join(place, project)];
  mkdirSync(home);
  if (named.folder === undefined) mkdirSync(folder);
  const model = await startModel({ script, chunkDelayMs: 15 });
  const { PATH, LANG, TERM } = process.env;
  const hasClaudeCode = named.agentPath !== undefined || isClaudeCodeInstalled(PATH);
  const agentPath =
    named.agentPath ?? bundledAgent() ?? (hasClaudeCode ? undefined : referenceAgent.path);
  return {
    home,
    remarks: [
      ...(named.mayEdit
        ? ["No terminal to ask on: the demo can edit files in its own folder."]
        : []),
      ...(hasClaudeCode
        ? []
        : ["Claude Code is not installed: the demo uses signalbox-agent in its place."]),
    ],
    launch: {
      folder,
      ...(named.mayEdit && { permissionMode: "acceptEdits" }),
      ...(agentPath !== undefined && { agentPath }),
      // Keeps the person's account and settings out of the demo.
      inheritFrom: { PATH, LANG, TERM, HOME: home },
      environment: {
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "demo-without-an-account",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    },
    async [Symbol.asyncDispose]() {
      await model.close();
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Whether there is a Claude Code on the search path, or one that came with the Agent SDK. */
function isClaudeCodeInstalled(path: string | undefined): boolean {
  try {
    findAgent(undefined, { ...(path !== undefined && { PATH: path }) });
    return true;
  } catch {
    return false;
  }
}
