import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child, type Cost } from "./child.ts";
import type { PairedDevice } from "@signalbox/api";
import { authorization, newDevice } from "@signalbox/testing/signed-requests";
import { Feeder } from "./feeder.ts";

/** A hub in a process of its own, one device that may do everything, and a runner that we play. */
export class HubRig implements AsyncDisposable {
  readonly place: string;
  hub: Child<{ url: string; code: string }, Cost>;
  url = "";
  token = "";
  runner = "";
  feeder!: Feeder;

  private constructor(place: string, page?: string) {
    this.place = place;
    this.hub = new Child("hub.ts", [join(place, "data"), ...(page === undefined ? [] : [page])]);
  }

  /** `page`: the folder of the built page, where it is to be served. */
  static async open(page?: string): Promise<HubRig> {
    const rig = new HubRig(mkdtempSync(join(tmpdir(), "signalbox-bench-")), page);
    const { url, code } = await rig.hub.begin;
    rig.url = url;
    rig.token = (await rig.pair(code)).key;
    const invitation = await rig.command<{ code: string }>("POST", "/api/pairings", {
      role: "runner",
    });
    const runner = await rig.pair(invitation.code);
    rig.runner = runner.device.id;
    rig.feeder = new Feeder(url, runner.key, rig.runner);
    await rig.feeder.ready;
    return rig;
  }

  /** The hub anew, with what it had stored. */
  async restart(): Promise<void> {
    this.feeder.close();
    this.hub[Symbol.dispose]();
    await Bun.sleep(500);
    this.hub = new Child("hub.ts", [join(this.place, "data")]);
    this.url = (await this.hub.begin).url;
  }

  /** `key`: the device's own, as text. */
  async pair(code: string): Promise<PairedDevice & { key: string }> {
    const { publicKey, createKey } = newDevice();
    const body = { code, name: "bench", publicKey };
    const paired = await this.#call<PairedDevice>("POST", "/api/pair", body, {});
    return { ...paired, key: createKey(paired.device.id) };
  }

  command<T>(method: string, path: string, body: object): Promise<T> {
    return this.#call(method, path, body, { "signalbox-command": crypto.randomUUID() });
  }

  get<T>(path: string): Promise<T> {
    return this.#call("GET", path, undefined, {});
  }

  async text(path: string): Promise<string> {
    const headers = { Authorization: await authorization(this.url, this.token, "GET", path) };
    return (await fetch(new URL(path, this.url), { headers })).text();
  }

  async #call<T>(method: string, path: string, body: object | undefined, more: object): Promise<T> {
    const text = body ? JSON.stringify(body) : "";
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: {
        ...(body && { "Content-Type": "application/json" }),
        ...(this.token !== "" && {
          Authorization: await authorization(this.url, this.token, method, path, text),
        }),
        ...more,
      },
      ...(body && { body: text }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const said = await answer.text();
    return (said === "" ? undefined : JSON.parse(said)) as T;
  }

  /** A session whose agent we play. */
  async session(title?: string): Promise<string> {
    const { id } = await this.command<{ id: string }>("POST", "/api/sessions", {
      folder: this.place,
      runner: this.runner,
      prompt: { text: "go" },
      ...(title !== undefined && { title }),
    });
    return id;
  }

  async cpu(): Promise<number> {
    return (await this.hub.ask()).cpuSeconds;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.feeder.close();
    this.hub[Symbol.dispose]();
    rmSync(this.place, { recursive: true, force: true, maxRetries: 5 });
    return Promise.resolve();
  }
}

/** A figure beside its baseline, and whether the bar is held. */
export interface Figure {
  readonly figure: string;
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly baseline: number;
  readonly baselineIs: string;
  readonly ratio: number;
  readonly bar: number;
  readonly better: "lower" | "higher";
  readonly passed: boolean;
  readonly more?: object;
}

export function figure(
  facts: Omit<Figure, "ratio" | "passed"> & { ratio?: number; also?: boolean },
): Figure {
  const { also = true, ...told } = facts;
  const ratio = facts.ratio ?? facts.ours / facts.baseline;
  const held = facts.better === "lower" ? ratio <= facts.bar : ratio >= facts.bar;
  const round = (value: number) => Number(value.toPrecision(4));
  return {
    ...told,
    ours: round(facts.ours),
    baseline: round(facts.baseline),
    ratio: round(ratio),
    passed: held && also,
  };
}
