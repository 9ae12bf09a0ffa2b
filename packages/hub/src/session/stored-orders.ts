import type { OrderRow, SessionRow, Store } from "../store/store.ts";

/** The part of a session that its orders are checked against. */
interface OrderedSession {
  readonly id: string;
  readonly row: SessionRow;
}
interface OrderCheck {
  confirmsOrder(order: OrderRow, row: SessionRow): boolean;
}

/**
 * The stored orders that this hub has written, or that the audit confirmed when the hub started. A runner is
 * sent only these, because anybody who can write the database can add rows to the table of orders.
 */
export class StoredOrders {
  readonly #known = new Map<string, OrderRow>();
  readonly #unconfirmed = new Map<string, string>();

  /** Loads the orders. Without `check`, as in an engine that reads no audit, every stored order counts. */
  async load(
    store: Store,
    sessions: readonly OrderedSession[],
    check: OrderCheck | undefined,
  ): Promise<void> {
    const rows = new Map(sessions.map(({ id, row }) => [id, row]));
    for (const runner of new Set(sessions.map(({ row }) => row.runner))) {
      for (const order of await store.orders(runner)) {
        const row = rows.get(order.session);
        if (!check || (row && check.confirmsOrder(order, row))) this.add(order);
        else this.#refuse(order);
      }
    }
  }

  /** Confirms an order. Call it before the order is stored. */
  add(order: OrderRow): void {
    this.#known.set(order.id, order);
  }

  remove(id: string): void {
    this.#known.delete(id);
  }

  /** Whether exactly this order may be sent. */
  has(order: OrderRow): boolean {
    const known = this.#known.get(order.id);
    if (known?.json === order.json && known.runner === order.runner) return true;
    this.#refuse(order);
    return false;
  }

  /** Describes each order that is not sent, as part of a sentence. */
  listUnconfirmed(): readonly string[] {
    return [...this.#unconfirmed.values()];
  }

  #refuse({ id, session }: OrderRow): void {
    this.#unconfirmed.set(id, `the order ${id} to the agent of the session ${session}`);
  }
}
