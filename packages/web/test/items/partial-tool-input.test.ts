import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { parsePartialInput } from "../../src/items/kinds/partial-tool-input.ts";
import { parsePartialFields } from "../../src/text/partial-json.ts";

describe("an input that is being written", () => {
  test("[IV11] cut anywhere, its texts are beginnings of what they will be, and grow", () => {
    const input = {
      command: 'echo "a\\b" \u{1f600}\n\ttab \u2028 \\\\"',
      list: [1, { a: "}]," }],
      deep: { x: ["\\"] },
      n: -1.5e3,
      yes: true,
      content: "é\\",
    };
    for (const json of [JSON.stringify(input), JSON.stringify(input, null, 2)]) {
      let before = "";
      for (let end = 0; end <= json.length; end++) {
        const command = parsePartialFields(json.slice(0, end))?.get("command") ?? "";
        expect(input.command.startsWith(command)).toBe(true);
        expect(command.startsWith(before)).toBe(true);
        before = command;
      }
      const whole = parsePartialFields(json);
      expect(whole?.get("command")).toBe(input.command);
      expect(whole?.get("content")).toBe(input.content);
      expect([...(whole?.keys() ?? [])]).toEqual(Object.keys(input));
      expect(JSON.parse(whole?.get("list") ?? "")).toEqual(input.list);
      expect(whole?.get("n")).toBe("-1500");
    }
  });

  test("[IV11] any object, cut anywhere, gives beginnings of its texts", () => {
    const objects = fc.dictionary(fc.string({ unit: "binary", minLength: 1 }), fc.jsonValue());
    fc.assert(
      fc.property(objects, fc.nat(), (object, cut) => {
        const json = JSON.stringify(object);
        const fields = parsePartialFields(json.slice(0, cut % (json.length + 1)));
        for (const [name, text] of fields ?? []) {
          const whole = object[name];
          if (typeof whole === "string") expect(whole.startsWith(text)).toBe(true);
        }
        const all = parsePartialFields(json);
        expect([...(all?.keys() ?? [])].toSorted()).toEqual(Object.keys(object).toSorted());
      }),
    );
  });

  test("[IV11] whatever the text is, nothing throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        parsePartialFields(text);
        parsePartialFields(`{"${text}`);
        parsePartialFields(`{"a":"${text}`);
        parsePartialFields(`{"a":${text}`);
      }),
    );
  });

  test("[IV11] escapes that are cut are left out until they are whole", () => {
    const read = (json: string) => parsePartialFields(json)?.get("a");
    expect(read('{"a":"x\\')).toBe("x");
    expect(read('{"a":"x\\u00e')).toBe("x");
    expect(read('{"a":"x\\u00e9')).toBe("xé");
    expect(read('{"a":"x\\\\')).toBe("x\\");
    expect(read('{"a":"x\\\\\\')).toBe("x\\");
    expect(read('{"a":"x\\\\u00e')).toBe("x\\u00e");
    expect(read('{"a":')).toBeUndefined();
    expect(read('{"a')).toBeUndefined();
    expect(parsePartialFields('["a"')).toBeUndefined();
    expect(parsePartialFields("")).toBeUndefined();
  });

  test("[IV11] commands, paths and contents read as what they will be; anything else does not", () => {
    expect(parsePartialInput('{"command":"npm te')).toEqual({ command: "npm te" });
    expect(parsePartialInput('{"file_path":"/a.ts","content":"one\\ntw')).toEqual({
      path: "/a.ts",
      content: "one\ntw",
    });
    expect(parsePartialInput('{"file_path":"/a.ts","old_string":"x","new_string":"y')).toEqual({
      path: "/a.ts",
      content: "y",
    });
    expect(parsePartialInput('{"pattern":"x')).toBeUndefined();
    expect(parsePartialInput('{"todos":[{"content":"x"')).toBeUndefined();
  });
});
