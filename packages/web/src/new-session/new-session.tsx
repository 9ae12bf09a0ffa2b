import type { AgentView, NewSession as Options } from "@signalbox/api";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { formatCount } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import {
  confirmPolicy,
  policiesUpTo,
  policyNames,
  policyLabels,
} from "../session-info/policies.ts";
import ConfirmDialog from "../ui/confirm-dialog.tsx";
import { Modal } from "../ui/modal.tsx";
import { isPlainEnter } from "../browser/typing.ts";
import { Progress } from "../ui/progress.tsx";
import { openSessionToWrite } from "../navigation/focus.ts";
import { preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { useMachines } from "../store/machines.ts";
import { useMayDecide, useSessions } from "../store/use-hub.ts";
import { NEW_SESSION_DRAFT, useFormDraft } from "../store/use-form-draft.ts";
import { useAppContext } from "../store/app-context.tsx";
import { FolderCodeNote } from "../trust/folder-note.tsx";
import type { PrefilledPrompt } from "../navigation/prefilled-prompt.ts";
import { SelectField } from "./select-field.tsx";
import {
  type AdvancedOptions,
  noAdvancedOptions,
  buildOptions,
  findServerProblem,
  describeStart,
} from "./options.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { MoreOptions } from "./more-options.tsx";
import { recentFolders } from "./recent-folders.ts";
import { errorMessage } from "../text/error-message.ts";

interface Props {
  readonly folder?: string;
  readonly runner?: string;
  readonly prefill?: PrefilledPrompt;
  readonly onClose: () => void;
}

/** The dialog for a new session, with the last folder and the defaults of the agent preselected. */
export default function NewSession({
  folder: wanted,
  runner: wantedRunner,
  prefill,
  onClose,
}: Props) {
  const { client, toasts } = useAppContext();
  const sessions = useSessions();
  const { machines, runner, setRunner } = useMachineChoice(wantedRunner);
  const recent = useMemo(() => recentFolders(sessions, runner), [sessions, runner]);
  const [chosen, setFolder] = useState(wanted ?? recent[0]);
  const home = useHome(chosen === undefined, runner);
  const folder = chosen ?? home ?? "";
  const [text, setText] = useFormDraft(
    prefill ? `carried/${prefill.id}` : NEW_SESSION_DRAFT,
    prefill?.text ?? "",
  );
  const [choices, setChoices] = useState<Partial<Options>>({});
  const [extras, setExtras] = useState<AdvancedOptions>(noAdvancedOptions);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const agents = useAgents(runner);
  const say = useRef<HTMLTextAreaElement>(null);
  const entered = useRef(false);
  const shown = useIsMounted();

  const agent = agents.find(({ name }) => name === (choices.agent ?? "claude-code")) ?? agents[0];
  const strong = useMayDecide();
  const { enterSends } = useSignal(preferences);
  const choose = (name: keyof Options, value: string) =>
    setChoices((held) => ({ ...held, [name]: value === "" ? undefined : value }));
  const start = async () => {
    const wrong = chosen?.trim() === "" ? NO_FOLDER : findServerProblem(extras.servers);
    setProblem(wrong);
    if (wrong !== undefined) return;
    const confirmation = await confirmPolicy(choices.policy);
    if (!confirmation) return;
    setBusy(true);
    try {
      const prompt = buildPrompt(text, prefill);
      const made = await client.createSession({
        folder: folder === "" ? (await client.folders(machineParam(runner))).path : folder,
        ...machineParam(runner),
        ...choices,
        ...buildOptions(extras),
        ...confirmation,
        ...prompt,
      });
      setText(undefined);
      prefill?.onCreated();
      onClose();
      openSessionToWrite(made.id);
    } catch (failure) {
      setProblem(errorMessage(failure));
      if (!shown.current) toasts.showError("The session was not made", failure);
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPlainEnter(event) || busy) return;
    // If Enter makes new lines, it starts the session only while the text is empty.
    if (!enterSends && text !== "" && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void start();
  };
  return (
    <Modal title="New session" first={say} onClose={onClose}>
      <ConfirmDialog />
      {busy && <Progress label={describeStart(extras)} />}
      <form
        className="flex flex-col gap-3 overflow-y-auto p-4"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <label className="flex flex-col gap-1">
          <span className="text-small text-dim">What should be done (may wait)</span>
          <textarea
            ref={say}
            className="field min-h-18"
            rows={3}
            data-role="first-prompt"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
            onFocus={({ currentTarget: area }) => {
              // Puts the caret after a restored draft.
              if (!entered.current) area.setSelectionRange(area.value.length, area.value.length);
              entered.current = true;
            }}
          />
        </label>
        {prefill && prefill.images.length > 0 && (
          <p className="text-small text-dim">
            {formatCount(prefill.images.length, "image")} go along.
          </p>
        )}
        {machines.length > 1 && (
          <SelectField
            label="Machine"
            role="machine-choice"
            value={runner ?? ""}
            onChange={(next) => {
              setRunner(next);
              setFolder(recentFolders(sessions, next)[0]); // Folders belong to one machine.
              setProblem(undefined);
            }}
          >
            {machines.map(({ id, machine, online }) => (
              <option key={id} value={id}>
                {inert(machine)}
                {online ? "" : " (away)"}
              </option>
            ))}
          </SelectField>
        )}
        <FolderPicker
          key={runner}
          runner={runner}
          value={folder}
          recent={recent}
          told={problem !== undefined}
          onChange={(next) => {
            setFolder(next);
            setProblem(undefined);
          }}
        />
        {folder !== "" && <FolderCodeNote folder={folder} runner={runner} />}
        <div className="flex flex-wrap gap-3">
          <SelectField
            label="Agent"
            value={choices.agent ?? ""}
            onChange={(value) => choose("agent", value)}
          >
            <option value="">claude-code</option>
            {agents
              .filter(({ name }) => name !== "claude-code")
              .map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
          </SelectField>
          <label className="flex flex-col gap-1">
            <span className="text-small text-dim">Model</span>
            <input
              className="field"
              list="models"
              placeholder="the agent's own"
              value={choices.model ?? ""}
              onChange={(event) => choose("model", event.target.value)}
            />
            <datalist id="models">
              {["default", "opus", "sonnet", "haiku", ...(agent?.models ?? [])].map((model) => (
                <option key={model} value={model} />
              ))}
            </datalist>
          </label>
          <SelectField
            label="Effort"
            value={choices.effort ?? ""}
            onChange={(value) => choose("effort", value)}
          >
            <option value="">the agent's own</option>
            {["low", "medium", "high", "xhigh", "max"].map((effort) => (
              <option key={effort}>{effort}</option>
            ))}
          </SelectField>
          <SelectField
            label="Policy"
            value={choices.policy ?? ""}
            onChange={(value) => choose("policy", value)}
          >
            {(strong ? policyNames : policiesUpTo("default")).map((name) => (
              <option key={name} value={name === "default" ? "" : name}>
                {name}: {policyLabels[name]}
              </option>
            ))}
          </SelectField>
        </div>
        <MoreOptions value={extras} mayLoosen={strong} onChange={setExtras} />
        <AgentVersion agent={agent} />
        {choices.policy === "autonomous" && (
          <p className="text-failed">
            For eight hours it asks for nothing and runs what it likes as you. Choose it only where
            that cannot hurt.
          </p>
        )}
        <div className="sticky -bottom-4 -mx-4 -mb-4 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-ground px-4 py-3">
          {problem !== undefined && (
            <p className="max-h-32 w-full overflow-y-auto text-failed wrap-anywhere" role="alert">
              {inert(problem)}
            </p>
          )}
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-solid" data-role="start" disabled={busy}>
            {busy ? `${describeStart(extras)}…` : text.trim() === "" ? "Make the session" : "Start"}{" "}
            <span className="kbd">Enter</span>
          </button>
        </div>
      </form>
    </Modal>
  );
}

function buildPrompt(text: string, { images = [] }: Partial<PrefilledPrompt> = {}) {
  if (text.trim() === "" && images.length === 0) return {};
  return { prompt: { text, ...(images.length > 0 && { images }) } };
}

const NO_FOLDER = "Say in which folder it should work: type its path, choose one, or look for it.";

/** The selected machine, or the hub's own. */
function useMachineChoice(wanted: string | undefined) {
  const machines = useMachines();
  const [chosen, setRunner] = useState(wanted);
  const known = machines.find(({ id }) => id === chosen) ?? machines.find(({ own }) => own);
  return { machines, runner: known?.id, setRunner };
}

function machineParam(runner: string | undefined): { runner?: string } {
  return runner === undefined ? {} : { runner };
}

/** The home folder on the selected machine, which is the default folder. */
function useHome(wanted: boolean, runner: string | undefined): string | undefined {
  const { client } = useAppContext();
  const [home, setHome] = useState<string>();
  useEffect(() => {
    if (!wanted) return undefined;
    let cancelled = false;
    const load = async () => {
      const { path } = await client.folders(machineParam(runner));
      if (!cancelled) setHome(path);
    };
    setHome(undefined);
    void load().catch(() => undefined); // Starting the session asks again and reports the error.
    return () => {
      cancelled = true;
    };
  }, [client, wanted, runner]);
  return home;
}

/** The version of the agent that will run, and whether it is tested. */
function AgentVersion({ agent }: { agent: AgentView | undefined }) {
  // Reserves the line, so that nothing below moves.
  if (!agent) return <p className="text-small">&nbsp;</p>;
  if (agent.problem !== undefined) return <p className="text-small text-failed">{agent.problem}</p>;
  if (!agent.found) return null;
  const { path, version, versionClass } = agent.found;
  return (
    <p className="text-small text-dim">
      {version} ({versionClass}) at <span className="font-mono">{path}</span>
    </p>
  );
}

/** Whether the dialog is still open and can show an error. */
function useIsMounted(): RefObject<boolean> {
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return shown;
}

function useAgents(runner: string | undefined): readonly AgentView[] {
  const { client } = useAppContext();
  const [agents, setAgents] = useState<readonly AgentView[]>([]);
  useEffect(() => {
    let cancelled = false;
    const load = async () => {
      const found = await client.agents(runner);
      if (!cancelled) setAgents(found);
    };
    void load().catch(() => undefined); // The list then only offers the default agent.
    return () => {
      cancelled = true;
    };
  }, [client, runner]);
  return agents;
}
