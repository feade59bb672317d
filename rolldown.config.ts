import { defineConfig } from "rolldown";
import { licences } from "./scripts/licences.ts";

export default defineConfig({
  input: {
    cli: "src/serve/cli/bin.ts",
    index: "src/index.ts",
    skill: "src/skill.ts",
    compose: "src/compose.ts",
    testing: "src/testing/testing.ts",
  },
  platform: "node",
  external: [/^node:/, "@photostructure/sqlite", "pg-native"],
  transform: { target: "node20" },
  output: {
    dir: "dist",
    format: "esm",
    cleanDir: true,
    entryFileNames: "[name].js",
    // Beside the entries: a `new URL("./x", import.meta.url)` in a chunk must not point into a subfolder.
    chunkFileNames: "[name]-[hash].js",
    minify: { compress: true, mangle: false },
    sourcemap: false,
    // Few files: each one that a command loads costs about a millisecond, more than the code in it.
    codeSplitting: {
      groups: [
        { name: "base", test: /\/src\/(?:base\/|ingest\/source\/trust\.ts)/ },
        { name: "skill", test: /\/src\/ingest\/skill\/|\/node_modules\/js-yaml\// },
        { name: "app", test: /\/src\/app\/(?:world|validate|schemas)\.ts$/ },
        { name: "frame", test: /\/src\/serve\/cli\/(?:(?:command|output|shells)\.ts|rows\/(?:alone|options)\.ts)$/ },
        {
          name: "compose",
          test: /\/src\/(?:use\/compose\/|app\/(?:compose-folder|folder-skills|composition-key|user-folder)\.ts|use\/llm\/middleware\.ts)/,
        },
        {
          name: "commands",
          test: /\/src\/serve\/cli\/(?:commands\.ts|rows\/)|\/src\/(?:ingest\/source\/(?:trust|source)|registry\/accounts\/roles|use\/llm\/protocols)\.ts/,
        },
        { name: "report", test: /\/src\/serve\/cli\/(?:progress|render|render-report)\.ts$/ },
        {
          name: "store-commands",
          test: /\/src\/serve\/cli\/(?:commands\/(?!validate|schema|completion|serve|compose|run)|with-app|render-(?!report|composition)|call)/,
        },
        { name: "queries", test: /\/node_modules\/kysely\// },
        { name: "registry", test: /\/src\/(?:registry|store\/(?:[^/]+|tables\/[^/]+)|use|app|ingest\/source)\b/ },
      ],
    },
  },
  plugins: [licences("THIRD_PARTY_LICENSES")],
});
