import type { AgentView } from "@signalbox/api";
import { driverLabels } from "../session-info/drivers.ts";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { OptionChoice, OptionGroup, OptionText } from "./option-fields.tsx";
import type { OptionsDraft } from "./options-draft.ts";
import { ServerRows } from "./server-rows.tsx";
import { VariableRows } from "./variable-rows.tsx";

const text = strings.sessionOptions;

export interface OptionChoices {
  readonly agents: readonly AgentView[];
  /** The names of the accounts and environments. */
  readonly profiles: readonly string[];
  /** The models that the agent is known to have. */
  readonly models: readonly string[];
}

interface Props {
  readonly draft: OptionsDraft;
  readonly choices: OptionChoices;
  readonly mayApprove: boolean;
  readonly onChange: (draft: OptionsDraft) => void;
}

type Part = Props & {
  readonly change: (part: Partial<OptionsDraft>) => void;
  /** Why an option cannot be used with the chosen agent's version. */
  readonly lacks: (option: string) => string | undefined;
};

/** The options of a session, for the draft of a new one and for one that exists. */
export function OptionsForm(props: Props) {
  const { draft, choices, onChange } = props;
  const agent = findAgent(choices.agents, draft.agent);
  const part: Part = {
    ...props,
    change: (news) => onChange({ ...draft, ...news }),
    lacks: (option) => {
      const missing = agent?.unsupported?.find((each) => each.option === option);
      return missing && text.needsVersion(missing.since);
    },
  };
  return (
    <>
      <AgentGroup {...part} />
      <ModelGroup {...part} />
      <InstructionsGroup {...part} />
      <LimitsGroup {...part} />
      <OptionGroup title={text.groups.access}>
        <OptionText
          label={text.folders}
          role="option-folders"
          placeholder={text.foldersPlaceholder}
          isWide
          lines={2}
          value={draft.folders}
          onChange={(folders) => part.change({ folders })}
        />
      </OptionGroup>
      <OptionGroup title={text.groups.servers} isForApprovers isDisabled={!props.mayApprove}>
        <ServerRows servers={draft.servers} onChange={(servers) => part.change({ servers })} />
      </OptionGroup>
      <OptionGroup title={text.groups.variables} isForApprovers isDisabled={!props.mayApprove}>
        <VariableRows
          variables={draft.variables}
          kind="variable"
          role="option-variable"
          onChange={(variables) => part.change({ variables })}
        />
        {draft.variables.some(({ isSecret }) => isSecret) && (
          <p className="col-span-full text-small text-dim">{text.secretHint}</p>
        )}
      </OptionGroup>
    </>
  );
}

function AgentGroup({ draft, choices, mayApprove, change }: Part) {
  const agent = findAgent(choices.agents, draft.agent);
  return (
    <OptionGroup title={text.groups.agent}>
      <OptionChoice
        label={text.agent}
        hint={describeAgent(agent)}
        role="option-agent"
        value={draft.agent || text.defaultAgent}
        options={listNames([
          text.defaultAgent,
          draft.agent,
          ...choices.agents.map(({ name }) => name),
        ])}
        onChange={(name) => change({ agent: name })}
      />
      <OptionChoice
        label={text.driver}
        role="option-driver"
        value={draft.driver}
        options={[
          { value: "", label: text.defaultDriver },
          ...["stdio", "sdk", "sdk-url"].map((value) => ({
            value,
            label: driverLabels[value] ?? value,
          })),
        ]}
        onChange={(driver) => change({ driver })}
      />
      <OptionChoice
        label={text.environment}
        role="option-environment"
        isForApprovers
        isDisabled={!mayApprove}
        value={draft.environment}
        options={[
          { value: "", label: text.noEnvironment },
          ...listNames([draft.environment, ...choices.profiles]),
        ]}
        onChange={(environment) => change({ environment })}
      />
      <OptionChoice
        label={text.isolation}
        role="option-isolation"
        value={draft.isolation}
        options={listIsolations(mayApprove, draft.isolation)}
        onChange={(isolation) => change({ isolation })}
      />
    </OptionGroup>
  );
}

