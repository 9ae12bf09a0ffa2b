import { Tabs } from "@base-ui/react/tabs";
import { lazy, Suspense, useRef } from "react";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { LoadingMessage } from "../ui/progress.tsx";
import { setPreferences, preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
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
  { id: "tasks", label: "Tasks", View: TasksPanel },
  { id: "changes", label: "Files", View: ChangesPanel },
  { id: "context", label: "Context", View: ContextPanel },
  { id: "mcp", label: "MCP", View: McpPanel },
  { id: "hooks", label: "Hooks", View: HooksPanel },
  { id: "wire", label: "Wire", View: WirePanel },
  { id: "facts", label: "Facts", View: FactsPanel },
] as const;

interface Props {
  readonly id: string;
  /** Undefined until the cached copy has been read. */
  readonly handle: SessionHandle | undefined;
  readonly onClose: () => void;
  /** Called when the person moves on to the conversation or composer. */
  readonly onLeave: () => void;
}

/** The panels beside the conversation. */
export function SidePanels({ id, handle, onClose, onLeave }: Props) {
  const session = useSession(id);
  const { panel } = useSignal(preferences);
  const root = useRef<HTMLDivElement>(null);
  if (!session) return null;
  return (
    <Tabs.Root
      className="flex h-full flex-col"
      value={panel}
      onValueChange={(value) => setPreferences({ panel: String(value) })}
    >
      <div className="flex border-b border-line">
        <Tabs.List className="flex min-w-0 grow overflow-x-auto px-1" aria-label="Panels">
          {panels.map(({ id: name, label }) => (
            <Tabs.Tab key={name} value={name} className="tab">
              {label}
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
            <ErrorBoundary what="This panel">
              <Suspense fallback={<LoadingMessage text="Fetching…" small />}>
                <View session={session} handle={handle} onLeave={onLeave} />
              </Suspense>
            </ErrorBoundary>
          </Tabs.Panel>
        ))}
        {handle && (
          <SelectionMention
            session={id}
            handle={handle}
            root={root}
            elsewhere={`the panel ${panels.find((one) => one.id === panel)?.label ?? ""}`.trim()}
            onMention={onLeave}
          />
        )}
      </div>
    </Tabs.Root>
  );
}
