import type { OutputTail } from "@signalbox/api";
import { type ComponentType, createContext, useContext } from "react";
import type { DisplayItem, DisplayItemOfKind } from "../../text/body.ts";

/** What item views need from the page. It must stay the same object. */
export interface ItemServices {
  /** Loads the whole text of a truncated body. */
  readonly loadBody: (hash: string) => Promise<string>;
  /** A hook that returns the items of a subagent by its call. */
  readonly useChildren: (callId: string) => readonly DisplayItem[];
  /** Reads the end of the output of a background command. */
  readonly readOutput?: (item: string) => Promise<OutputTail>;
  /** A hook that returns whether a task is still running. */
  readonly useTaskRuns?: (task: string) => boolean;
  /** A hook that returns the description of a to-do by its number, if known. */
  readonly useTodo?: (id: string) => string | undefined;
  /**
   * A hook that returns whether open asks are docked below the conversation with their controls. Without it,
   * asks are only displayed.
   */
  readonly useDocked?: () => boolean;
  /** The line of a file at which a text begins, as far as calls before this one have shown the file. */
  readonly findLine?: (callId: string, path: string, text: string) => number | undefined;
  /** A hook that returns the last request about a tool call. */
  readonly useCallAsk?: (callId: string) => DisplayItemOfKind<"ask"> | undefined;
  /** The name of this device, as it appears on answered requests. */
  readonly deviceName?: string;
  /** A hook that returns how long a turn worked, without the time in which it waited for a person. */
  readonly useTurnDuration?: (turnEnd: string) => number | undefined;
  /** Buttons at the end of a turn, such as copy and fork. */
  readonly TurnActions?: ComponentType<{ item: DisplayItemOfKind<"turn-end"> }>;
  /** What the person has unfolded or folded, by item. It survives scrolling. */
  readonly folds: Map<string, boolean>;
  /** The session's folder. Paths inside are shown without it. */
  readonly folder?: string;
}

type ItemComponent = ComponentType<{ item: DisplayItem }>;

export const ItemsContext = createContext<ItemServices | undefined>(undefined);
/** Renders any item. Views of calls that contain other items get it from here, since it imports those views. */
export const ItemComponentContext = createContext<ItemComponent | undefined>(undefined);

export function useItemServices(): ItemServices {
  const services = useContext(ItemsContext);
  if (!services) throw new Error("Item views must be rendered inside an ItemsProvider.");
  return services;
}

export function useItemComponent(): ItemComponent {
  const component = useContext(ItemComponentContext);
  if (!component) throw new Error("Item views must be rendered inside an ItemsProvider.");
  return component;
}
