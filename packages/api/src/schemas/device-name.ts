import { shownName } from "./shown-name.ts";

/**
 * Names by which a list or the audit log refers to the hub itself or to the person who reads it.
 */
const reserved = ["the hub", "command line", "you", "system"];

/** Letters of other alphabets, and digits, that look like a Latin letter. */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["a", "аɑα"],
    ["b", "вʙβ"],
    ["c", "сϲ"],
    ["d", "ԁ"],
    ["e", "еєε"],
    ["g", "ɡ"],
    ["h", "һн"],
    ["j", "јϳ"],
    ["k", "кκ"],
    ["l", "i1|іıιӏɩ"],
    ["m", "мμ"],
    ["n", "ηпո"],
    ["o", "0оοσօ"],
    ["p", "рρ"],
    ["q", "ԛ"],
    ["s", "ѕ"],
    ["t", "тτ"],
    ["u", "υսц"],
    ["v", "νѵ"],
    ["w", "ԝωѡ"],
    ["x", "хχ"],
    ["y", "уүγ"],
  ].flatMap(([latin = "", others = ""]) => Array.from(others, (other) => [other, latin])),
);

/** Alphabets whose letters can be mistaken for each other's. */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];

/** Two names with the same skeleton look alike to a person. */
export function nameSkeleton(name: string): string {
  const plain = name.normalize("NFKC").toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const letters = plain.replaceAll(/./gsu, (letter) => lookAlikes[letter] ?? letter);
  return letters.replaceAll(/\s+/g, " ").trim();
}

/**
 * Whether a word of the name mixes letters of two alphabets, such as a Cyrillic "а" in a Latin
 * word.
 */
function hasMixedAlphabets(name: string): boolean {
  const words = name.normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.some((word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1);
}

/** Whether a person would mistake the name for the hub itself or for their own. */
function isReservedName(name: string): boolean {
  const words = (text: string) =>
    nameSkeleton(text)
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const own = words(name);
  if (reserved.some((each) => words(each) === own)) return true;
  // The hub also appears as "the hub: …", and a terminal that was confirmed as "terminal NAME".
  return (
    own.startsWith("the hub ") || nameSkeleton(name).startsWith(`${nameSkeleton("terminal")} `)
  );
}

/** The name that a device gives itself, by which people know who did what. */
export const deviceName = shownName(100)
  .refine((name) => !hasMixedAlphabets(name), {
    error: "must not mix letters of two alphabets in one word, which makes names look alike",
    abort: true,
  })
  .refine(
    (name) => !isReservedName(name),
    "is reserved, since it would be taken for the hub or for the reader: choose another name",
  );
