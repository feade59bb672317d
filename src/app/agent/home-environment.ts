import { posix } from "node:path";
import type { Environment } from "../config.ts";

/** The environment with everything of a person's own below another folder: what is kept there is nobody else's. */
export function withHome(environment: Environment, home: string): Environment {
  return {
    ...environment,
    home,
    configHome: posix.join(home, ".config"),
    dataHome: posix.join(home, ".local/share"),
    data: null,
  };
}
