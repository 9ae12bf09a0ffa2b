import { decode, lineText, parseLogMarker } from "@signalbox/protocol";
import { TranscriptConverter, type TranscriptProblem } from "@signalbox/protocol/transcript";
import { describe, expect, test } from "bun:test";

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const entry = (type: string, n: number, parent: number | null, more: object = {}) => ({
  parentUuid: parent === null ? null : id(parent),
  isSidechain: false,
  type,
  uuid: id(n),
  sessionId: id(999),
  cwd: "/home/dev/demo",
  version: "2.1.325",
  timestamp: "2026-11-01T10:00:00.000Z",
  ...more,
});
const prompt = (n: number, parent: number | null, content = `prompt ${n}`) =>
  entry("user", n, parent, { message: { role: "user", content } });
const answer = (n: number, parent: number | null, more: object = {}) =>
  entry("assistant", n, parent, {
    message: {
      id: `m${n}`,
      role: "assistant",
      model: "opus",
      content: [{ type: "text", text: `answer ${n}` }],
      stop_reason: "end_turn",
      ...more,
    },
  });

function convert(lines: readonly (object | string)[], options = {}) {
  const problems: TranscriptProblem[] = [];
  const converter = new TranscriptConverter({
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  const converted = lines.flatMap((line) => [
    ...converter.convert(typeof line === "string" ? line : JSON.stringify(line)).lines,
  ]);
  return { lines: [...converted, ...converter.endTurn()], problems, converter };
}

function kinds(lines: readonly { from: string; line: unknown }[]): string[] {
  return lines.map(({ from, line }) => {
    const raw = lineText(line as string);
    if (from === "keeper") return `marker ${parseLogMarker(raw)?.subtype}`;
    const decoded = decode(raw);
    if (decoded.kind !== "known")
      return decoded.kind === "noise" ? `noise ${raw}` : `${decoded.kind} ${decoded.type}`;
    const { type } = decoded.message;
    return type === "result" ? `result ${String(decoded.message.subtype)}` : type;
  });
}

describe("a transcript", () => {
  test("[IM3] a turn ends at the next prompt, and when nothing more comes", () => {
    const { lines } = convert([prompt(1, null), answer(2, 1), prompt(3, 2), answer(4, 3)]);
    const turn = ["user", "system", "assistant", "result success"];
    expect(kinds(lines)).toEqual([...turn, ...turn]);
  });

  test("[IM3] a turn whose last call has no result was cut off", () => {
    const call = { content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }] };
    const { lines } = convert([
      prompt(1, null),
      answer(2, 1, { ...call, stop_reason: "tool_use" }),
    ]);
    expect(kinds(lines).at(-1)).toBe("result error_during_execution");
  });

  test("[IM4] a prompt after an earlier message leaves a branch, which stays in the log", () => {
    const lines = [prompt(1, null), answer(2, 1), prompt(3, 2), answer(4, 3), prompt(5, 2)];
    const branch = convert(lines).lines.find(({ from }) => from === "keeper");
    const marker = parseLogMarker(lineText(branch?.line ?? ""));
    expect(marker).toMatchObject({ subtype: "remark", rewoundTo: id(2) });
    const again = convert([prompt(1, null), answer(2, 1), prompt(3, null)]).lines;
    const begun = again.find(({ from }) => from === "keeper");
    expect(parseLogMarker(lineText(begun?.line ?? ""))).toMatchObject({ rewoundTo: null });
  });

  test("[IM4] parallel calls and a compaction are no branches", () => {
    const call = (n: number) => ({
      content: [{ type: "tool_use", id: `t${n}`, name: "Bash", input: {} }],
      stop_reason: "tool_use",
    });
    const result = (n: number, parent: number) =>
      entry("user", n, parent, {
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: `t${parent}`, content: "x" }],
        },
      });
    const boundary = {
      ...entry("system", 20, null, {
        subtype: "compact_boundary",
        content: "Conversation compacted",
      }),
      logicalParentUuid: id(6),
    };
    const { lines, problems } = convert([
      prompt(1, null),
      answer(2, 1, call(2)),
      answer(3, 2, call(3)),
      result(4, 3),
      result(5, 2),
      answer(6, 4),
      boundary,
      prompt(21, 20),
      answer(22, 21),
    ]);
    expect(lines.filter(({ from }) => from === "keeper")).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("[IM5] orphans and cycles are shown once, in the order of the file, and named", () => {
    const { lines, problems } = convert([
      prompt(1, 2),
      answer(2, 1),
      prompt(3, 77),
      answer(4, 4),
      prompt(3, 4),
    ]);
    expect(kinds(lines).filter((kind) => kind === "user")).toHaveLength(2);
    expect(problems.map(({ kind }) => kind)).toEqual(["orphan", "repeated"]);
  });

  test("[IM6] a message that is stored already is not shown again, nor is the end of its turn", () => {
    const all = [prompt(1, null), answer(2, 1), prompt(3, 2), answer(4, 3)];
    const isStored = (uuid: string) => uuid === id(1) || uuid === id(2);
    const { lines } = convert(all, { isStored });
    expect(kinds(lines)).toEqual(["user", "system", "assistant", "result success"]);
  });

  test("[IM7] torn and glued lines: whole entries in them are found, the rest is shown as it is", () => {
    const [one, two] = [JSON.stringify(prompt(1, null)), JSON.stringify(answer(2, 1))];
    const glued = convert([one + two]);
    expect(kinds(glued.lines)).toEqual(["user", "system", "assistant", "result success"]);
    expect(glued.problems).toEqual([{ kind: "glued" }]);
    const torn = convert([`${one.slice(0, 40)}${two}`]);
    expect(kinds(torn.lines)).toEqual([`noise ${one.slice(0, 40)}`, "assistant", "result success"]);
    const never = convert([one.slice(0, 40), "\u0000\u0000", "[1,2]", "{}"]);
    expect(never.problems.map(({ kind }) => kind)).toEqual(["torn", "torn", "torn", "foreign"]);
  });

  test("[IM8] nothing in a transcript passes for a request, a result, a marker or an event", () => {
    const types = [
      "control_request",
      "control_response",
      "result",
      "stream_event",
      "signalbox",
      "keep_alive",
    ];
    const hostile = types.map((type, n) => ({
      type,
      uuid: id(n),
      request_id: "r1",
      request: { subtype: "can_use_tool", tool_name: "Bash", input: {} },
      subtype: "ask_opened",
    }));
    const { lines } = convert([...hostile, { type: "system", subtype: "init", session_id: "x" }]);
    expect(lines.every(({ from }) => from === "agent")).toBe(true);
    expect(kinds(lines)).toEqual([...types, "system"].map((type) => `unknown transcript/${type}`));
    for (const { line } of lines) expect(parseLogMarker(lineText(line))).toBeUndefined();
  });

  test("[IM9] a clock in the future is not believed", () => {
    const now = () => Date.parse("2026-11-02T00:00:00Z");
    const late = { ...answer(2, 1), timestamp: "2031-01-01T00:00:00.000Z" };
    const { lines, problems } = convert([prompt(1, null), late], { now });
    expect(new Set(lines.map(({ at }) => at))).toEqual(
      new Set([Date.parse("2026-11-01T10:00:00.000Z")]),
    );
    expect(problems).toEqual([{ kind: "clock" }]);
  });

  test("[IM10] the title is the summary, or what a person or Claude Code called it", () => {
    const { converter } = convert([{ type: "summary", summary: "Mend it", leafUuid: id(1) }]);
    expect(converter.title).toBe("Mend it");
    expect(convert([{ type: "custom-title", customTitle: "Mine" }]).converter.title).toBe("Mine");
  });
});
