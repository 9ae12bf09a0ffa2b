import type { Isolation } from "../isolation/isolation.ts";
import type { Capabilities, Driver } from "../launch/driver.ts";

/** What is known about a driver before it has started anything. */
export interface DriverDescription {
  readonly name: string;
  readonly title: string;
  readonly capabilities: Capabilities;
}

/** What a runner gives to a driver that it creates. */
export interface DriverContext {
  /** Goes into the marker that all processes of the runner's agents carry. */
  readonly owner: string;
  /** Keeps agents away from Signalbox itself. */
  readonly isolation: Isolation;
}

/** What a package that brings a driver exports as `createDriver`. */
export type CreateDriver = (context: DriverContext) => Driver | Promise<Driver>;

const driverName = /^[a-z][a-z0-9-]{0,39}$/;
/** The driver of agents that dial in, which only the hub itself has. */
const RESERVED = "relay";

/** The drivers of one runner, by name. The hub learns from it which there are and what they can do. */
export class DriverRegistry {
  readonly #drivers = new Map<string, Driver>();

  constructor(drivers: Iterable<Driver> = []) {
    for (const driver of drivers) this.register(driver);
  }

  /** Adds a driver. A name belongs to the first that has it, so that no package replaces another's driver. */
  register(driver: Driver): void {
    const { name } = driver;
    if (!driverName.test(name) || name === RESERVED) {
      throw new Error(
        `A driver cannot be called "${name}". A name has lower-case letters, digits and dashes, and "${RESERVED}" is taken.`,
      );
    }
    if (this.#drivers.has(name)) throw new Error(`There is already a driver called "${name}".`);
    this.#drivers.set(name, driver);
  }

  get(name: string): Driver | undefined {
    return this.#drivers.get(name);
  }

  describe(): DriverDescription[] {
    return [...this.#drivers.values()].map(({ name, title = name, capabilities }) => ({
      name,
      title,
      capabilities,
    }));
  }
}

/** Loads the drivers of other packages: each module exports `createDriver`. */
export async function loadDrivers(
  modules: readonly string[],
  context: DriverContext,
): Promise<Driver[]> {
  return Promise.all(
    modules.map(async (path) => {
      const { createDriver } = (await import(path)) as { createDriver?: CreateDriver };
      if (typeof createDriver === "function") return createDriver(context);
      throw new Error(`${path} is no driver: it exports no function \`createDriver\`.`);
    }),
  );
}
