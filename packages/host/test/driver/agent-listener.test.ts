import { expect, test } from "bun:test";
import { once } from "node:events";
import { AgentListener } from "../../src/drivers/sdk-url/agent-listener.ts";
import { until } from "@signalbox/testing/until";

const Socket = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket & { terminate(): void };
const line = (uuid: string) => JSON.stringify({ type: "assistant", uuid });

type Probe = { request_id: string; request: { subtype: string } };

/** An agent as the door sees it: it connects, says frames, and keeps what it hears. */
async function agent(door: AgentListener, lastSaid?: string) {
  const socket = new Socket(door.url, {
    headers: {
      Authorization: `Bearer ${door.secret}`,
      ...(lastSaid !== undefined && { "X-Last-Request-Id": lastSaid }),
    },
  });
  const heard: string[] = [];
  socket.addEventListener("message", ({ data }) => void heard.push(String(data)));
  await once(socket, "open");
  return {
    socket,
    heard: async (count: number) => {
      await until(`${count} frames come`, () => heard.length >= count, { seen: () => heard });
      return heard.join("");
    },
    /** The id of the question whether it is initialized, with which each later connection begins. */
    asked: async () => {
      await until("a frame comes", () => heard.length > 0);
      const { request_id: id, request } = JSON.parse(heard.shift() ?? "") as Probe;
      expect(request.subtype).toBe("initialize");
      return id;
    },
  };
}

async function take(lines: AsyncGenerator<readonly string[]>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value, done } = await lines.next();
    if (done === true) break;
    taken.push(...value);
  }
  return taken;
}

test("[DR7] lines are read from a frame with several, across frames and without a line feed; repeated lines are skipped after a reconnect, and waiting messages arrive", async () => {
  const door = new AgentListener();
  const lines = door.incoming();
  const first = await agent(door);
  await door.send('{"to":1}');
  expect(await first.heard(1)).toBe('{"to":1}\n');
  const [a, b, c, d] = ["a", "b", "c", "d"].map(line);
  first.socket.send(`${a}\n${b}\n${c?.slice(0, 5)}`);
  first.socket.send(`${c?.slice(5)}\n`);
  first.socket.send(d ?? "");
  expect(await take(lines, 4)).toEqual([a ?? "", b ?? "", c ?? "", d ?? ""]);

  first.socket.terminate();
  await once(first.socket, "close");
  const second = await agent(door);
  await second.asked();
  await door.send('{"to":2}');
  expect(await second.heard(1)).toBe('{"to":2}\n');
  second.socket.send(`${c}\n${d}\n${line("e")}\n`);
  expect(await take(lines, 1)).toEqual([line("e")]);

  const third = await agent(door); // without the second having gone: it is replaced
  await once(second.socket, "close");
  await third.asked();
  await door.send('{"to":3}');
  expect(await third.heard(1)).toBe('{"to":3}\n');
  await door.close();
  expect(await take(lines, 1)).toEqual([]);
});

test("[DR7] messages in transit when the connection broke are sent again until the agent shows that it has them, and answers when it waits for them; lines that it printed meanwhile are reported as lost", async () => {
  let lost = 0;
  const door = new AgentListener(() => (lost += 1));
  const lines = door.incoming();
  const first = await agent(door);
  first.socket.send(`${line("said")}\n`);
  await take(lines, 1);
  const prompt = '{"type":"user","uuid":"p"}';
  const request = '{"type":"control_request","request_id":"r","request":{"subtype":"interrupt"}}';
  const answer = '{"type":"control_response","response":{"subtype":"success","request_id":"q"}}';
  for (const each of [prompt, request, answer]) await door.send(each);
  await first.heard(3);
  first.socket.terminate(); // as if it had not heard them
  await once(first.socket, "close");

  const second = await agent(door, "said while it was away");
  const probe = await second.asked();
  expect(await second.heard(2)).toBe(`${prompt}\n${request}\n`);
  const waits = [
    { type: "control_request", request_id: "q", request: { subtype: "can_use_tool" } },
  ];
  const already = { subtype: "error", error: "Already initialized", request_id: probe };
  second.socket.send(
    `${JSON.stringify({
      type: "control_response",
      response: { ...already, pending_permission_requests: waits },
    })}\n${prompt}\n{"type":"control_response","response":{"subtype":"success","request_id":"r"}}\n`,
  );
  expect(await second.heard(3)).toBe(`${prompt}\n${request}\n${answer}\n`);
  expect(lost).toBe(1);
  await take(lines, 3);
  second.socket.terminate();
  await once(second.socket, "close");

  const third = await agent(door, "p");
  await third.asked();
  await door.send('{"to":3}');
  expect(await third.heard(1)).toBe('{"to":3}\n'); // nothing more was owed
  await door.close();
});

test("[DR7] a connection without the secret or on another path is refused", async () => {
  const door = new AgentListener();
  const http = door.url.replace("ws:", "http:");
  expect((await fetch(http)).status).toBe(401);
  const wrong = { headers: { Authorization: "Bearer wrong" } };
  expect((await fetch(http, wrong)).status).toBe(401);
  expect((await fetch(new URL("/", http))).status).toBe(404);
  await door.close();
});

test("[DR7] the end of a turn that 2.1.120 repeats with other figures is the same end, and says nothing about the prompt in transit", async () => {
  const door = new AgentListener();
  const lines = door.incoming();
  const end = (cost: number) => JSON.stringify({ type: "result", uuid: "end", cost });
  const first = await agent(door);
  await door.send('{"type":"user","uuid":"one"}');
  first.socket.send(`${end(1)}\n`);
  expect(await take(lines, 1)).toEqual([end(1)]);
  const prompt = '{"type":"user","uuid":"two"}';
  await door.send(prompt);
  await first.heard(2);
  first.socket.terminate();
  await once(first.socket, "close");

  const second = await agent(door);
  await second.asked();
  second.socket.send(`${end(2)}\n${line("more")}\n`);
  expect(await take(lines, 1)).toEqual([line("more")]);
  second.socket.terminate();
  await once(second.socket, "close");

  const third = await agent(door);
  await third.asked();
  expect(await third.heard(1)).toBe(`${prompt}\n`);
  await door.close();
});
