import { Tabs } from "@base-ui/react/tabs";
import { lazy, Suspense, useRef } from "react";
import { Boundary } from "../ui/boundary.tsx";
import { Waiting } from "../ui/progress.tsx";
import { prefer, preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import type { Talk } from "../store/use-session-handle.ts";
import { useSession } from "../store/use-hub.ts";
import { ChangesPanel } from "../panels/changes.tsx";
import { FactsPanel } from "../panels/facts.tsx";
import { SelectionMention } from "../conversation/selection-mention.tsx";
import { TasksPanel } from "../panels/tasks.tsx";

const ContextPanel = lazy(() => import("../panels/context.tsx"));
const McpPanel = lazy(() => import("../panels/mcp.tsx"));
const HooksPanel = lazy(() => import("../panels/hooks.tsx"));
const WirePanel = lazy(() => import("../panels/wire.tsx"));

const panels = [
  { id: "tasks", words: "Tasks", View: TasksPanel },
  { id: "changes", words: "Files", View: ChangesPanel },
  { id: "context", words: "Context", View: ContextPanel },
  { id: "mcp", words: "MCP", View: McpPanel },
  { id: "hooks", words: "Hooks", View: HooksPanel },
  { id: "wire", words: "Wire", View: WirePanel },
  { id: "facts", words: "Facts", View: FactsPanel },
] as const;

interface Props {
  readonly id: string;
  /** Undefined until its copy has been read. */
  readonly talk: Talk | undefined;
  readonly onClose: () => void;
  /** One goes on to the conversation or the composer. */
  readonly onLeave: () => void;
}

/** What there is to know beside the conversation. */
export function SidePanels({ id, talk, onClose, onLeave }: Props) {
  const session = useSession(id);
  const { panel } = useSignal(preferences);
  const root = useRef<HTMLDivElement>(null);
  if (!session) return null;
  return (
    <Tabs.Root
      className="flex h-full flex-col"
      value={panel}
      onValueChange={(value) => prefer({ panel: String(value) })}
    >
      <div className="flex border-b border-line">
        <Tabs.List className="flex min-w-0 grow overflow-x-auto px-1" aria-label="Panels">
          {panels.map(({ id: name, words }) => (
            <Tabs.Tab key={name} value={name} className="tab">
              {words}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <button
          type="button"
          className="button button-bare shrink-0 text-dim lg:hidden"
          aria-label="Close the details"
          onClick={onClose}
        >
          ✕
        </button>
      </div>
      <div ref={root} className="relative min-h-0 grow">
        {panels.map(({ id: name, View }) => (
          <Tabs.Panel key={name} value={name} className="h-full overflow-y-auto p-3">
            <Boundary what="This panel">
              <Suspense fallback={<Waiting words="Fetching…" small />}>
                <View session={session} talk={talk} onLeave={onLeave} />
              </Suspense>
            </Boundary>
          </Tabs.Panel>
        ))}
        {talk && (
          <SelectionMention
            session={id}
            talk={talk}
            root={root}
            elsewhere={`the panel ${panels.find((one) => one.id === panel)?.words ?? ""}`.trim()}
            onMention={onLeave}
          />
        )}
      </div>
    </Tabs.Root>
  );
}
