import { start } from "./shell/start.tsx";

const root = document.getElementById("root");
if (root) void start(root);
