/** What the benchmarks of the store and of composing measure and the package does not export. Bundled by `internals.mjs`. */
export { addSource } from "../src/app/add-source.ts";
export { openApp } from "../src/app/app.ts";
export { parseEnvironment } from "../src/app/config.ts";
export { syncSources } from "../src/app/syncs.ts";
export { createWorld } from "../src/app/world.ts";
export { recordEvents } from "../src/registry/audit.ts";
export { decide } from "../src/registry/decide.ts";
export { addFolder } from "../src/registry/sync/sources.ts";
export { runSync } from "../src/registry/sync/sync.ts";
export { verifyChain } from "../src/registry/verify.ts";
export { setDigest, sha256 } from "../src/base/digest.ts";
export { createBundle } from "../src/ingest/skill/bundle.ts";
export { parse } from "../src/ingest/skill/skill.ts";
export { diffBundles } from "../src/review/diff/diff.ts";
export { rules } from "../src/review/scan/rules.ts";
export { scanBundle } from "../src/review/scan/scan.ts";
export { compose } from "../src/use/compose/compose.ts";
export { select } from "../src/use/compose/select.ts";
