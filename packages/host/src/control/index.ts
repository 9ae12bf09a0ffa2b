export { AnsweredElsewhere } from "./answered-elsewhere.ts";
export { attachmentProblem } from "./attachment.ts";
export { imageType } from "./image.ts";
export { READABLE, readLine } from "./read-line.ts";
