// Writes docs/api.md from the contract in packages/api.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeReference } from "./reference.ts";

writeFileSync(join(import.meta.dir, "../../docs/api.md"), writeReference());
