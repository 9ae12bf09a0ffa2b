/** So many lines of so many characters are a gigabyte. */
export const LINE_LENGTH = 32_000;
export const GIGABYTE_LINES = Math.ceil(2 ** 30 / LINE_LENGTH);
