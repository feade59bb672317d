import { defineConfig } from "rolldown";
import { licences } from "./scripts/licences.ts";

export default defineConfig({
  input: {
    cli: "src/cli/bin.ts",
    index: "src/index.ts",
    skill: "src/skill.ts",
    compose: "src/compose.ts",
    testing: "src/testing/testing.ts",
    route: "src/route.ts",
    scope: "src/scope.ts",
    agent: "src/agent.ts",
    "index-worker": "src/features/routing/index-worker.ts",
    "contract-worker": "src/scope/sandbox/contract-worker.ts",
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
        // Alone, and first: `--version` loads nothing else. A group takes along what its files import.
        { name: "version", test: /^(?!.*\/node_modules\/).*\/package\.json$|\/src\/core\/version\.ts$/ },
        // Before what imports it: a group takes along what its files import, and nothing that starts fast needs it.
        { name: "zod", test: /\/node_modules\/zod\// },
        { name: "core", test: /\/src\/(?:core\/(?!schema\.ts)|sources\/trust\.ts|models\/protocols\/prompt\.ts)/ },
        // Apart, so that neither a command that serves nothing loads them nor the fake model service the rest.
        { name: "protocols", test: /\/src\/models\/protocols\// },
        { name: "skill", test: /\/src\/skill\/|\/node_modules\/js-yaml\// },
        {
          name: "app",
          test: /\/src\/(?:app\/world\/world|features\/bundles\/(?:validate|schemas|named-folders))\.ts$/,
        },
        {
          name: "frame",
          test: /\/src\/(?:features\/command\/(?:call|command)|cli\/(?:output|shells|commands|rows))\.ts$/,
        },
        {
          name: "compose",
          test: /\/src\/(?:compose\/(?!tokens)|features\/(?:requests\/compose-folder|bundles\/folder-skills)\.ts|app\/config\/(?:composition-key|user-folder)\.ts|models\/middleware\.ts)/,
        },
        {
          name: "texts",
          test: /\/src\/(?:app\/files\/(?:yaml-file|json-lines-file)|workspace\/lock|routing\/evaluation\/statistics)\.ts$/,
        },
        {
          name: "choices",
          test: /\/src\/(?:sources\/(?:trust|source)|registry\/accounts\/roles|models\/protocols)\.ts$/,
        },
        {
          name: "report",
          test: /\/src\/features\/(?:command\/(?:render|safe-output)|bundles\/render-report)\.ts$/,
        },
        { name: "echo", test: /\/src\/models\/echo\.ts$/ },
        { name: "echo-transport", test: /\/src\/models\/echo-transport\.ts$/ },
        // What agents share with commands that open a store, so that an agent without one does not load those.
        {
          name: "ground",
          test: /\/src\/(?:app\/(?:config\/(?:config-(?:values|keys|hosts|pairs)|workspace-[a-z]+)|files\/is-there)|compose\/tokens|net\/(?:address|host-set|private-pairs)|registry\/(?:audit\/audit|keys)|routing\/link-names|sources\/ref|models\/(?:scripted[a-z-]*|sdk\/(?:failure|covered-text))|cli\/own-terminal)\.ts$/,
        },
        // For both that sit at a terminal: reviews and the chat.
        { name: "term", test: /\/src\/terminal\/[^/]+\.ts$/ },
        // Apart, so that neither `scan` loads the registry nor any command the rules that does not scan.
        {
          name: "reviewed",
          test: /\/src\/(?:diff\/(?:visible|read-text)|scan\/(?:alike|capabilities|scan-faults|scanned-by|version|fold\/fold)|sources\/source-faults)\.ts$/,
        },
        { name: "scanner", test: /\/src\/(?:scan|diff)\/(?!schema\.ts)/ },
        {
          name: "scan",
          test: /\/src\/features\/(?:bundles\/(?:scan|scanned|baseline|render-scan|sarif)|evaluation\/eval-scan)\.ts$/,
        },
        // Apart, so that the thread that indexes loads little else.
        { name: "routing", test: /\/src\/(?:routing\/(?!schema\.ts)|features\/routing\/(?:index-job|buffers)\.ts)/ },
        // Apart, so that the thread that runs contracts loads little else, and nobody else its engine.
        { name: "contracts", test: /\/src\/scope\/contract\/messages\.ts$/ },
        {
          name: "store-commands",
          test: /\/src\/features\/(?:command\/with-app|(?!bundles|requests|scopes)[a-z]+\/render)\.ts$/,
        },
        { name: "queries", test: /\/node_modules\/kysely\// },
        // The skills of a folder as a pool, for `route --skills`, which opens no store.
        { name: "pool", test: /\/src\/features\/routing\/(?:pool-routing|typed-pool)\.ts$/ },
        // The lists, whose start counts, and with them what opens a store; the larger rest is for commands that do more.
        { name: "lists", test: /\/src\/(?:features\/(?:skills|sources)\/flow|app\/app|store\/sqlite\/sqlite)\.ts$/ },
        {
          name: "registry",
          test: /\/src\/(?!.*\/schema\.ts)(?:registry|store\/(?!postgres)(?:[^/]+|tables\/[^/]+)|workspace|models|compose\/tokens|app(?!\/world\/processes)|sources|features\/(?!command|http|routing\/index-worker|scopes|bundles\/new-skill|evaluation\/eval-skills|agent\/(?!stored-agent|skill-router)|[a-z]+\/(?:cli|http|schema|report|choose-password|sarif|typed-pool)))\b/,
        },
        // Apart: of the commands only those about scopes need them.
        {
          name: "scope",
          test: /\/src\/scope\/(?!sandbox)/,
        },
        {
          name: "agent",
          test: /\/src\/(?:agent\/(?!evaluation\/)|features\/agent\/(?!stored-agent|skill-router)|scope\/sandbox\/contract-(?:executor|thread)|app\/world\/processes)/,
        },
        { name: "postgres", test: /\/src\/store\/postgres\// },
      ],
    },
  },
  plugins: [licences("THIRD_PARTY_LICENSES")],
});
