import { defineConfig } from "vite";
import { licences } from "./scripts/licences.ts";

/** The pages of the web: plain files beside the program that serves them. */
export default defineConfig({
  root: "web",
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // Both would need an exception in the content security policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2022",
  },
  plugins: [licences("THIRD_PARTY_LICENSES")],
});
