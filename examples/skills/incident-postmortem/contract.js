const textOf = (value) => (typeof value === "string" ? value : String(value?.text ?? value?.output ?? ""));

/** The text under a level-two heading, or "" when the heading is missing. */
function section(result, heading) {
  const parts = textOf(result).split(/^##[ \t]+/m);
  const found = parts.slice(1).find((part) => part.split("\n", 1)[0].trim().toLowerCase() === heading);
  return found === undefined ? "" : found.slice(found.indexOf("\n") + 1).trim();
}

const namesOf = (entries) =>
  Array.isArray(entries) ? entries.map((entry) => (typeof entry === "string" ? entry : entry?.name)) : [];

const DATE = /\b\d{4}-\d{2}-\d{2}\b/;
const BLAME =
  /\b(careless(ly)?|negligen(t|ce)|human error|should have (known|noticed|checked)|(his|her|their) fault)\b/i;

export default {
  name: "incident-postmortem",
  version: "1.0.0",
  preconditions: [
    {
      name: "task-describes-an-incident",
      severity: "HARD",
      check: ({ task }) => textOf(task).trim().split(/\s+/).length >= 4,
    },
    {
      name: "task-says-when",
      severity: "SOFT",
      check: ({ task }) => DATE.test(textOf(task)) || /\b\d{1,2}:\d{2}\b/.test(textOf(task)),
    },
  ],
  invariants: [
    {
      // No scope at all means that none was asked for; a scope must keep the evidence out of reach.
      name: "evidence-stays-unedited",
      severity: "SOFT",
      check: ({ scope }) =>
        scope == null || ["replace", "patch"].every((tool) => namesOf(scope.forbidden).includes(tool)),
    },
    {
      name: "wording-is-blameless",
      severity: "SOFT",
      check: ({ result }) => !BLAME.test(textOf(result)),
    },
  ],
  postconditions: [
    {
      name: "has-root-cause",
      severity: "HARD",
      check: ({ result }) => section(result, "root cause").length >= 40,
    },
    {
      name: "timeline-is-in-utc",
      severity: "HARD",
      check: ({ result }) => (section(result, "timeline").match(/\b\d{2}:\d{2}(:\d{2})? UTC\b/g) ?? []).length >= 3,
    },
    {
      name: "actions-are-dated",
      severity: "HARD",
      check: ({ result }) => DATE.test(section(result, "action items")),
    },
    {
      name: "impact-is-measured",
      severity: "SOFT",
      check: ({ result }) => /\d/.test(section(result, "impact")),
    },
  ],
};
