import { describe, expect, test } from "bun:test";
import { newSecret } from "../../src/devices/secrets.ts";
import { createLogger } from "../../src/logging/logger.ts";

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger((line) => void lines.push(line)));
  return lines.join("");
}

describe("the log of the process", () => {
  test("[HH16] whatever it is told is one line of JSON with nothing in it that steers a terminal", () => {
    const title = "a\nb\r\u001b[2J\u009b31m\u2028\u202e\u200b\u0000\u007f";
    const text = logged((log) => log.info("title", { title }));
    expect(text.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({ level: "info", what: "title", title });
    expect(text.slice(0, -1)).toMatch(/^[\x20-\x7e]+$/);
  });

  test("[HH16] secrets are hidden by their looks and by their value, also as part of something", () => {
    const id = crypto.randomUUID();
    const secrets = [
      newSecret("token", id),
      newSecret("ticket", id),
      newSecret("relay", id),
      "ABCD-EFGH-JKMN-PQRS-TVWX",
      "sk-ant-api03-abcdefghijklmnop",
      "ghp_abcdefghijklmnopqrstuvwx",
      'canary "with" quotes',
    ];
    const text = logged((log) => {
      log.hide('canary "with" quotes');
      for (const secret of secrets)
        log.error("x", { deep: [{ url: `http://h/#pair=${secret}&` }] });
      log.error("x", { authorization: "Bearer abcdefghijkl" });
    });
    for (const secret of secrets) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
    expect(text).not.toContain("abcdefghijkl");
    for (const line of text.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("[HH16] a line has an end", () => {
    const text = logged((log) => log.info("x", { long: "\u202e".repeat(1_000_000) }));
    expect(text.length).toBeLessThan(64 * 1024);
    expect(JSON.parse(text)).toMatchObject({ what: "log-line-cut" });
  });
});
