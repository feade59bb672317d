/** What the environment says. The only reader of `process.env`. */
export interface Environment {
  /** `NO_COLOR` wins over `FORCE_COLOR`; without either the terminal decides. */
  readonly colour: "never" | "always" | "auto";
  /** `SKILLWARD_DEBUG`: show where an unexpected error came from. */
  readonly debug: boolean;
}

export function readEnvironment(): Environment {
  return parseEnvironment(process.env);
}

export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const isSet = (name: string) => (variables[name] ?? "") !== "";
  const never = isSet("NO_COLOR") || variables["TERM"] === "dumb";
  return {
    colour: never ? "never" : isSet("FORCE_COLOR") && variables["FORCE_COLOR"] !== "0" ? "always" : "auto",
    debug: isSet("SKILLWARD_DEBUG"),
  };
}
