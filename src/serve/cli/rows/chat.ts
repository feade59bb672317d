import type { Command } from "../command.ts";

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
  load: () => import("../commands/chat.ts"),
};
