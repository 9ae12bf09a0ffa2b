import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** Only root may make networks; the certificate is openssl's. */
export const hasNetworks =
  process.getuid?.() === 0 &&
  spawnSync("ip", ["netns", "list"]).status === 0 &&
  spawnSync("openssl", ["version"]).status === 0;

/**
 * Another machine, as far as its network goes: a name space of its own, and one cable to this one. When
 * the cable is pulled nobody is told, and what is sent goes nowhere.
 */
export function openNetwork() {
  const name = `sbx${process.pid}`;
  const [near, far] = [`${name}a`, `${name}b`];
  const subnet = `10.213.${process.pid % 256}`;
  const [here, there] = [`${subnet}.1`, `${subnet}.2`];
  run("ip", "netns", "add", name);
  run("ip", "link", "add", near, "type", "veth", "peer", "name", far, "netns", name);
  run("ip", "address", "add", `${here}/30`, "dev", near);
  run("ip", "link", "set", near, "up");
  run("ip", "-n", name, "address", "add", `${there}/30`, "dev", far);
  for (const each of ["lo", far]) run("ip", "-n", name, "link", "set", each, "up");
  const certificate = makeCertificate(here);
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  return {
    there,
    /** The hub's address for those beyond the cable. */
    url: `https://${here}:${port}`,
    /** A hub's options, to listen on this end of it. */
    hub: { host: here, port, tls: certificate.tls },
    /** What a program beyond it is started with. */
    under: ["ip", "netns", "exec", name],
    environment: { NODE_EXTRA_CA_CERTS: certificate.tls.certFile },
    pull: () => void run("ip", "link", "set", near, "down"),
    plug: () => void run("ip", "link", "set", near, "up"),
    /** The connections that this end still believes in. */
    async connections(): Promise<string[]> {
      const said = await Bun.$`ss -Htno state established dst ${there}`.text();
      return said.split("\n").filter(Boolean);
    },
    [Symbol.dispose]() {
      spawnSync("ip", ["link", "delete", near]);
      spawnSync("ip", ["netns", "delete", name]);
      certificate[Symbol.dispose]();
    },
  };
}

function makeCertificate(address: string) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-tls-"));
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = ["-days", "1", "-subj", "/CN=hub", "-addext", `subjectAltName=IP:${address}`];
  run("openssl", "req", ...kind, ...names, "-keyout", keyFile, "-out", certFile);
  return {
    tls: { certFile, keyFile },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
