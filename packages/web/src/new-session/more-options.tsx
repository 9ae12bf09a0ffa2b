import { SelectField } from "./select-field.tsx";
import { driverLabels } from "../session-info/drivers.ts";
import type { AdvancedOptions, ServerRow } from "./options.ts";

interface Props {
  readonly value: AdvancedOptions;
  /** Whether this device may give an agent more rights: MCP servers, edits without asking, no isolation. */
  readonly mayLoosen: boolean;
  readonly onChange: (value: AdvancedOptions) => void;
}

/** Rarely used options. */
export function MoreOptions({ value, mayLoosen, onChange }: Props) {
  const change = (news: Partial<AdvancedOptions>) => onChange({ ...value, ...news });
  return (
    <details data-role="more">
      <summary className="cursor-pointer text-small text-dim pointer-coarse:py-3.5">
        More: worktree, mode, driver, isolation, folders, MCP servers
      </summary>
      <div className="mt-2 flex flex-col items-start gap-3">
        <label className="flex w-full flex-col gap-1">
          <span className="text-small text-dim">
            Worktree branch: work beside the repository, on this branch
          </span>
          <input
            className="field max-w-80 font-mono text-small"
            data-role="worktree"
            spellCheck={false}
            placeholder="none: in the folder itself"
            value={value.worktree}
            onChange={(event) => change({ worktree: event.target.value })}
          />
        </label>
        <SelectField
          label="Begins in mode"
          value={value.mode}
          onChange={(mode) => change({ mode })}
        >
          <option value="">what the policy says</option>
          <option value="default">default: asks</option>
          {mayLoosen && <option value="acceptEdits">acceptEdits: edits freely</option>}
          <option value="plan">plan: plans first</option>
        </SelectField>
        <SelectField label="Driver" value={value.driver} onChange={(driver) => change({ driver })}>
          <option value="">the agent's own</option>
          {Object.entries(driverLabels).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Isolation"
          value={value.isolation}
          onChange={(isolation) => change({ isolation: isolation as AdvancedOptions["isolation"] })}
        >
          <option value="">default: hidden from it are Signalbox and its processes</option>
          <option value="write-here-only">write-here-only: it writes in its folders alone</option>
          <option value="no-network">no-network: it reaches its model alone</option>
          {mayLoosen && <option value="off">off: as any program of yours</option>}
        </SelectField>
        <label className="flex w-full flex-col gap-1">
          <span className="text-small text-dim">Other folders it may use, one on each line</span>
          <textarea
            className="field min-h-13 font-mono text-small"
            rows={2}
            spellCheck={false}
            placeholder="/home/you/another-project"
            value={value.folders}
            onChange={(event) => change({ folders: event.target.value })}
          />
        </label>
        {mayLoosen && (
          <McpServerFields rows={value.servers} onChange={(servers) => change({ servers })} />
        )}
      </div>
    </details>
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
      <legend className="mb-1 text-small text-dim">MCP servers</legend>
      {rows.map((row, at) => (
        <div key={at} className="flex gap-2">
          <input
            className="field max-w-36"
            aria-label={`Name of MCP server ${at + 1}`}
            placeholder="name"
            value={row.name}
            onChange={(event) => edit(at, { name: event.target.value })}
          />
          <input
            className="field min-w-0 font-mono text-small"
            aria-label={`Command or address of MCP server ${at + 1}`}
            placeholder="command with arguments, or https://…"
            spellCheck={false}
            value={row.where}
            onChange={(event) => edit(at, { where: event.target.value })}
          />
          <button
            type="button"
            className="button shrink-0"
            aria-label={`Take MCP server ${row.name || at + 1} away`}
            onClick={() => onChange(rows.filter((_, other) => other !== at))}
          >
            ✕
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          className="button text-small"
          onClick={() => onChange([...rows, { name: "", where: "" }])}
        >
          Add an MCP server
        </button>
      </div>
    </fieldset>
  );
}
