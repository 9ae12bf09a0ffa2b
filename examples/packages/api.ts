// Looks up a route of the hub, its errors, and the OpenAPI document.
import { describeApi, listErrors, routes } from "@signalbox/api";

const key = "POST /api/asks/:ask/answer";
console.log(routes[key].role); // approver
console.log(listErrors(key, routes[key]).includes("stale-hash")); // true
console.log(describeApi("0.1.0").openapi); // 3.1.0
