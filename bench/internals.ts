/** What the benchmark of the store measures and the package does not export. Bundled by `internals.mjs`. */
export { openApp } from "../src/app/app.ts";
export { parseEnvironment } from "../src/app/config.ts";
export { createWorld } from "../src/app/world.ts";
export { recordEvents } from "../src/registry/audit.ts";
export { decide } from "../src/registry/decide.ts";
export { addFolder } from "../src/registry/sync/sources.ts";
export { runSync } from "../src/registry/sync/sync.ts";
export { verifyChain } from "../src/registry/verify.ts";
