import type { Command } from "../command.ts";
import { storeOptions } from "./options.ts";

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
  load: () => import("../commands/serve.ts"),
};
