import type { AgentView } from "@signalbox/api";
import { Plus } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { requestConfirmation } from "../navigation/confirm.ts";
import { driverLabels } from "../session-info/drivers.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useDevice } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { inert } from "../text/visible.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";
import {
  type AgentDraft,
  type AgentSource,
  findAgentProblem,
  fromAgentDraft,
  newAgentDraft,
  toAgentDraft,
  toSetting,
} from "./agent-form.ts";
import { ChoiceSelect } from "../ui/choice-select.tsx";
import { FormProblem, SettingsBox, TextField } from "./setting-parts.tsx";

const text = settingsStrings.agents;
const common = settingsStrings;

/** The agent programs that sessions can run. Admins add, test, change and remove them. */
export function Agents() {
  const { client } = useAppContext();
  const load = useCallback(
    async () => ({ agents: await client.agents(), profiles: await client.environmentNames() }),
    [client],
  );
  const { state, reload } = useLoad(load);
  return (
    <>
      <p className="md:-mt-4 text-control text-dim">{text.intro}</p>
      <LoadedContent state={state}>
        {({ agents, profiles }) => (
          <AgentList agents={agents} profiles={profiles} onSaved={reload} />
        )}
      </LoadedContent>
    </>
  );
}

function AgentList(props: {
  readonly agents: readonly AgentView[];
  readonly profiles: readonly string[];
  readonly onSaved: () => void;
}) {
  const { agents, profiles, onSaved } = props;
  const { client, toasts } = useAppContext();
  const isAdmin = useDevice().role === "admin";
  /** The name of the agent that is edited; empty for a new one. */
  const [edited, setEdited] = useState<string>();
  const saveAll = async (next: readonly AgentView[]) => {
    await client.setAgents(next.map(toSetting));
    onSaved();
  };
  const remove = async (name: string) => {
    const isConfirmed = await requestConfirmation({
      title: text.removeTitle(name),
      text: text.removeText,
      confirmLabel: text.remove(name),
    });
    if (!isConfirmed) return;
    await saveAll(agents.filter((agent) => agent.name !== name)).catch((failure: unknown) =>
      toasts.showError(text.couldNotSave, failure),
    );
  };
  const save = async (draft: AgentDraft, before: string | undefined) => {
    const setting = fromAgentDraft(draft);
    const next =
      before === undefined
        ? [...agents, setting]
        : agents.map((agent) => (agent.name === before ? setting : agent));
    await saveAll(next);
    setEdited(undefined);
  };
  const form = (agent: AgentView | undefined) => (
    <AgentForm
      initial={agent ? toAgentDraft(agent) : newAgentDraft}
      isNew={agent === undefined}
      profiles={profiles}
      others={agents.map(({ name }) => name).filter((name) => name !== agent?.name)}
      onSave={(draft) => save(draft, agent?.name)}
      onCancel={() => setEdited(undefined)}
    />
  );
  return (
    <>
      {!isAdmin && <p className="text-control text-dim">{common.readOnly("admin")}</p>}
      <SettingsBox>
        {agents.map((agent) =>
          edited === agent.name ? (
            <div key={agent.name}>{form(agent)}</div>
          ) : (
            <AgentRow
              key={agent.name}
              agent={agent}
              mayChange={isAdmin}
              onEdit={() => setEdited(agent.name)}
              onRemove={() => void remove(agent.name)}
            />
          ),
        )}
      </SettingsBox>
      {isAdmin &&
        (edited === "" ? (
          <SettingsBox>{form(undefined)}</SettingsBox>
        ) : (
          <button
            type="button"
            className="button self-start"
            data-role="add-agent"
            onClick={() => setEdited("")}
          >
            <Plus aria-hidden="true" />
            {text.add}
          </button>
        ))}
    </>
  );
}

