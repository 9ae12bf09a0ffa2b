/** In a file of its own, fetched by the browser alone: what it imports is an address that Vite makes. */
export { default as workerAddress } from "./worker.ts?worker&url";
