import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPrivateFolder } from "@signalbox/host/isolation";
import { until } from "@signalbox/testing/until";
import { matchSockets } from "../../src/http/inherited-sockets.ts";
import { hasIpv6 } from "../../src/http/listen-plan.ts";
import { SocketFolder } from "../../src/http/socket-folder.ts";
import { holdInProcess } from "@signalbox/testing/held-sockets";
import { enterStream, openTestServer } from "./stage.ts";
import { rawRequest } from "@signalbox/testing/raw-request";

setDefaultTimeout(180_000);

const ipv6 = hasIpv6();

/** Raw bytes from an address of one's own choice; gives what came until the other side ended. */
function said(port: number, host: string, from: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let got = "";
    const socket = connect({ port, host, localAddress: from }, () => void socket.write(text));
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      got += piece;
      if (/\r\n\r\n[^]*\}$/.test(got)) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(got));
  });
}

describe("a hub on inherited sockets", () => {
  test("[HH72] is reached as ever: requests, streams, on every loopback address", async () => {
    using held = holdInProcess();
    await using testServer = await openTestServer({ listen: { inherited: held.inherit() } });
    expect(testServer.port).toBe(held.port);
    for (const host of ["127.0.0.1", "localhost", ...(ipv6 ? ["[::1]"] : [])]) {
      const response = await fetch(`http://${host}:${testServer.port}/health`);
      expect([host, await response.text()]).toEqual([host, "ok"]);
    }
    const token = await testServer.tokenOf("admin");
    const stream = await enterStream(testServer, token);
    expect(stream.frames[0]).toMatchObject({ type: "welcome" });
    const closing = stream.closed;
    await testServer.close();
    expect(await closing).toMatchObject({ code: 1001, reason: "The hub is stopping." });
  });

  test("[HH70] whoever asks while none runs is answered by the next", async () => {
    using held = holdInProcess();
    const first = await openTestServer({ listen: { inherited: held.inherit() } });
    expect((await fetch(`${first.url}/health`)).status).toBe(200);
    await first.close();
    const waiting = rawRequest(
      held.port,
      `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${held.port}\r\n\r\n`,
    );
    await using _next = await openTestServer({ listen: { inherited: held.inherit() } });
    expect(await waiting).toStartWith("HTTP/1.1 200");
  });

  test("[HH70] a thousand who wait for the next hub are all answered", async () => {
    using held = holdInProcess();
    const ask = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${held.port}\r\n\r\n`;
    const answers = Array.from({ length: 1000 }, () => rawRequest(held.port, ask));
    const at = `0100007F:${held.port.toString(16).toUpperCase().padStart(4, "0")}`;
    const waiting = () => {
      const rows = readFileSync("/proc/net/tcp", "utf8").split("\n");
      return rows.map((row) => row.trim().split(/\s+/)).filter((r) => r[1] === at && r[3] === "01");
    };
    await until("all wait", () => waiting().length === 1000, { seen: () => waiting().length });
    await using _next = await openTestServer({ listen: { inherited: held.inherit() } });
    const heads = (await Promise.all(answers)).map((answer) => answer.split("\r\n", 1)[0]);
    expect(new Set(heads)).toEqual(new Set(["HTTP/1.1 200 OK"]));
  });

  test("[HH72] who says nothing, half of a head or half of a body is not kept; who is let in is", async () => {
    using held = holdInProcess();
    await using testServer = await openTestServer({ listen: { inherited: held.inherit() } });
    const host = `Host: 127.0.0.1:${held.port}\r\n`;
    const token = await testServer.tokenOf("admin");
    const { promise: engine, resolve: answer } = Promise.withResolvers<unknown>();
    testServer.answers["settings.getEnvironments"] = () => engine;
    const slow = testServer.ask("GET", "/api/environments", { token });
    const stream = await enterStream(testServer, token);
    const json = `content-type: application/json\r\ncontent-length: 90\r\n\r\n{"half":`;
    const idle = [
      "",
      `GET /health HTTP/1.1\r\nHo`,
      `GET /health HTTP/1.1\r\n${host}\r\nGET /health HTTP/1.1\r\nHo`,
      `POST /api/pair HTTP/1.1\r\n${host}${json}`,
    ];
    const ends = idle.map(async (text) => {
      const answer = await new Promise<string>((resolve) => {
        let got = "";
        const socket = connect(held.port, "127.0.0.1", () => void socket.write(text));
        socket.setEncoding("utf8").on("data", (piece: string) => {
          got += piece;
          if (got.startsWith("HTTP/1.1 408")) socket.destroy();
        });
        socket.on("error", () => {}).on("close", () => resolve(got));
      });
      return answer.split("\r\n", 1)[0];
    });
    expect(await Promise.all(ends)).toEqual([
      "",
      "",
      "HTTP/1.1 200 OK",
      "HTTP/1.1 408 Request Timeout",
    ]);
    answer({});
    expect((await slow).status).toBe(200);
    expect(stream.socket.readyState).toBe(WebSocket.OPEN);
    stream.socket.close();
  });

  test("[HH72] behind a proxy only its address comes in, and its word about others counts", async () => {
    const far = { host: "127.0.0.2", proxy: "127.0.0.3", names: ["hub.example"] };
    using held = holdInProcess(far);
    await using testServer = await openTestServer({
      listen: { ...far, inherited: held.inherit() },
    });
    const ask = `GET /api/sessions HTTP/1.1\r\nHost: hub.example\r\nX-Forwarded-For: 203.0.113.9\r\nAuthorization: Bearer wrong\r\n\r\n`;
    expect(await said(testServer.port, "127.0.0.2", "127.0.0.4", ask)).toContain("not-the-proxy");
    expect(await said(testServer.port, "127.0.0.2", "127.0.0.3", ask)).toContain(
      "wrong-credential",
    );
    // Who has guessed is the one that the proxy named, and not the proxy.
    const noted = async () => JSON.stringify(await testServer.store.audit());
    await until("it is noted", async () => (await noted()).includes("login-failed"));
    expect(await noted()).toContain("203.0.113.9");
  });
});

describe("inherited sockets that do not fit", () => {
  const socket = (address: string, port: number) => ({ address, port, handle() {}, close() {} });
  const near = socket("127.0.0.1", 8765);
  const both = ipv6 ? [near, socket("::1", 8765)] : [near];
  const fit = (sockets: readonly ReturnType<typeof socket>[], options = {}) =>
    matchSockets({ port: 1, ...options }, sockets);

  test("[HH73] are refused: one is missing, another port, one too many", () => {
    expect(fit(both)).toMatchObject({ port: 8765 });
    expect(() => fit([socket("::1", 8765)])).toThrow("none of them listens on 127.0.0.1");
    if (ipv6) expect(() => fit([near])).toThrow("[::1]:8765 is missing");
    if (ipv6) expect(() => fit([near, socket("::1", 8766)])).toThrow("[::1]:8765 is missing");
    for (const wide of ["0.0.0.0", "::", "192.168.1.5"]) {
      expect(() => fit([...both, socket(wide, 8765)])).toThrow("is not one of the hub's addresses");
    }
    const proxied = { host: "0.0.0.0", proxy: "127.0.0.1", names: ["hub.example"] };
    expect(() => fit(both, proxied)).toThrow("0.0.0.0:8764 is missing");
    const all = [socket("0.0.0.0", 8764), ...both];
    expect(fit(all, proxied).listeners.map(({ socket }) => socket?.port)).toEqual(
      all.map(({ port }) => port),
    );
  });

  test("[HH73] are refused: what is no socket", async () => {
    const file = openSync("/dev/null", "r");
    const failure: unknown = await openTestServer({ listen: { inherited: [file] } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "CANNOT_LISTEN" });
    expect(String(failure)).toContain(`descriptor ${file}`);
    try {
      closeSync(file);
    } catch {
      // It was closed with the attempt.
    }
  });
});

describe("the folder of the private sockets", () => {
  const made = () => mkdtempSync(join(tmpdir(), "signalbox-test-"));

  test("[HH72] what a killed hub left is removed, and what is made goes at the end", async () => {
    const folder = made();
    writeFileSync(join(folder, "http-7.sock"), "");
    writeFileSync(join(folder, "kept"), "");
    using held = holdInProcess();
    const listen = { privateFolder: folder, inherited: held.inherit() };
    const testServer = await openTestServer({ listen });
    const sockets = held.fds.map((_, at) => `http-${at}.sock`);
    expect(readdirSync(folder).toSorted()).toEqual([...sockets, "kept"]);
    await testServer.close();
    expect(readdirSync(folder)).toEqual(["kept"]);
    rmSync(folder, { recursive: true });
  });

  const answer = () => new Response("answer");
  const ask = async (unix: string) => (await fetch("http://hub/", { unix })).text();

  test.if(process.platform === "linux")(
    "[HH72] they are in the given one, too, where its path is too long for a socket's",
    async () => {
      const folder = join(made(), "x".repeat(120));
      mkdirSync(folder);
      {
        using sockets = new SocketFolder(folder);
        const { path, server } = sockets.bind((unix) => ({
          path: unix,
          server: Bun.serve({ unix, fetch: answer }),
        }));
        expect(readdirSync(folder)).toEqual(["http-0.sock"]);
        expect(await ask(path)).toBe("answer");
        await server.stop(true);
      }
      expect(readdirSync(folder)).toEqual([]);
      rmSync(join(folder, ".."), { recursive: true });
    },
  );

  test("[HH72] where none can be made in it, they are in a folder that is hidden from agents", async () => {
    const folder = join(made(), "missing");
    const dead = mkdtempSync(join(openPrivateFolder(), "http-999999999-"));
    let path = "";
    {
      using sockets = new SocketFolder(folder);
      using server = sockets.bind((unix) => {
        path = unix;
        return Bun.serve({ unix, fetch: answer });
      });
      expect(server.url).toBeDefined();
      expect(existsSync(dead)).toBe(false);
      expect(path).toStartWith(join(openPrivateFolder(), `http-${process.pid}-`));
    }
    await until("it is gone", () => !existsSync(join(path, "..")));
    rmSync(join(folder, ".."), { recursive: true });
  });

  test("[HH72] a folder that somebody else could enter is not used, and the person is told", () => {
    const folder = made();
    chmodSync(folder, 0o755);
    expect(() => openPrivateFolder(folder)).toThrow(
      `${folder} is not a folder that only this user`,
    );
    chmodSync(folder, 0o700);
    expect(openPrivateFolder(folder)).toBe(folder);
    rmSync(folder, { recursive: true });
  });
});
