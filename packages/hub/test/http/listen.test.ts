import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { planListening } from "../../src/http/listen-plan.ts";
import { openTestServer } from "./stage.ts";

setDefaultTimeout(180_000);

const ipv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === "::1"),
);

/** Somebody else on a port. */
async function squatter(host: string, port = 0): Promise<{ port: number } & AsyncDisposable> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: address.port, [Symbol.asyncDispose]: close };
}

describe("listening", () => {
  test("[HH14] on both loopback addresses and nowhere else", async () => {
    await using testServer = await openTestServer();
    const hex = testServer.port.toString(16).toUpperCase().padStart(4, "0");
    const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => Bun.file(path).text());
    const rows = (await Promise.all(tables)).flatMap((table) => table.split("\n"));
    const addresses = rows
      .map((row) => row.trim().split(/\s+/))
      .filter((row) => row[3] === "0A" && row[1]?.endsWith(`:${hex}`))
      .map((row) => row[1]?.split(":")[0]);
    const both = ["0100007F", ...(ipv6 ? ["00000000000000000000000001000000"] : [])];
    expect(new Set(addresses)).toEqual(new Set(both));
    for (const host of ["127.0.0.1", "localhost", ...(ipv6 ? ["[::1]"] : [])]) {
      expect((await fetch(`http://${host}:${testServer.port}/health`)).status).toBe(200);
    }
  });

  test("[HH14] a port that is taken on either is refused, and its owner is named", async () => {
    for (const host of ["127.0.0.1", ...(ipv6 ? ["::1"] : []), "0.0.0.0"]) {
      await using other = await squatter(host);
      const failure: unknown = await openTestServer({ listen: { port: other.port } }).catch(
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ code: "CANNOT_LISTEN" });
      expect(String(failure)).toContain(`(process ${process.pid})`);
      // Nothing was left behind on the other address.
      if (host === "::1") await (await squatter("127.0.0.1", other.port))[Symbol.asyncDispose]();
    }
  });

  test("[HH14] a second hub does not share the port of the first", async () => {
    await using first = await openTestServer();
    const failure: unknown = await openTestServer({ listen: { port: first.port } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "CANNOT_LISTEN" });
  });

  test("[HH15] further out only with TLS or a declared proxy, and only under names", () => {
    const refused = [
      { host: "0.0.0.0" },
      { host: "192.168.1.5" },
      { host: "0.0.0.0", names: ["hub.example"] },
      { names: ["hub.example"] },
      { host: "0.0.0.0", tls: { certFile: "c", keyFile: "k" } },
    ];
    for (const options of refused) {
      expect(() => planListening({ port: 1, ...options }, 1, true)).toThrow();
    }
    const tls = { certFile: "c", keyFile: "k" };
    const wide = planListening(
      { port: 8765, host: "0.0.0.0", tls, names: ["hub.example:8765"] },
      8765,
      true,
    );
    expect(wide.listeners.map(({ hostname, offset, tls }) => [hostname, offset, tls])).toEqual([
      ["0.0.0.0", 0, true],
      ["127.0.0.1", 1, false],
      ["::1", 1, false],
    ]);
    const [far] = wide.listeners;
    expect([...(far?.createPolicy(8765).hosts ?? [])]).toEqual([["hub.example:8765", "https"]]);
    expect(wide.publicUrl).toBe("https://hub.example:8765");
  });

  test("[HH15] a name without a port means the port on which the hub speaks TLS, or the proxy's 443", () => {
    const names = ["hub.example"];
    const tls = { certFile: "c", keyFile: "k" };
    const reached = (options: object, port: number) => {
      const plan = planListening({ port, host: "0.0.0.0", names, ...options }, port, false);
      const [far] = plan.listeners;
      return [plan.publicUrl, ...(far?.createPolicy(port).hosts.keys() ?? [])];
    };
    expect(reached({ tls }, 9485)).toEqual(["https://hub.example:9485", "hub.example:9485"]);
    expect(reached({ tls }, 443)).toEqual(["https://hub.example", "hub.example"]);
    const forwarded = { tls, names: ["hub.example:443"] };
    expect(reached(forwarded, 9485)).toEqual(["https://hub.example", "hub.example"]);
    expect(reached({ proxy: "10.0.0.1" }, 9485)).toEqual(["https://hub.example", "hub.example"]);
  });

  test("[HH15] links for other devices lead to the first name, else to the address with TLS, else nowhere", () => {
    const tls = { certFile: "c", keyFile: "k" };
    const outside = (options: object) =>
      planListening({ port: 9485, ...options }, 9485, false).outsideUrl;
    expect(outside({})).toBeUndefined();
    expect(outside({ host: "10.0.0.7", tls })).toBe("https://10.0.0.7:9485");
    expect(outside({ host: "fd00::7", tls })).toBe("https://[fd00::7]:9485");
    expect(outside({ host: "10.0.0.7", tls, names: ["hub.example"] })).toBe(
      "https://hub.example:9485",
    );
    expect(outside({ host: "10.0.0.7", proxy: "10.0.0.1" })).toBeUndefined();
  });

  test("[HH15] behind a proxy its name and its https origin count", async () => {
    const listen = { proxy: "127.0.0.1", names: ["hub.example"] };
    await using testServer = await openTestServer({ listen });
    const status = async (headers: Record<string, string>) =>
      (await testServer.ask("GET", "/health", { headers: { host: "hub.example", ...headers } }))
        .status;
    expect(await status({})).toBe(200);
    expect(await status({ origin: "https://hub.example" })).toBe(200);
    expect(await status({ origin: "http://hub.example" })).toBe(403);
    expect(
      (await testServer.ask("GET", "/api/sessions", { headers: { host: "hub.example" } })).status,
    ).toBe(401);
  });

  test("[HH15] with TLS the certificate's files are used", async () => {
    const folder = await Bun.$`mktemp -d`.text();
    const [certFile, keyFile] = [`${folder.trim()}/cert.pem`, `${folder.trim()}/key.pem`];
    const made =
      await Bun.$`openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=hub.example -keyout ${keyFile} -out ${certFile}`
        .quiet()
        .nothrow();
    if (made.exitCode !== 0) return; // no openssl here: nothing to listen with
    const listen = { host: "127.0.0.2", tls: { certFile, keyFile }, names: ["hub.example"] };
    await using testServer = await openTestServer({ listen });
    const response = await fetch(`https://127.0.0.2:${testServer.port}/health`, {
      headers: { host: `hub.example:${testServer.port}` },
      tls: { rejectUnauthorized: false },
    });
    expect(await response.text()).toBe("ok");
    await Bun.$`rm -r ${folder.trim()}`;
  });
});
