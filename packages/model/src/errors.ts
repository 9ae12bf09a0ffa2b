/** Every failure this package raises: its code, what it carries, what it says. */
const failures = {
  SCRIPT_INVALID: (d: { line: number; text: string; why: string }) =>
    `line ${d.line}: ${d.why}\n  ${d.line} | ${d.text}`,
  HOST_NOT_LOOPBACK: (d: { host: string }) =>
    `the scripted model listens on loopback only, not on "${d.host}": use 127.0.0.1, ::1 or localhost`,
  EXAMPLE_UNKNOWN: (d: { name: string; known: readonly string[] }) =>
    `there is no example named "${d.name}"; there are ${d.known.join(", ")}`,
};
type Code = keyof typeof failures;
type Data<C extends Code> = Parameters<(typeof failures)[C]>[0];
const brand = Symbol.for("signalbox.model.error"); // holds when two copies of this package are loaded

export class ModelError<C extends Code = Code> extends Error {
  override readonly name = "ModelError";
  readonly [brand] = true;
  readonly code: C;
  readonly data: Data<C>;
  constructor(code: C, data: Data<C>, options?: ErrorOptions) {
    super((failures[code] as (data: Data<C>) => string)(data), options);
    this.code = code;
    this.data = data;
  }
  static is<C extends Code>(value: unknown, code: C): value is ModelError<C> {
    return value instanceof Error && brand in value && (value as ModelError).code === code;
  }
}
