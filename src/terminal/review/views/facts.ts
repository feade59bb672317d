import { capabilityKinds } from "../../../scan/capabilities.ts";
import type { Opened } from "../desk.ts";
import { type Line, type Look, span } from "../../line.ts";
import { plural } from "../../wording.ts";
import { short } from "../words.ts";

/** What a person knows before reading: each a label and one line. */
export interface Fact {
  readonly label: string;
  readonly value: Line;
}

/** Always five: areas.ts leaves so many rows for them. */
export function factsOf(view: Opened): readonly Fact[] {
  return [
    { label: "state", value: [stateSpan(view.state), span(`  ${view.reason}`)] },
    { label: "bytes", value: bytesOf(view) },
    { label: "from", value: originOf(view) },
    { label: "asks for", value: toolsOf(view) },
    { label: "reaches", value: reachOf(view) },
  ];
}

const states: Readonly<Record<Opened["state"], readonly Look[]>> = {
  blocked: ["red", "bold"],
  new: ["cyan", "bold"],
  pending: ["yellow", "bold"],
  held: ["yellow", "bold"],
  enabled: ["green", "bold"],
  disabled: ["dim"],
  orphaned: ["dim"],
};

export function stateSpan(state: Opened["state"], columns = 0) {
  return span(state.padEnd(columns), ...states[state]);
}

function bytesOf({ revision, diff: { from }, trust }: Opened): Line {
  const against = from === null ? "never approved before" : `against ${short(from.digest)} ${from.is}`;
  const verdicts = [revision.loadable ? null : "cannot be loaded", revision.strict ? null : "not strict"];
  const told = [against, trust === null ? "its source is gone" : `${trust} source`, ...verdicts];
  return [span(short(revision.digest), "bold"), span(` · ${told.filter((each) => each !== null).join(" · ")}`)];
}

/** What is proven is counted, what is not is named. A folder of this machine has no links to prove (IN-8). */
function originOf({ provenance: { from, links } }: Opened): Line {
  if (links.length === 0) return [span(from)];
  const unproven = links.filter(({ proven }) => !proven);
  const isProven = unproven.length === 0;
  const count = `${isProven ? "✓" : "✗"} ${links.length - unproven.length} of ${plural(links.length, "link")} proven`;
  const named = unproven.map(({ what }) => `  ✗ ${what}`).join("");
  return [span(count, isProven ? "green" : "yellow"), span(` · ${from}`), span(named, "yellow")];
}

function toolsOf({ revision: { grants } }: Opened): Line {
  if (grants.length === 0) return [span("no tools", "dim")];
  return [span(plural(grants.length, "tool"), "yellow", "bold"), span(`  ${grants.join(", ")}`)];
}

function reachOf({ revision: { capabilities } }: Opened): Line {
  const seen = capabilityKinds.filter((kind) => capabilities[kind].length > 0);
  if (seen.length === 0) return [span("no secrets, network or shell that was seen", "dim")];
  return seen.flatMap((kind, index) => [
    span(`${index === 0 ? "" : " · "}${kind} `, "yellow"),
    span(capabilities[kind].join(", ")),
  ]);
}
