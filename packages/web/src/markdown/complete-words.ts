import { useEffect, useState } from "react";

/** A longer run of letters is not held back. */
const MAX_WORD = 30;
/** The letters at the end of a text that may not be a whole word yet. Scripts without spaces are not meant. */
const unfinishedWord = /[\x21-\x7e]+$/;
/** A text that has not grown for this long is shown to its end. */
const REST_MS = 250;

/** A growing text without the word at its end, which may still have to go to the next line. */
export function omitUnfinishedWord(text: string): string {
  const word = unfinishedWord.exec(text.slice(-MAX_WORD - 1))?.[0] ?? "";
  return word.length > MAX_WORD ? text : text.slice(0, text.length - word.length);
}

/**
 * A growing text up to its last complete word, so that no word jumps to the next line under the eyes of a
 * reader. The rest follows when the text does not grow for a moment.
 */
export function useCompleteWords(text: string, isGrowing: boolean): string {
  const [resting, setResting] = useState<string>();
  useEffect(() => {
    if (!isGrowing) return undefined;
    const timer = setTimeout(() => setResting(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text, isGrowing]);
  return isGrowing && resting !== text ? omitUnfinishedWord(text) : text;
}
