import { safeLine } from "../../base/text.ts";
import { type Capabilities, type CapabilityKind, capabilityKinds } from "../../review/capabilities.ts";

const words: Readonly<Record<CapabilityKind, string>> = {
  secrets: "reads secrets",
  network: "network",
  shell: "shell",
};

/** What a skill can reach for (RV-14): facts, which are nobody's fault. Of each kind so many are named. */
export function renderCapabilities(capabilities: Capabilities, mostNamed = 20): string {
  const parts = capabilityKinds.flatMap((kind) => {
    const named = capabilities[kind];
    if (named.length === 0) return [];
    const shown = named.slice(0, mostNamed).map((each) => safeLine(each, 60));
    const more = named.length > mostNamed ? [`${named.length - mostNamed} more`] : [];
    return [`${words[kind]}: ${[...shown, ...more].join(", ")}`];
  });
  return parts.join("; ") || "no secrets, network or shell that the scanner saw";
}
