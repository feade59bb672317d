/** What a bundle can reach for, as the scanner sees it (RV-14, T35): facts, not faults. Each names what shows it. */
export interface Capabilities {
  /** Names of environment variables, credential files and stores that its text or scripts read. */
  readonly secrets: readonly string[];
  /** Hosts, and programs or tools that open connections. */
  readonly network: readonly string[];
  /** Programs, interpreters and tools that run commands. */
  readonly shell: readonly string[];
}

export const capabilityKinds = ["secrets", "network", "shell"] as const;
export type CapabilityKind = (typeof capabilityKinds)[number];

export const noCapabilities: Capabilities = { secrets: [], network: [], shell: [] };

const mostListed = 50;

/** As they are kept and shown: of each kind so many. What is beyond is counted, not forgotten. */
export function boundedCapabilities({ secrets, network, shell }: Capabilities): Capabilities {
  return { secrets: bounded(secrets), network: bounded(network), shell: bounded(shell) };
}

function bounded(names: readonly string[]): readonly string[] {
  if (names.length <= mostListed) return names;
  const shown = mostListed - 1;
  return [...names.slice(0, shown), `and ${names.length - shown} more`];
}
