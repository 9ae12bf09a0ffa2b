import type { AgentView, NewSession as Options } from "@signalbox/api";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { counted } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { confirmPolicy, policiesUpTo, policyNames, policyWords } from "../session-info/policies.ts";
import ConfirmDialog from "../ui/confirm-dialog.tsx";
import { Modal } from "../ui/modal.tsx";
import { isEnter } from "../browser/typing.ts";
import { Progress } from "../ui/progress.tsx";
import { goToWrite } from "../navigation/focus.ts";
import { preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { useMachines } from "../store/machines.ts";
import { useMayDecide, useSessions } from "../store/use-hub.ts";
import { NEW_SESSION, useKept } from "../store/use-form-draft.ts";
import { useWorld } from "../store/app-context.tsx";
import { FolderNote } from "../trust/folder-note.tsx";
import type { Carried } from "../navigation/prefilled-prompt.ts";
import { Choice } from "./choice.tsx";
import { type Extras, noExtras, optionsOf, problemOf, startingWords } from "./options.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { More } from "./more-options.tsx";
import { recentFolders } from "./recent-folders.ts";

interface Props {
  readonly folder?: string;
  readonly runner?: string;
  readonly carried?: Carried;
  readonly onClose: () => void;
}

/** A new session. The last folder and the agent's own ways are chosen already: say what to do, and go. */
export default function NewSession({
  folder: wanted,
  runner: wantedRunner,
  carried,
  onClose,
}: Props) {
  const { client, toasts } = useWorld();
  const sessions = useSessions();
  const { machines, runner, setRunner } = useMachineChoice(wantedRunner);
  const recent = useMemo(() => recentFolders(sessions, runner), [sessions, runner]);
  const [chosen, setFolder] = useState(wanted ?? recent[0]);
  const home = useHome(chosen === undefined, runner);
  const folder = chosen ?? home ?? "";
  const [text, setText] = useKept(
    carried ? `carried/${carried.id}` : NEW_SESSION,
    carried?.text ?? "",
  );
  const [choices, setChoices] = useState<Partial<Options>>({});
  const [extras, setExtras] = useState<Extras>(noExtras);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const agents = useAgents(runner);
  const say = useRef<HTMLTextAreaElement>(null);
  const entered = useRef(false);
  const shown = useShown();

  const agent = agents.find(({ name }) => name === (choices.agent ?? "claude-code")) ?? agents[0];
  const strong = useMayDecide();
  const { enterSends } = useSignal(preferences);
  const choose = (name: keyof Options, value: string) =>
    setChoices((held) => ({ ...held, [name]: value === "" ? undefined : value }));
  const start = async () => {
    const wrong = chosen?.trim() === "" ? NO_FOLDER : problemOf(extras.servers);
    setProblem(wrong);
    if (wrong !== undefined) return;
    const confirmation = await confirmPolicy(choices.policy);
    if (!confirmation) return;
    setBusy(true);
    try {
      const prompt = promptOf(text, carried);
      const made = await client.createSession({
        folder: folder === "" ? (await client.folders(onMachine(runner))).path : folder,
        ...onMachine(runner),
        ...choices,
        ...optionsOf(extras),
        ...confirmation,
        ...prompt,
      });
      setText(undefined);
      carried?.onMade();
      onClose();
      goToWrite(made.id);
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
      if (!shown.current) toasts.fail("The session was not made", failure);
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEnter(event) || busy) return;
    // Who has Enter make new lines starts with it only where there is nothing to make one in.
    if (!enterSends && text !== "" && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void start();
  };
  return (
    <Modal title="New session" first={say} onClose={onClose}>
      <ConfirmDialog />
      {busy && <Progress label={startingWords(extras)} />}
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
              // One goes on where one was: what was begun earlier stands there already.
              if (!entered.current) area.setSelectionRange(area.value.length, area.value.length);
              entered.current = true;
            }}
          />
        </label>
        {carried && carried.images.length > 0 && (
          <p className="text-small text-dim">{counted(carried.images.length, "image")} go along.</p>
        )}
        {machines.length > 1 && (
          <Choice
            label="Machine"
            role="machine-choice"
            value={runner ?? ""}
            onChange={(next) => {
              setRunner(next);
              setFolder(recentFolders(sessions, next)[0]); // a folder of one machine is none of another
              setProblem(undefined);
            }}
          >
            {machines.map(({ id, machine, online }) => (
              <option key={id} value={id}>
                {inert(machine)}
                {online ? "" : " (away)"}
              </option>
            ))}
          </Choice>
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
        {folder !== "" && <FolderNote folder={folder} runner={runner} />}
        <div className="flex flex-wrap gap-3">
          <Choice
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
          </Choice>
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
          <Choice
            label="Effort"
            value={choices.effort ?? ""}
            onChange={(value) => choose("effort", value)}
          >
            <option value="">the agent's own</option>
            {["low", "medium", "high", "xhigh", "max"].map((effort) => (
              <option key={effort}>{effort}</option>
            ))}
          </Choice>
          <Choice
            label="Policy"
            value={choices.policy ?? ""}
            onChange={(value) => choose("policy", value)}
          >
            {(strong ? policyNames : policiesUpTo("default")).map((name) => (
              <option key={name} value={name === "default" ? "" : name}>
                {name}: {policyWords[name]}
              </option>
            ))}
          </Choice>
        </div>
        <More value={extras} mayLoosen={strong} onChange={setExtras} />
        <AgentFacts agent={agent} />
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
          <button type="submit" className="button button-go" data-role="start" disabled={busy}>
            {busy ? `${startingWords(extras)}…` : text.trim() === "" ? "Make the session" : "Start"}{" "}
            <span className="kbd">Enter</span>
          </button>
        </div>
      </form>
    </Modal>
  );
}

function promptOf(text: string, { images = [] }: Partial<Carried> = {}) {
  if (text.trim() === "" && images.length === 0) return {};
  return { prompt: { text, ...(images.length > 0 && { images }) } };
}

const NO_FOLDER = "Say in which folder it should work: type its path, choose one, or look for it.";

/** The machine a session is started on: the one that was asked for, else the hub's own. */
function useMachineChoice(wanted: string | undefined) {
  const machines = useMachines();
  const [chosen, setRunner] = useState(wanted);
  const known = machines.find(({ id }) => id === chosen) ?? machines.find(({ own }) => own);
  return { machines, runner: known?.id, setRunner };
}

function onMachine(runner: string | undefined): { runner?: string } {
  return runner === undefined ? {} : { runner };
}

/** Where it works when nobody has said where: in the home of whoever runs agents on that machine. */
function useHome(wanted: boolean, runner: string | undefined): string | undefined {
  const { client } = useWorld();
  const [home, setHome] = useState<string>();
  useEffect(() => {
    if (!wanted) return undefined;
    let left = false;
    const load = async () => {
      const { path } = await client.folders(onMachine(runner));
      if (!left) setHome(path);
    };
    setHome(undefined);
    void load().catch(() => undefined); // starting asks again, and says why not
    return () => {
      left = true;
    };
  }, [client, wanted, runner]);
  return home;
}

/** The truth about versions: what will run, and whether it was tested with us. */
function AgentFacts({ agent }: { agent: AgentView | undefined }) {
  // Its line is there before it is known: what is below must not move under a hand.
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

/** Whether the dialog is still there to tell what went wrong. */
function useShown(): RefObject<boolean> {
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
  const { client } = useWorld();
  const [agents, setAgents] = useState<readonly AgentView[]>([]);
  useEffect(() => {
    let left = false;
    const load = async () => {
      const found = await client.agents(runner);
      if (!left) setAgents(found);
    };
    void load().catch(() => undefined); // the list then has the usual agent alone
    return () => {
      left = true;
    };
  }, [client, runner]);
  return agents;
}
