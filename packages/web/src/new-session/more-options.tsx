import type { AgentView } from "@signalbox/api";
import { X } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { SelectField } from "./select-field.tsx";
import { driverLabels } from "../session-info/drivers.ts";
import type { AdvancedOptions, ServerRow } from "./options.ts";

const text = strings.newSession;

interface Props {
  readonly value: AdvancedOptions;
  readonly agents: readonly AgentView[];
  readonly agentName: string;
  readonly agent: AgentView | undefined;
  /** Whether this device may give an agent more rights: MCP servers, no isolation. */
  readonly mayLoosen: boolean;
  readonly onAgent: (name: string) => void;
  readonly onChange: (value: AdvancedOptions) => void;
}

/** Rarely used options. */
export function MoreOptions(props: Props) {
  const { value, agents, agentName, agent, mayLoosen, onAgent, onChange } = props;
  const change = (news: Partial<AdvancedOptions>) => onChange({ ...value, ...news });
  return (
    <div className="flex flex-col items-start gap-3">
      <SelectField label={text.agent} value={agentName} onChange={onAgent}>
        <option value="">claude-code</option>
        {agents
          .filter(({ name }) => name !== "claude-code")
          .map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
      </SelectField>
      <AgentVersion agent={agent} />
      <SelectField
        label={text.driver}
        value={value.driver}
        onChange={(driver) => change({ driver })}
      >
        <option value="">{text.defaultDriver}</option>
        {Object.entries(driverLabels).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={text.isolation}
        value={value.isolation}
        onChange={(isolation) => change({ isolation: isolation as AdvancedOptions["isolation"] })}
      >
        <option value="">{text.isolationDefault}</option>
        <option value="write-here-only">{text.isolationWriteHere}</option>
        <option value="no-network">{text.isolationNoNetwork}</option>
        {mayLoosen && <option value="off">{text.isolationOff}</option>}
      </SelectField>
      <label className="flex w-full flex-col gap-1">
        <span className="text-small text-dim">{text.extraFolders}</span>
        <textarea
          className="field min-h-13 font-mono text-small"
          rows={2}
          spellCheck={false}
          placeholder={text.extraFoldersPlaceholder}
          value={value.folders}
          onChange={(event) => change({ folders: event.target.value })}
        />
      </label>
      {mayLoosen && (
        <McpServerFields rows={value.servers} onChange={(servers) => change({ servers })} />
      )}
    </div>
  );
}

/** The version of the agent that will run, and whether it is tested. */
function AgentVersion({ agent }: { agent: AgentView | undefined }) {
  if (agent?.problem !== undefined) {
    return <p className="text-small text-failed">{agent.problem}</p>;
  }
  if (!agent?.found) return null;
  const { path, version, versionClass } = agent.found;
  return (
    <p className="text-small text-dim wrap-anywhere" title={path}>
      {text.version(version, versionClass)}
    </p>
  );
}

function McpServerFields(props: {
  readonly rows: readonly ServerRow[];
  readonly onChange: (rows: readonly ServerRow[]) => void;
}) {
  const { rows, onChange } = props;
  const edit = (at: number, news: Partial<ServerRow>) =>
    onChange(rows.map((row, other) => (other === at ? { ...row, ...news } : row)));
  return (
    <fieldset className="flex w-full flex-col gap-1">
      <legend className="mb-1 text-small text-dim">{text.mcpServers}</legend>
      {rows.map((row, at) => (
        <div key={at} className="flex gap-2">
          <input
            className="field max-w-36"
            aria-label={text.mcpName(at + 1)}
            placeholder={text.mcpNamePlaceholder}
            value={row.name}
            onChange={(event) => edit(at, { name: event.target.value })}
          />
          <input
            className="field min-w-0 font-mono text-small"
            aria-label={text.mcpCommand(at + 1)}
            placeholder={text.mcpCommandPlaceholder}
            spellCheck={false}
            value={row.where}
            onChange={(event) => edit(at, { where: event.target.value })}
          />
          <button
            type="button"
            className="button button-icon shrink-0"
            aria-label={text.removeMcpServer(row.name || String(at + 1))}
            onClick={() => onChange(rows.filter((_, other) => other !== at))}
          >
            <X aria-hidden="true" />
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          className="button button-small"
          onClick={() => onChange([...rows, { name: "", where: "" }])}
        >
          {text.addMcpServer}
        </button>
      </div>
    </fieldset>
  );
}
