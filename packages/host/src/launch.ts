/** How launches fail and runs end, for programs that manage many runs. */
export { toRunEnd, createLaunchError, createRunEnd } from "./launch/run-end.ts";
export { listUnsupportedFields, type UnsupportedField } from "./drivers/stdio/options.ts";
export { DriverRegistry, loadDrivers } from "./drivers/driver-registry.ts";
