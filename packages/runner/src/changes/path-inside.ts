import { isAbsolute, normalize } from "node:path";
import { OrderError } from "../supervise/order-error.ts";

/** The path of a file in a folder, in its plain form. Throws if it is the folder or leads out of it by its name. */
export function requireInside(path: string): string {
  const plain = normalize(path);
  const isInside =
    !isAbsolute(plain) &&
    plain !== ".." &&
    plain !== "." &&
    plain !== "./" &&
    !plain.startsWith("../");
  if (isInside && !plain.includes("\0")) return plain;
  throw new OrderError("bad-path", `The path ${path} is not inside the session's folder.`);
}
