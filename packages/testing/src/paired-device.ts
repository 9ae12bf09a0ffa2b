import {
  type DeviceCredential,
  importDeviceKey,
  pairDevice as pairWithHub,
} from "@signalbox/client";
import type { DeviceView } from "@signalbox/api";
import { createDeviceSigningKey, createSigningKey } from "@signalbox/runner/keys";

/** A device with a key of its own, as tests hold it. `text`: all of it, for a process of its own. */
export interface TestDevice {
  readonly credential: DeviceCredential;
  readonly view: DeviceView;
  /** The private key, to be looked for afterwards. */
  readonly secret: string;
  readonly text: string;
}

export async function pairDevice(hub: {
  url: string;
  code: string;
  name: string;
}): Promise<TestDevice> {
  const key = createSigningKey();
  const paired = await pairWithHub({ ...hub, publicKey: key.publicKey });
  const secret = createDeviceSigningKey(paired.device.id, key).text;
  const text = `${secret} ${paired.hub.id} ${paired.hub.key}`;
  return { credential: await readDevice(text), view: paired.device, secret, text };
}

/** The credential that `text` of a paired device holds. */
export async function readDevice(text: string): Promise<DeviceCredential> {
  const [key = "", id = "", hubKey = ""] = text.split(" ");
  return { ...(await importDeviceKey(key)), hub: { id, key: hubKey } };
}
