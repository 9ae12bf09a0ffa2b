import type { BoardView, ConnectionState, UnsentMessage } from "@signalbox/client";
import { useCallback, useSyncExternalStore } from "react";
import { getDevice, useAppContext } from "./app-context.tsx";

/** A part of the board. `select` must give the same value while nothing of it changed. */
export function useBoard<T>(select: (view: BoardView) => T): T {
  const { board } = useAppContext();
  const subscribe = useCallback((tell: () => void) => board.subscribe(tell), [board]);
  return useSyncExternalStore(subscribe, () => select(board.view));
}

export const useSessions = () => useBoard((view) => view.sessions);
export const useAsks = () => useBoard((view) => view.asks);
export const useSession = (id: string) => useBoard((view) => view.session(id));

export function useLink(): ConnectionState {
  const { client } = useAppContext();
  const subscribe = useCallback((tell: () => void) => client.onState(tell), [client]);
  return useSyncExternalStore(subscribe, () => client.state);
}

/**
 * How many asks wait, and whether that is so or what was seen last: a page that has not heard from its hub
 * knows from its copy which sessions waited, not what for.
 */
export function useWaiting(): { readonly count: number; readonly told: boolean } {
  const told = useBoard((view) => view.told);
  const asks = useAsks().length;
  const seen = useBoard((view) =>
    view.sessions.reduce((sum, one) => sum + (one.archived ? 0 : one.openAsks), 0),
  );
  return { count: told ? asks : seen, told };
}

/** Whether what is shown is what is. */
export const useLive = () => useLink().kind === "live";

/** Whether the hub hears what is said now. */
export function useReachable(): boolean {
  const { kind } = useLink();
  return kind === "live" || kind === "catching-up";
}

/** All messages that have not reached the hub. */
export function useUnsent(): readonly UnsentMessage[] {
  const { outbox } = useAppContext().client;
  const subscribe = useCallback((tell: () => void) => outbox.subscribe(tell), [outbox]);
  return useSyncExternalStore(subscribe, () => outbox.messages);
}

/** Who this device is to the hub, by its last welcome. */
export function useDevice() {
  const app = useAppContext();
  useLink(); // a welcome changes the state
  return getDevice(app);
}

/** Whether this device may answer what is asked. */
export function useMayDecide(): boolean {
  const { role } = useDevice();
  return role === "approver" || role === "admin";
}

/** Whether this device may do more than look. */
export const useMayDrive = () => useDevice().role !== "viewer";
