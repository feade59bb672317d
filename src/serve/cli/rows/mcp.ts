import type { Command } from "../command.ts";
import { json, storeOptions } from "./options.ts";

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
  load: () => import("../commands/mcp.ts"),
};
