import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
/** Inside the checkout, so that the database driver is found from there. */
const folder = join(here, "../node_modules/.cache/skillward-bench");

/** Bundles the parts under measure as the build does, and loads them; a worker loads what is there already. */
export async function loadInternals({ isWorker }) {
  if (!isWorker) await bundleInternals();
  return import(pathToFileURL(join(folder, "internals.js")).href);
}

async function bundleInternals() {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input: join(here, "internals.ts"),
    platform: "node",
    external: [/^node:/, "@photostructure/sqlite", "pg-native"],
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm", minify: { compress: true, mangle: false } });
  await bundle.close();
}