interface RowProps {
  readonly agent: AgentView;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function AgentRow({ agent, mayChange, onEdit, onRemove }: RowProps) {
  const { name, driver, model, environment, flags } = agent;
  const facts = [
    driver,
    ...(model === undefined ? [] : [inert(model)]),
    ...(environment === undefined ? [] : [inert(environment)]),
    ...flags.map(inert),
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5" data-agent={name}>
      <div className="min-w-48 flex-1">
        <div className="font-medium">{inert(name)}</div>
        <FoundProgram agent={agent} />
        <div className="text-small text-dim wrap-anywhere">{facts.join(" · ")}</div>
      </div>
      {mayChange && (
        <div className="flex gap-2">
          <button
            type="button"
            className="button"
            aria-label={text.edit(inert(name))}
            onClick={onEdit}
          >
            {common.edit}
          </button>
          {name !== "claude-code" && (
            <button
              type="button"
              className="button button-danger"
              aria-label={text.remove(inert(name))}
              onClick={onRemove}
            >
              {common.remove}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** The program that was found for an agent and how well its version is known, or why there is none. */
function FoundProgram({ agent }: { readonly agent: AgentView }) {
  const { found, problem, npm } = agent;
  if (found) {
    const { version, versionClass, path } = found;
    return (
      <div className="flex flex-wrap items-center gap-x-2 text-small text-dim">
        <span>{inert(version)}</span>
        <span
          className={`chip ${versionClass === "tested" ? "text-working" : versionClass === "unsupported" ? "text-failed" : "text-waiting"}`}
          data-version={versionClass}
        >
          {text.versions[versionClass] ?? versionClass}
        </span>
        <span className="font-mono wrap-anywhere">{inert(path)}</span>
      </div>
    );
  }
  if (npm !== undefined) {
    return (
      <div className="text-small text-dim">
        <span className="font-mono wrap-anywhere">{inert(npm)}</span> · {text.installedOnUse}
      </div>
    );
  }
  return (
    <div className="text-small text-failed wrap-anywhere">{inert(problem ?? text.notFound)}</div>
  );
}

const sourceOptions = (["found", "path", "npm"] as const).map((value) => ({
  value,
  label: text.sources[value],
}));

interface FormProps {
  readonly initial: AgentDraft;
  readonly isNew: boolean;
  readonly profiles: readonly string[];
  readonly others: readonly string[];
  readonly onSave: (draft: AgentDraft) => Promise<void>;
  readonly onCancel: () => void;
}

function AgentForm({ initial, isNew, profiles, others, onSave, onCancel }: FormProps) {
  const { client } = useAppContext();
  const [draft, setDraft] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [tested, setTested] = useState<AgentView>();
  const [busy, setBusy] = useState<"saving" | "testing">();
  const change = (part: Partial<AgentDraft>) => {
    setDraft((current) => ({ ...current, ...part }));
    setTested(undefined);
    setProblem(undefined);
  };
  const run = async (kind: "saving" | "testing") => {
    const found = findAgentProblem(draft, others);
    setProblem(found);
    if (found !== undefined) return;
    setBusy(kind);
    try {
      if (kind === "saving") await onSave(draft);
      else setTested(await client.testAgent(fromAgentDraft(draft)));
    } catch (failure) {
      setProblem(errorMessage(failure));
    } finally {
      setBusy(undefined);
    }
  };
  const drivers = Object.entries({ [draft.driver]: draft.driver, ...driverLabels }).map(
    ([value, label]) => ({ value, label }),
  );
  const environments = ["", ...new Set([...profiles, draft.environment].filter(Boolean))].map(
    (value) => ({ value, label: value === "" ? text.noEnvironment : inert(value) }),
  );
  return (
    <form
      className="flex flex-col gap-3 p-3.5"
      data-role="agent-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run("saving");
      }}
    >
      <TextField
        label={text.name}
        value={draft.name}
        role="agent-name"
        isDisabled={!isNew}
        onChange={(name) => change({ name })}
      />
      <Labeled label={text.source}>
        <ChoiceSelect<AgentSource>
          label={text.source}
          value={draft.source}
          options={sourceOptions}
          role="agent-source"
          onChange={(source) => change({ source })}
        />
      </Labeled>
      {draft.source === "path" && (
        <TextField
          label={text.path}
          value={draft.path}
          role="agent-path"
          isCode
          onChange={(path) => change({ path })}
        />
      )}
      {draft.source === "npm" && (
        <TextField
          label={text.npm}
          value={draft.npm}
          placeholder={text.npmPlaceholder}
          role="agent-npm"
          isCode
          onChange={(npm) => change({ npm })}
        />
      )}
      <TextField
        label={text.model}
        value={draft.model}
        placeholder={text.modelPlaceholder}
        role="agent-model"
        onChange={(model) => change({ model })}
      />
      <TextField
        label={text.models}
        value={draft.models}
        onChange={(models) => change({ models })}
      />
      <label className="flex flex-col gap-1">
        <span className="text-small text-dim">{text.flags}</span>
        <textarea
          className="field font-mono text-small"
          rows={2}
          spellCheck={false}
          value={draft.flags}
          onChange={(event) => change({ flags: event.target.value })}
        />
      </label>
      <div className="flex flex-wrap gap-4">
        <Labeled label={text.driver}>
          <ChoiceSelect
            label={text.driver}
            value={draft.driver}
            options={drivers}
            role="agent-driver"
            onChange={(driver) => change({ driver })}
          />
        </Labeled>
        <Labeled label={text.environment}>
          <ChoiceSelect
            label={text.environment}
            value={draft.environment}
            options={environments}
            role="agent-environment"
            onChange={(environment) => change({ environment })}
          />
        </Labeled>
      </div>
      {tested && (
        <div role="status" data-role="agent-tested">
          <FoundProgram agent={tested} />
        </div>
      )}
      <FormProblem problem={problem} />
      <div className="flex flex-wrap gap-2">
        <button
          type="submit"
          className="button button-solid"
          data-role="save-agent"
          disabled={busy !== undefined}
        >
          {common.save}
        </button>
        <button
          type="button"
          className="button"
          data-role="test-agent"
          disabled={busy !== undefined}
          onClick={() => void run("testing")}
        >
          {busy === "testing" ? text.testing : text.test}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {common.cancel}
        </button>
      </div>
    </form>
  );
}

function Labeled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <span className="text-small text-dim">{label}</span>
      {children}
    </div>
  );
}
