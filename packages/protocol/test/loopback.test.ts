import { expect, test } from "bun:test";
import { isLoopbackHost, isLoopbackUrl } from "@signalbox/protocol/proxy";

test("every address of this machine's own network is loopback, and no other", () => {
  const ours = ["localhost", "127.0.0.1", "127.0.0.2", "::1", "[::1]"];
  expect(ours.filter((host) => !isLoopbackHost(host))).toEqual([]);
  const others = ["", "localhost.example", "127.0.0.1.example", "10.0.0.1", "::2", "1127.0.0.1"];
  expect(others.filter(isLoopbackHost)).toEqual([]);
  expect(isLoopbackUrl("http://127.0.0.2:8080/path")).toBe(true);
  expect(isLoopbackUrl("https://[::1]:8080/")).toBe(true);
  expect(isLoopbackUrl("https://example.org/localhost")).toBe(false);
});
