/** In a file of its own because only Vite can resolve this import; tests do not load it. */
export { default as workerAddress } from "./scale-worker.ts?worker&url";
