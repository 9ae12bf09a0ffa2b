import type { OutputTail } from "@signalbox/api";
import { type ComponentType, createContext, useContext } from "react";
import type { DisplayItem } from "../../text/body.ts";

/** What the views of items need from the page around them. It must stay the same object. */
export interface ItemServices {
  /** The whole of a text that was cut. */
  readonly loadBody: (hash: string) => Promise<string>;
  /** A hook: the items of a subagent, by the call it runs under, in their order. */
  readonly useChildren: (callId: string) => readonly DisplayItem[];
  /** The end of what a command in the background has printed, by its call. */
  readonly readOutput?: (item: string) => Promise<OutputTail>;
  /** A hook: whether a task still runs. */
  readonly useTaskRuns?: (task: string) => boolean;
  /** A hook: what a thing to do is about, by its number, as far as it is known. */
  readonly useTodo?: (id: string) => string | undefined;
  /** A hook: whether open asks are shown below the conversation, with the ways to answer. Without it, asks are only shown. */
  readonly useDocked?: () => boolean;
  /** What was opened and closed by hand, by item: it outlives an item that scrolls out of sight. */
  readonly folds: Map<string, boolean>;
  /** The session's folder: paths inside are shown without it. */
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
