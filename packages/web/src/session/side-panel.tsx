import type { AskView } from "@signalbox/api";
import { Tabs } from "@base-ui/react/tabs";
import { ChevronLeft, Ellipsis, X } from "lucide-react";
import { lazy, Suspense, useRef } from "react";
import { closePanel, PHONE_PX } from "../frame/frame-state.ts";
import { useMedia } from "../frame/use-media.ts";
import { strings } from "../strings/strings.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { MenuButton } from "../ui/menu-button.tsx";
import { LoadingMessage } from "../ui/progress.tsx";
import { setPreferences, preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { useSession } from "../store/use-hub.ts";
import { ChangesPanel } from "../panels/changes.tsx";
import { FactsPanel } from "../panels/facts.tsx";
import { PlanView } from "../asks/plan-view.tsx";
import { closePlan, planInPanel, showPlanInPanel } from "../frame/plan-in-panel.ts";
import { SelectionMention } from "../conversation/selection-mention.tsx";
import { TasksPanel } from "../panels/tasks.tsx";

const FilesPanel = lazy(() => import("../files/files-panel.tsx"));
const ContextPanel = lazy(() => import("../panels/context.tsx"));
const McpPanel = lazy(() => import("../panels/mcp.tsx"));
const HooksPanel = lazy(() => import("../panels/hooks.tsx"));
const WirePanel = lazy(() => import("../panels/wire.tsx"));

const text = strings.session;

/** The panels with a tab, then those behind the menu. */
const panels = [
  { id: "changes", label: text.panels.changes, View: ChangesPanel },
  { id: "files", label: text.panels.files, View: FilesPanel },
  { id: "tasks", label: text.panels.tasks, View: TasksPanel },
  { id: "context", label: text.panels.context, View: ContextPanel },
] as const;
const morePanels = [
  { id: "mcp", label: text.panels.mcp, View: McpPanel },
  { id: "hooks", label: text.panels.hooks, View: HooksPanel },
  { id: "wire", label: text.panels.protocol, View: WirePanel },
  { id: "facts", label: text.panels.info, View: FactsPanel },
] as const;
/** The tab of a plan that waits for an answer. */
const PLAN = "plan";
const allPanels = [...panels, ...morePanels];

interface Props {
  readonly id: string;
  /** The request whose plan waits and can be read here. */
  readonly plan: AskView | undefined;
  /** Undefined until the cached copy has been read. */
  readonly handle: SessionHandle | undefined;
  /** Called when the person moves on to the conversation or composer. */
  readonly onLeave: () => void;
}

/** The panel beside the conversation. */
export default function SidePanel({ id, plan, handle, onLeave }: Props) {
  const session = useSession(id);
  const { panel } = useSignal(preferences);
  const isPhone = useMedia(`(width < ${PHONE_PX}px)`);
  const isPlanShown = useSignal(planInPanel) === plan?.id && plan !== undefined;
  const root = useRef<HTMLDivElement>(null);
  if (!session) return null;
  const shown = allPanels.find((one) => one.id === panel) ?? panels[0];
  const extra = morePanels.find((one) => one.id === shown.id);
  const select = (panel: string) => {
    if (panel === PLAN && plan) return showPlanInPanel(plan.id);
    closePlan();
    return setPreferences({ panel, panelOpen: true });
  };
  return (
    <Tabs.Root
      className="flex h-full min-h-0 flex-col"
      value={isPlanShown ? PLAN : shown.id}
      onValueChange={(value) => select(String(value))}
    >
      <div className="flex min-h-12 shrink-0 items-center border-b border-line pr-2 pl-1">
        {isPhone && (
          <IconButton icon={ChevronLeft} label={strings.frame.back} onClick={closePanel} />
        )}
        <Tabs.List
          className="-mb-px flex min-w-0 grow self-stretch overflow-x-auto px-1"
          aria-label={text.panel}
        >
          {plan && (
            <Tabs.Tab value={PLAN} className="tab">
              {strings.tools.plan}
            </Tabs.Tab>
          )}
          {[...panels, ...(extra ? [extra] : [])].map(({ id: name, label }) => (
            <Tabs.Tab key={name} value={name} className="tab">
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <MenuButton
          className="button button-ghost button-icon shrink-0"
          aria-label={text.morePanels}
          data-tip={text.morePanels}
          data-role="more-panels"
          menu={{
            label: text.morePanels,
            align: "end",
            entries: morePanels.map(({ id: name, label }) => ({ key: name, content: label })),
            onSelect: select,
          }}
        >
          <Ellipsis aria-hidden="true" />
        </MenuButton>
        {!isPhone && <IconButton icon={X} label={strings.frame.closePanel} onClick={closePanel} />}
      </div>
      <div ref={root} className="relative min-h-0 grow">
        {plan && (
          <Tabs.Panel value={PLAN} className="h-full">
            <ErrorBoundary what={strings.parts.panel}>
              <PlanView key={plan.id} ask={plan} className="plan-panel" />
            </ErrorBoundary>
          </Tabs.Panel>
        )}
        {allPanels.map(({ id: name, View }) => (
          <Tabs.Panel key={name} value={name} className="h-full overflow-y-auto p-3">
            <ErrorBoundary what={strings.parts.panel}>
              <Suspense fallback={<LoadingMessage text={text.loading} small />}>
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
            elsewhere={text.panelNamed(shown.label)}
            onMention={onLeave}
          />
        )}
      </div>
    </Tabs.Root>
  );
}