function ModelGroup({ draft, choices, change, lacks }: Part) {
  const efforts = Object.entries(strings.composer.efforts);
  return (
    <OptionGroup title={text.groups.model}>
      <OptionText
        label={text.model}
        role="option-model"
        placeholder={text.optional}
        suggestions={choices.models}
        value={draft.model}
        onChange={(model) => change({ model })}
      />
      <OptionText
        label={text.fallbackModel}
        hint={text.fallbackModelHint}
        role="option-fallback-model"
        placeholder={text.noFallback}
        suggestions={choices.models}
        value={draft.fallbackModel}
        onChange={(fallbackModel) => change({ fallbackModel })}
      />
      <OptionChoice
        label={text.effort}
        hint={lacks("effort")}
        role="option-effort"
        isDisabled={lacks("effort") !== undefined && draft.effort === ""}
        value={draft.effort}
        options={[
          { value: "", label: strings.composer.defaultEffort },
          ...efforts.map(([value, label]) => ({ value, label })),
        ]}
        onChange={(effort) => change({ effort })}
      />
    </OptionGroup>
  );
}

function InstructionsGroup({ draft, change, lacks }: Part) {
  return (
    <OptionGroup title={text.groups.instructions}>
      <OptionText
        label={text.systemPrompt}
        role="option-system-prompt"
        placeholder={text.systemPromptPlaceholder}
        isWide
        lines={3}
        value={draft.systemPrompt}
        onChange={(systemPrompt) => change({ systemPrompt })}
      />
      {draft.systemPrompt.trim() !== "" && (
        <OptionChoice
          label={text.systemPromptMode}
          role="option-system-prompt-mode"
          value={draft.systemPromptMode}
          options={[
            { value: "append", label: text.systemPromptModes.append },
            { value: "replace", label: text.systemPromptModes.replace },
          ]}
          onChange={(systemPromptMode) => change({ systemPromptMode })}
        />
      )}
      <OptionText
        label={text.jsonSchema}
        hint={lacks("jsonSchema")}
        role="option-json-schema"
        placeholder={text.jsonSchemaPlaceholder}
        isWide
        lines={2}
        value={draft.jsonSchema}
        onChange={(jsonSchema) => change({ jsonSchema })}
      />
    </OptionGroup>
  );
}

function LimitsGroup({ draft, change, lacks }: Part) {
  return (
    <OptionGroup title={text.groups.limits}>
      <OptionText
        label={text.maxTurns}
        hint={text.maxTurnsHint}
        role="option-max-turns"
        placeholder={text.noLimit}
        isNumber
        value={draft.maxTurns}
        onChange={(maxTurns) => change({ maxTurns })}
      />
      <OptionText
        label={text.maxBudgetUsd}
        hint={lacks("maxBudgetUsd") ?? text.maxBudgetUsdHint}
        role="option-budget"
        placeholder={text.noLimit}
        isNumber
        value={draft.maxBudgetUsd}
        onChange={(maxBudgetUsd) => change({ maxBudgetUsd })}
      />
      <OptionText
        label={text.askLimitMinutes}
        hint={text.askLimitMinutesHint}
        role="option-request-limit"
        placeholder={text.optional}
        isNumber
        value={draft.askLimitMinutes}
        onChange={(askLimitMinutes) => change({ askLimitMinutes })}
      />
    </OptionGroup>
  );
}

function findAgent(agents: readonly AgentView[], name: string): AgentView | undefined {
  return agents.find((agent) => agent.name === (name || text.defaultAgent));
}

function describeAgent(agent: AgentView | undefined): string | undefined {
  if (agent?.problem !== undefined) return inert(agent.problem);
  return agent?.found && text.version(agent.found.version, agent.found.versionClass);
}

function listNames(names: readonly string[]) {
  const given = [...new Set(names)].filter((name) => name !== "");
  return given.map((name) => ({ value: name, label: inert(name) }));
}

function listIsolations(mayApprove: boolean, current: OptionsDraft["isolation"]) {
  const { isolations, isolationHints: hints } = text;
  return [
    { value: "" as const, label: isolations.default, hint: hints.default },
    { value: "write-here-only" as const, label: isolations.writeHere, hint: hints.writeHere },
    { value: "no-network" as const, label: isolations.noNetwork, hint: hints.noNetwork },
    ...(mayApprove || current === "off"
      ? [{ value: "off" as const, label: isolations.off, hint: hints.off }]
      : []),
  ];
}
