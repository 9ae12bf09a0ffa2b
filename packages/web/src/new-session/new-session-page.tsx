import type { AgentView, NewSession as Options, PolicyName } from "@signalbox/api";
import {
  ArrowUp,
  Folder,
  Gauge,
  GitBranch,
  MessageSquare,
  Monitor,
  SlidersHorizontal,
  Sparkles,
} from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { isTouchOnly } from "../browser/screen.ts";
import { isPlainEnter } from "../browser/typing.ts";
import { PageHeader } from "../frame/page-header.tsx";
import { openSessionToWrite } from "../navigation/focus.ts";
import { Link } from "../navigation/link.tsx";
import { type NewSessionDefaults, newSessionDefaults } from "../navigation/overlays.ts";
import type { PrefilledPrompt } from "../navigation/prefilled-prompt.ts";
import { sessionPath } from "../navigation/router.ts";
import { PermissionMenu } from "../session-info/permission-picker.tsx";
import { confirmPermission, limitPermission } from "../session-info/permissions.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useMachines } from "../store/machines.ts";
import { preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { NEW_SESSION_DRAFT, useFormDraft } from "../store/use-form-draft.ts";
import { useMayDecide, useSessions } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { errorMessage } from "../text/error-message.ts";
import { PathText } from "../text/path-text.tsx";
import { abbreviateHome, baseName } from "../text/path.ts";
import { inert, spelled } from "../text/visible.ts";
import { FolderCodeNote } from "../trust/folder-note.tsx";
import { PillMenu } from "../ui/pill-menu.tsx";
import { PillPopover } from "../ui/pill-popover.tsx";
import { Progress } from "../ui/progress.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import { MoreOptions } from "./more-options.tsx";
import {
  type AdvancedOptions,
  buildOptions,
  describeStart,
  findServerProblem,
  noAdvancedOptions,
} from "./options.ts";
import { recentFolders } from "./recent-folders.ts";

const text = strings.newSession;

/** A new session is a draft: a folder, the ordinary composer, and everything else at its default. */
export default function NewSessionPage() {
  const defaults = useSignal(newSessionDefaults);
  // Opened anew for another folder or another message, the draft starts over.
  const key = [defaults.folder, defaults.runner, defaults.prefill?.id].join("\n");
  return <Draft key={key} {...defaults} />;
}

function Draft({ folder: wanted, runner: wantedRunner, prefill }: NewSessionDefaults) {
  const { client, toasts } = useAppContext();
  const sessions = useSessions();
  const { machines, runner, setRunner } = useMachineChoice(wantedRunner);
  const recent = useMemo(() => recentFolders(sessions, runner), [sessions, runner]);
  const [chosen, setFolder] = useState(wanted ?? recent[0]);
  const home = useHome(chosen === undefined, runner);
  const folder = chosen ?? home ?? "";
  const [typed, setTyped] = useFormDraft(
    prefill ? `carried/${prefill.id}` : NEW_SESSION_DRAFT,
    prefill?.text ?? "",
  );
  const [choices, setChoices] = useState<Partial<Options>>({});
  const [extras, setExtras] = useState<AdvancedOptions>(noAdvancedOptions);
  const [open, setOpen] = useState<"folder" | "worktree" | "more">();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const agents = useAgents(runner);
  const area = useRef<HTMLTextAreaElement>(null);
  const shown = useIsMounted();
  useEffect(() => {
    const field = area.current;
    if (!field || isTouchOnly()) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }, []);

  const agent = agents.find(({ name }) => name === (choices.agent ?? "claude-code")) ?? agents[0];
  const mayLoosen = useMayDecide();
  const defaultPermission = useDefaultPermission();
  const { enterSends } = useSignal(preferences);
  const choose = (name: keyof Options, value: string) =>
    setChoices((held) => ({ ...held, [name]: value === "" ? undefined : value }));
  const toggle = (name: NonNullable<typeof open>) => (isOpen: boolean) =>
    setOpen(isOpen ? name : undefined);
  const start = async () => {
    const wrong = chosen?.trim() === "" ? text.noFolder : findServerProblem(extras.servers);
    setProblem(wrong);
    if (wrong !== undefined) return;
    const confirmation = await confirmPermission(choices.policy);
    if (!confirmation) return;
    setBusy(true);
    try {
      const prompt = buildPrompt(typed, prefill);
      const made = await client.createSession({
        folder: folder === "" ? (await client.folders(machineParam(runner))).path : folder,
        ...machineParam(runner),
        ...choices,
        ...buildOptions(extras),
        ...confirmation,
        ...prompt,
      });
      setTyped(undefined);
      prefill?.onCreated();
      newSessionDefaults.set({});
      if (shown.current) openSessionToWrite(made.id);
    } catch (failure) {
      setProblem(errorMessage(failure));
      if (!shown.current) toasts.showError(text.couldNotCreate, failure);
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPlainEnter(event) || busy) return;
    // If Enter makes new lines, it starts the session only while the text is empty.
    if (!enterSends && typed !== "" && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void start();
  };
  const models = ["opus", "sonnet", "haiku", ...(agent?.models ?? [])];
  const sameProject = sessions.filter(
    (session) =>
      session.folder === folder &&
      !session.archived &&
      session.runner === (runner ?? session.runner),
  );
  return (
    <>
      <PageHeader title={text.pageTitle} backTo="/sessions" />
      <div className="page-body">
        <form
          className="mx-auto flex w-[calc(100%-48px)] max-w-reading flex-col gap-2.5 pt-[18vh] pb-10 max-md:w-[calc(100%-28px)] max-md:pt-6"
          aria-label={text.pageTitle}
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          {busy && <Progress label={describeStart(extras)} />}
          <h2 className="mb-2 text-title font-semibold tracking-tight">{text.title}</h2>
          <div className="flex flex-wrap gap-2">
            <PillPopover
              label={text.folder}
              value={
                folder === "" ? (
                  text.chooseFolder
                ) : (
                  <PathText path={abbreviateHome(folder)} whole={folder} />
                )
              }
              icon={Folder}
              role="folder-chip"
              isOpen={open === "folder"}
              onOpenChange={toggle("folder")}
            >
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
                onDone={() => setOpen(undefined)}
              />
            </PillPopover>
            <PillPopover
              label={text.worktree}
              value={
                extras.worktree.trim() === ""
                  ? text.noWorktree
                  : text.newWorktree(inert(extras.worktree.trim()))
              }
              icon={GitBranch}
              role="worktree-chip"
              isOpen={open === "worktree"}
              onOpenChange={toggle("worktree")}
            >
              <label className="flex flex-col gap-1">
                <span className="text-small text-dim">{text.branch}</span>
                <input
                  className="field font-mono text-small"
                  data-role="worktree"
                  spellCheck={false}
                  placeholder={text.branchPlaceholder}
                  value={extras.worktree}
                  onChange={(event) => setExtras({ ...extras, worktree: event.target.value })}
                />
              </label>
              <p className="mt-2 text-small text-dim">
                {extras.worktree.trim() === "" ? text.noWorktreeHint : text.worktreeHint}
              </p>
            </PillPopover>
            {machines.length > 1 && (
              <PillMenu
                label={text.machine}
                icon={Monitor}
                value={runner ?? ""}
                options={machines.map(({ id, machine, online }) => ({
                  value: id,
                  label: inert(machine),
                  ...(!online && { hint: text.offline }),
                }))}
                isOutlined
                role="machine-choice"
                onChange={(next) => {
                  setRunner(next);
                  setFolder(recentFolders(sessions, next)[0]); // Folders belong to one machine.
                  setProblem(undefined);
                }}
              />
            )}
            <PillPopover
              label={text.more}
              value={text.more}
              icon={SlidersHorizontal}
              role="more"
              isOpen={open === "more"}
              onOpenChange={toggle("more")}
            >
              <MoreOptions
                value={extras}
                agents={agents}
                agentName={choices.agent ?? ""}
                agent={agent}
                mayLoosen={mayLoosen}
                onAgent={(value) => choose("agent", value)}
                onChange={setExtras}
              />
            </PillPopover>
          </div>
          {folder !== "" && <FolderCodeNote folder={folder} runner={runner} />}
          <div className="composer">
            <textarea
              ref={area}
              className="composer-field min-h-24"
              rows={3}
              data-role="first-prompt"
              aria-label={text.prompt}
              placeholder={text.placeholder}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={onKeyDown}
            />
            {prefill && prefill.images.length > 0 && (
              <p className="px-3.5 text-small text-dim">
                {text.imagesAttached(prefill.images.length)}
              </p>
            )}
            <div className="composer-controls">
              <PillMenu
                label={text.model}
                icon={Sparkles}
                value={choices.model ?? ""}
                options={[
                  { value: "", label: text.defaultModel },
                  ...models.map((model) => ({ value: model, label: model })),
                ]}
                role="model"
                onChange={(value) => choose("model", value)}
              />
              <PillMenu
                label={text.effort}
                icon={Gauge}
                value={choices.effort ?? ""}
                options={[
                  { value: "", label: strings.composer.defaultEffort },
                  ...Object.entries(strings.composer.efforts).map(([value, label]) => ({
                    value,
                    label,
                  })),
                ]}
                isIconOnPhone
                role="effort"
                onChange={(value) => choose("effort", value)}
              />
              <PermissionMenu
                value={choices.policy ?? defaultPermission}
                mayLoosen={mayLoosen}
                onChange={(value) => choose("policy", value)}
              />
              <span className="grow" />
              <button
                type="submit"
                className="send-button"
                data-role="start"
                aria-label={busy ? describeStart(extras) : text.start}
                title={text.start}
                disabled={busy}
              >
                <ArrowUp aria-hidden="true" />
              </button>
            </div>
          </div>
          {problem !== undefined && (
            <p
              className="max-h-32 overflow-y-auto text-control text-failed wrap-anywhere"
              role="alert"
            >
              {inert(problem)}
            </p>
          )}
          {choices.policy === "autonomous" && (
            <p className="text-control text-failed">{text.autonomousWarning}</p>
          )}
          {sameProject.length > 0 && (
            <section className="mt-5" aria-label={text.continueIn(spelled(baseName(folder)))}>
              <h3 className="mb-1 px-1 text-control font-strong">
                {text.continueIn(spelled(baseName(folder)))}
              </h3>
              <ul>
                {sameProject.slice(0, 5).map((session) => (
                  <li key={session.id}>
                    <Link href={sessionPath(session.id)} className="nav-row text-ink">
                      <MessageSquare aria-hidden="true" className="text-dim" />
                      <span className="min-w-0 grow truncate">{inert(session.title)}</span>
                      <span className="text-small text-faint">
                        <RelativeTime at={session.changedAt} />
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </form>
      </div>
    </>
  );
}

function buildPrompt(text: string, { images = [], context }: Partial<PrefilledPrompt> = {}) {
  if (text.trim() === "" && images.length === 0) return {};
  return {
    prompt: { text, ...(images.length > 0 && { images }), ...(context && { context }) },
  };
}

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

/** Whether the page is still shown and can show an error. */
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

/** The permission that the hub gives to sessions that name none. */
function useDefaultPermission(): PolicyName {
  const { client } = useAppContext();
  const mayLoosen = useMayDecide();
  const [permission, setPermission] = useState<PolicyName>("default");
  useEffect(() => {
    let cancelled = false;
    const load = async () => {
      const defaults = await client.sessionDefaults();
      if (!cancelled) setPermission(defaults.permission);
    };
    void load().catch(() => undefined); // An older hub has no such setting.
    return () => {
      cancelled = true;
    };
  }, [client]);
  return limitPermission(permission, mayLoosen);
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
