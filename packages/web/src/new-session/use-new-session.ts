import type { PolicyName } from "@signalbox/api";
import { useEffect, useMemo, useRef, useState } from "react";
import { findMessageProblem } from "../composer/attachments.ts";
import { openSessionToWrite } from "../navigation/focus.ts";
import { type NewSessionDefaults, newSessionDefaults } from "../navigation/overlays.ts";
import { confirmPermission } from "../session-info/permissions.ts";
import { findOptionsProblem, type OptionsDraft } from "../session-options/options-draft.ts";
import { useAppContext } from "../store/app-context.tsx";
import { buildPrompt } from "../store/build-prompt.ts";
import { type MessageDraft, emptyDraft, isEmptyDraft } from "../store/drafts.ts";
import { useSessions } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { recentFolders } from "./recent-folders.ts";
import { buildNewOptions, useDraftOptions } from "./use-draft-options.ts";
import { machineParam, useAgents, useHome, useMachineChoice } from "./use-machine-facts.ts";

const text = strings.newSession;

export type NewSessionState = ReturnType<typeof useNewSession>;

/** Everything that was chosen for a new session, and how it is started. */
export function useNewSession(draftName: string, wanted: NewSessionDefaults) {
  const { client, toasts, drafts } = useAppContext();
  const sessions = useSessions();
  const { machines, runner, setRunner } = useMachineChoice(wanted.runner);
  const recent = useMemo(() => recentFolders(sessions, runner), [sessions, runner]);
  const [chosen, setChosen] = useState(wanted.folder ?? recent[0]);
  const home = useHome(chosen === undefined, runner);
  const folder = chosen ?? home ?? "";
  const [policy, setPolicy] = useState<PolicyName>();
  const [worktree, setWorktree] = useState("");
  const { defaults, options, setOptions, reloadDefaults } = useDraftOptions(folder, runner);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const agents = useAgents(runner);
  const agentName = options.agent || "claude-code";
  const isMounted = useIsMounted();

  const create = async (confirmation: { confirmed?: true }, draft: MessageDraft) => {
    const made = await client.createSession({
      folder: folder === "" ? (await client.folders(machineParam(runner))).path : folder,
      ...machineParam(runner),
      ...buildNewOptions(defaults, options),
      ...(policy !== undefined && { policy }),
      ...(worktree.trim() !== "" && { worktree: worktree.trim() }),
      ...confirmation,
      ...(!isEmptyDraft(draft) && { prompt: buildPrompt(draft) }),
    });
    if (drafts.get(draftName) === draft) drafts.set(draftName, emptyDraft);
    wanted.prefill?.onCreated();
    newSessionDefaults.set({});
    if (isMounted.current) openSessionToWrite(made.id);
  };
  const start = async () => {
    if (busy) return;
    const draft = drafts.get(draftName);
    const wrong =
      chosen?.trim() === ""
        ? text.noFolder
        : (findOptionsProblem(options) ?? findMessageProblem(draft.text, draft.images));
    setProblem(wrong);
    if (wrong !== undefined) return;
    const confirmation = await confirmPermission(policy);
    if (!confirmation) return;
    setBusy(true);
    try {
      await create(confirmation, draft);
    } catch (failure) {
      setProblem(errorMessage(failure));
      if (!isMounted.current) toasts.showError(text.couldNotCreate, failure);
    } finally {
      setBusy(false);
    }
  };
  return {
    sessions,
    machines,
    runner,
    recent,
    folder,
    defaults,
    options,
    policy,
    worktree,
    busy,
    problem,
    agents,
    agentName,
    agent: agents.find(({ name }) => name === agentName) ?? agents[0],
    setOptions: (part: Partial<OptionsDraft>) => setOptions({ ...options, ...part }),
    setPolicy,
    setWorktree,
    reloadDefaults,
    setFolder: (next: string) => {
      setChosen(next);
      setProblem(undefined);
    },
    setMachine: (next: string) => {
      setRunner(next);
      setChosen(recentFolders(sessions, next)[0]); // Folders belong to one machine.
      setProblem(undefined);
    },
    start,
  };
}

/** Whether the page is still shown and can show an error. */
function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
