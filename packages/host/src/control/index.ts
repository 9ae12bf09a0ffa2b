export { AnsweredElsewhere } from "./answered-elsewhere.ts";
export { imageProblem, imageType } from "./image.ts";
export { READABLE, readLine } from "./read-line.ts";
