import { defineConfig } from "rolldown";
import { licences } from "./scripts/licences.ts";

export default defineConfig({
  input: {
    cli: "src/serve/cli/bin.ts",
    index: "src/index.ts",
    skill: "src/skill.ts",
    compose: "src/compose.ts",
    testing: "src/testing/testing.ts",
    route: "src/route.ts",
    scope: "src/scope.ts",
    agent: "src/agent.ts",
    "index-worker": "src/app/route/index-worker.ts",
    "contract-worker": "src/app/sandbox/contract-worker.ts",
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
        { name: "version", test: /^(?!.*\/node_modules\/).*\/package\.json$|\/src\/serve\/version\.ts$/ },
        { name: "base", test: /\/src\/(?:base\/(?!tools\/)|ingest\/source\/trust\.ts)/ },
        { name: "skill", test: /\/src\/ingest\/skill\/|\/node_modules\/js-yaml\// },
        { name: "app", test: /\/src\/app\/(?:world|validate|schemas|named-folders)\.ts$/ },
        { name: "frame", test: /\/src\/serve\/cli\/(?:(?:command|output|shells)\.ts|rows\/(?:alone|options)\.ts)$/ },
        {
          name: "compose",
          test: /\/src\/(?:use\/compose\/|app\/(?:compose-folder|folder-skills|composition-key|user-folder)\.ts|use\/llm\/middleware\.ts)/,
        },
        {
          name: "texts",
          test: /\/src\/(?:app\/(?:yaml-file|json-lines-file)|use\/(?:publish\/(?:json-lines|lock)|route\/evaluation\/statistics)|serve\/cli\/(?:call|shell-word|safe-output))\.ts$/,
        },
        {
          name: "commands",
          test: /\/src\/serve\/cli\/(?:commands\.ts|rows\/)|\/src\/(?:ingest\/source\/(?:trust|source)|registry\/accounts\/roles|use\/llm\/protocols)\.ts/,
        },
        {
          name: "report",
          test: /\/src\/serve\/cli\/(?:progress|build-log|render|render-report|render-capabilities|wrap)\.ts$/,
        },
        // What agents share with commands that open a store, so that an agent without one does not load those.
        {
          name: "ground",
          test: /\/src\/(?:app\/(?:config-(?:values|keys|hosts|pairs)|workspace-[a-z]+|tokens|is-there)|net\/(?:address|host-set|private-pairs)|registry\/(?:audit|key-file|keys|stored-values)|use\/route\/link-names|ingest\/source\/(?:ref|remote-state)|use\/llm\/(?:echo|scripted|sdk-failure|secrets|telling|provider|records|fields|origin)[a-z-]*|serve\/cli\/(?:own-terminal|until-interrupted))\.ts$/,
        },
        // For both that sit at a terminal: reviews and the chat.
        { name: "term", test: /\/src\/serve\/term\/[^/]+\.ts$/ },
        // Apart, so that neither `scan` loads the registry nor any command the rules that does not scan.
        {
          name: "reviewed",
          test: /\/src\/(?:review\/(?:(?!why\b)[^/]+|scan\/(?:version|scanned-by|fold))|ingest\/source\/source-faults)\.ts$/,
        },
        { name: "scanner", test: /\/src\/review\// },
        {
          name: "scan",
          test: /\/src\/(?:app\/(?:scan|scanned|baseline|labelled|eval-scan)|serve\/cli\/(?:commands\/(?:scan|eval\/scan)|render-scan|render-evaluation|sarif|annotations|scan-places))\.ts$/,
        },
        // Apart, so that the thread that indexes loads little else.
        { name: "routing", test: /\/src\/(?:use\/route\/|app\/route\/(?:index-job|buffers)\.ts)/ },
        // Apart, so that the thread that runs contracts loads little else, and nobody else its engine.
        { name: "contracts", test: /\/src\/use\/scope\/contract\/messages\.ts$/ },
        {
          name: "store-commands",
          test: /\/src\/serve\/cli\/(?:commands\/(?!validate|schema|completion|serve|mcp|compose|run|scope|chat|new|eval\/skills)|with-app|render-(?!report|composition|scope))/,
        },
        { name: "queries", test: /\/node_modules\/kysely\// },
        {
          name: "registry",
          test: /\/src\/(?:registry|store\/(?!postgres)(?:[^/]+|tables\/[^/]+)|use(?!\/(?:scope|agent)\/)|app(?!\/route\/index-worker|\/(?:sandbox|scope|processes|agent\/(?!stored-agent)|eval-skills|new-skill))|ingest\/source)\b/,
        },
        // Apart: of the commands only those about scopes need them.
        {
          name: "scope",
          test: /\/src\/(?:use\/scope\/|base\/tools\/)/,
        },
        {
          name: "agent",
          test: /\/src\/(?:use\/agent\/(?!evaluation\/)|app\/agent\/(?!stored-agent|skill-router)|app\/sandbox\/contract-(?:executor|thread)|app\/processes)/,
        },
        { name: "postgres", test: /\/src\/store\/postgres\// },
      ],
    },
  },
  plugins: [licences("THIRD_PARTY_LICENSES")],
});
