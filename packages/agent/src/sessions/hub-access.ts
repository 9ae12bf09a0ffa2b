import { createHash, createPrivateKey, randomBytes, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  authorizationHeader,
  hubProofText,
  isSigned,
  readDeviceKey,
  requestText,
} from "@signalbox/api/proof";
import { bypassProxyForLoopback } from "@signalbox/protocol/proxy";
import { isObject, parseObject } from "@signalbox/protocol/wire";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A hub that can be asked, and a function for the header of each request. */
interface HubAccess {
  readonly url: string;
  authorization(path: string): string;
}

const dsaEncoding = "ieee-p1363";

/**
 * Opens the hub at `SIGNALBOX_URL` with `SIGNALBOX_TOKEN`, or the hub of this user with the command
 * line's key from its data folder, after the hub has proven its identity.
 */
export async function openHubAccess(environment: Environment): Promise<HubAccess> {
  const { SIGNALBOX_URL: named, SIGNALBOX_TOKEN: token } = environment;
  if (named !== undefined && token !== undefined) {
    return { url: named, authorization: () => `Bearer ${token}` };
  }
  const folder = dataFolder(environment);
  const found = parseObject(await readFile(join(folder, "hub.json"), "utf8").catch(() => ""));
  const key = readDeviceKey(
    (await readFile(join(folder, "command-line.key"), "utf8").catch(() => "")).trim(),
  );
  if (!isObject(found) || typeof found["url"] !== "string" || !key) {
    throw new Error(
      "No hub runs here to fetch the session from. Start one with `signalbox serve`, or set SIGNALBOX_URL and SIGNALBOX_TOKEN.",
    );
  }
  const { url } = found;
  const nonce = await prove(url, String(found["key"]));
  const bytes = Buffer.from(key.pkcs8, "base64url");
  const privateKey = createPrivateKey({ key: bytes, format: "der", type: "pkcs8" });
  const digest = createHash("sha256").update("").digest("hex");
  let count = 0;
  return {
    url,
    authorization(path) {
      const { device } = key;
      const request = { device, nonce, count: ++count, method: "GET", target: path, digest };
      const text = Buffer.from(requestText(request));
      const signature = sign("sha256", text, { key: privateKey, dsaEncoding });
      return authorizationHeader({ ...request, signature: signature.toString("base64url") });
    },
  };
}

function dataFolder(environment: Environment): string {
  const home = environment["HOME"] ?? homedir();
  const shared = environment["XDG_DATA_HOME"] ?? join(home, ".local/share");
  return environment["SIGNALBOX_DATA"] ?? join(shared, "signalbox");
}

/** Returns the nonce with which requests are signed. */
async function prove(url: string, hubKey: string): Promise<string> {
  const challenge = randomBytes(32).toString("hex");
  const answer = await fetch(new URL("/api/identity", url), {
    ...bypassProxyForLoopback(url),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ challenge }),
  }).catch((cause: unknown) => {
    throw unreachable(url, cause);
  });
  const { nonce, signature } = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  const text = hubProofText({ challenge, host: new URL(url).host, nonce: String(nonce) });
  if (typeof nonce === "string" && (await isSigned(hubKey, text, signature))) return nonce;
  throw new Error(
    `The program that listens at ${url} is not the hub that was started here. Nothing was sent to it.`,
  );
}

export function unreachable(url: string, cause: unknown): Error {
  return new Error(
    `The hub at ${url} cannot be reached. Start it with \`signalbox serve\`, or set SIGNALBOX_URL and SIGNALBOX_TOKEN to one that runs.`,
    { cause },
  );
}
