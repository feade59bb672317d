import { posix } from "node:path";
import { AppError } from "../../base/error.ts";
import type { Environment } from "../config.ts";
import { userFolder } from "../user-folder.ts";

/** What an agent keeps, and where its person keeps skills of their own: never in the workspace (T44). */
export interface AgentPlaces {
  readonly conversations: string;
  /** Lines that were typed. */
  readonly lines: string;
  /** Holds the book of trust. */
  readonly config: string;
  /** Each with the id of the source that it is. */
  readonly ownSkills: readonly { readonly id: string; readonly folder: string }[];
}

export function agentPlaces(environment: Environment, dataFolder: string | undefined): AgentPlaces {
  const { configHome, dataHome, home, data } = environment;
  const config = userFolder(configHome, home, ".config");
  const named = dataFolder ?? (data !== null && posix.isAbsolute(data) ? data : undefined);
  const kept = named ?? userFolder(dataHome, home, ".local/share");
  if (config === undefined || kept === undefined)
    throw new AppError(
      "config.invalid",
      "HOME is not set, so your own folders are not known; set it to an absolute path",
    );
  return {
    conversations: posix.join(kept, "conversations"),
    lines: posix.join(kept, "chat-lines"),
    config,
    ownSkills: home === null || !posix.isAbsolute(home) ? [] : ownSkills(home),
  };
}

function ownSkills(home: string): AgentPlaces["ownSkills"] {
  return [
    { id: "user", folder: posix.join(home, ".agents/skills") },
    { id: "user-claude", folder: posix.join(home, ".claude/skills") },
  ];
}
