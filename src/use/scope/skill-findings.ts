import type { Finding } from "../../base/finding.ts";
import { isServerAlone, whyUnknown } from "../../base/tools/patterns.ts";
import { displayName, type ForbiddenTool } from "../../base/tools/tools.ts";
import type { CapabilitySkill } from "./capability.ts";
import { deepFrozen } from "./frozen.ts";
import { type StepWord, stepWords } from "./protocol-tools.ts";
import { forbidsEvery } from "./reach.ts";
import { scopeFinding } from "./scope-faults.ts";

const said = new WeakMap<CapabilitySkill, readonly Finding[]>();

/** What is to be said of a skill for itself, whatever it is used with (SC-4). Nothing of it refuses the skill. */
export function skillFindings(skill: CapabilitySkill): readonly Finding[] {
  const known = said.get(skill);
  if (known !== undefined) return known;
  const findings = deepFrozen([
    ...unreadAllowed(skill),
    ...serversAllowed(skill),
    ...widerForbidden(skill),
    ...overlapping(skill),
    ...stepWords(skill).tools.map((word) => stepFinding(skill, word)),
  ]);
  said.set(skill, findings);
  return findings;
}

export function stepFinding({ id }: CapabilitySkill, { step, text, word }: StepWord): Finding {
  const message = `step ${step} of the protocol needs "${word}", which the skill itself does not leave`;
  return scopeFinding("scope.protocol-tool", id, message, text);
}

function unreadAllowed({ id, allowed, allowedTools }: CapabilitySkill): Finding[] {
  if (allowed === "*" || allowedTools === "*") return [];
  const read = new Set(allowed.map(({ text }) => text));
  return [...new Set(allowedTools)]
    .filter((tool) => !read.has(tool))
    .map((tool) => {
      const hint = tool === "*" ? "; write '*' alone in place of the list" : "";
      return scopeFinding("scope.pattern", id, `this entry allows nothing: ${whyUnknown(tool)}${hint}`, tool);
    });
}

/** A tool may have such a name, so that the entry stays; mostly all tools of the server are meant. */
function serversAllowed({ id, allowed }: CapabilitySkill): Finding[] {
  if (allowed === "*") return [];
  return allowed
    .filter(({ text }) => isServerAlone(text))
    .map(({ text }) =>
      scopeFinding("scope.pattern", id, "this entry names a server, not a tool; name its tools", text),
    );
}

function widerForbidden({ id, forbidden }: CapabilitySkill): Finding[] {
  return forbidden.flatMap((entry) => {
    const wider = widerThanWritten(entry);
    if (wider !== null) return scopeFinding("scope.pattern", id, `this entry forbids ${wider}`, entry.text);
    const begins = readAsServer(entry);
    if (begins === null) return [];
    const message = `this entry forbids every tool whose name begins with ${begins}`;
    return { ...scopeFinding("scope.pattern", id, message, entry.text), level: "info" };
  });
}

/** A server without a star says what it says, and may still have been meant as one tool. */
function readAsServer({ text, reach }: ForbiddenTool): string | null {
  return reach.kind === "prefix" && !text.endsWith("*") ? reach.prefix : null;
}

function widerThanWritten({ text, reach }: ForbiddenTool): string | null {
  if (reach.kind === "everything") return "every tool: its form is not known";
  if (reach.kind === "paths" || !text.includes("(")) return null;
  const whole = reach.kind === "tools" ? displayName(reach.tools) : `${reach.prefix}*`;
  return `all of ${whole}, not only what stands in parentheses`;
}

/** Of each allowed entry the first forbidden one that takes all of it. What takes a part is an exception, and meant. */
function overlapping({ id, allowed, forbidden }: CapabilitySkill): Finding[] {
  if (allowed === "*") return [];
  return allowed.flatMap((pattern) => {
    const against = forbidden.find((entry) => entry.text === pattern.text || forbidsEvery(entry, pattern));
    if (against === undefined) return [];
    return scopeFinding("scope.overlap", id, `what this entry allows, "${against.text}" forbids`, pattern.text);
  });
}
