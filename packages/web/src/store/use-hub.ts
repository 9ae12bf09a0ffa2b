import type { BoardView, ConnectionState, UnsentMessage } from "@signalbox/client";
import { useCallback, useSyncExternalStore } from "react";
import { getDevice, mayDecide, useAppContext } from "./app-context.tsx";

/** Selects a part of the board. `select` must return the same value until it changes. */
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
 * The number of open asks. `isConfirmed`: the hub has reported it; otherwise it is counted from the cached sessions.
 */
export function useWaiting(): { readonly count: number; readonly isConfirmed: boolean } {
  const isConfirmed = useBoard((view) => view.isConfirmed);
  const asks = useAsks().length;
  const seen = useBoard((view) =>
    view.sessions.reduce((sum, one) => sum + (one.archived ? 0 : one.openAsks), 0),
  );
  return { count: isConfirmed ? asks : seen, isConfirmed };
}

/** Whether the page is connected and up to date. */
export const useLive = () => useLink().kind === "live";

/** Whether commands reach the hub. */
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

/** This device as the hub described it last. */
export function useDevice() {
  const app = useAppContext();
  useLink(); // The device may change with each connection.
  return getDevice(app);
}

/** Whether this device may answer requests. */
export function useMayDecide(): boolean {
  const app = useAppContext();
  useLink(); // The device may change with each connection.
  return mayDecide(app);
}

/** Whether this device may confirm a terminal that asks for the rights of this role. */
export function useMayConfirm(role: "approver" | "admin"): boolean {
  const device = useDevice();
  return device.role === "admin" || device.role === role;
}

/** Whether this device may do more than look. */
export const useMayDrive = () => useDevice().role !== "viewer";
