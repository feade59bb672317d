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
