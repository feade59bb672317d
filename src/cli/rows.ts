import { type Command, json, storeOptions } from "../features/command/command.ts";
import { shells } from "./shells.ts";

/** The commands of the program itself. */

export const serve: Command = {
  name: "serve",
  about: "serve the gateway for OpenAI and Anthropic clients, and the API, on one port",
  arguments: [],
  options: [
    { flags: "--host <address>", about: "the address to listen on", default: "127.0.0.1" },
    { flags: "--port <number>", about: "the port to listen on, 0 for any that is free", default: "8787" },
    { flags: "--demo", about: "add the example skills, a configuration that echoes and a key to try it with" },
    { flags: "--no-demo", about: "add none of that" },
    { flags: "--demo-again", about: "as --demo, also after somebody has removed it" },
    {
      flags: "--store <address>",
      about: "postgres://… or the absolute path of a SQLite file, instead of the configured store",
    },
    ...storeOptions,
  ],
  examples: ["skillward serve", "skillward serve --port 9000", "skillward serve --demo"],
  run: async (call, output) => (await import("./serve/serve.ts")).run(call, output),
};

export const mcp: Command = {
  name: "mcp",
  about: "serve approved skills to one host of MCP over standard input and output",
  arguments: [],
  options: [
    { flags: "--configuration <id>", about: "only the skills that this configuration can have" },
    {
      flags: "--store <address>",
      about: "postgres://… or the absolute path of a SQLite file, instead of the configured store",
    },
    ...storeOptions.filter((option) => option !== json),
    { ...json, about: "print why it could not start as JSON" },
  ],
  examples: ["skillward mcp", "SKILLWARD_API_KEY=skw_… skillward mcp", "skillward mcp --configuration support"],
  run: async (call, output) => (await import("./mcp.ts")).run(call, output),
};

export const chat: Command = {
  name: "chat",
  about: "work with an agent in this folder, with the skills of it; --print for one answer",
  arguments: [],
  options: [
    { flags: "--config <id>", about: "the configuration that answers; its file is SKILLWARD_CONFIG's here" },
    { flags: "--model <name>", about: "who answers instead: <provider>/<model>, echo, or scripted:<file>" },
    { flags: "--print <text>", about: "say this, print the answer and end" },
    { flags: "--resume [id]", about: "go on with the latest conversation of this folder, or with this one" },
    { flags: "--dir <folder>", about: "the folder to work in; this one without it" },
    { flags: "--trust-workspace", about: "take the folder's skills and rules as confirmed, this time" },
    { flags: "--allow <tool>", about: "do not ask before this, such as 'Bash(npm test)'; repeat it", repeatable: true },
    { flags: "--hold <skill>", about: "begin under the scope of this skill; repeat it for more", repeatable: true },
    {
      flags: "--inject <form>",
      about: "how skills stand in the prompt",
      choices: ["catalogue", "bodies"],
      default: "catalogue",
    },
    { flags: "--contracts", about: "run contracts of confirmed skills around sub-agents, in the sandbox" },
    { flags: "--no-keep", about: "keep nothing of the conversation" },
    { flags: "--raw", about: "with --print or a pipe: the answer byte for byte" },
    { flags: "--data <folder>", about: "the data folder" },
    { flags: "--json", about: "with --print or a pipe: every event as a line of JSON" },
  ],
  examples: [
    "skillward chat --config support",
    "skillward chat --model echo",
    "skillward chat --model openai/gpt-5 --print '/skills:release-notes v2' --trust-workspace",
  ],
  run: async (call, output) => (await import("./chat.ts")).run(call, output),
};

export const completion: Command = {
  name: "completion",
  about: "print a completion script for a shell",
  arguments: [{ form: "<shell>", about: "the shell", choices: shells }],
  options: [json],
  examples: [
    "source <(skillward completion bash)",
    'skillward completion zsh > "${fpath[1]}/_skillward"',
    "skillward completion fish > ~/.config/fish/completions/skillward.fish",
  ],
  run: async (call, output) => (await import("./completion.ts")).run(call, output),
};
