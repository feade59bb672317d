import { type Command, lazily, storeOptions } from "../command/command.ts";

export const backup: Command = {
  name: "backup",
  about: "copy the store and its checkpoint into a new folder, while nodes are running",
  arguments: [],
  options: [{ flags: "--to <folder>", about: "a folder that is not there yet", required: true }, ...storeOptions],
  examples: ["skillward backup --to /var/backups/skillward/monday"],
  run: lazily(() => import("./commands/backup.ts")),
};
