import { AppError } from "../../../../base/error.ts";
import { flagOf, listOption } from "../../call.ts";
import type { Call } from "../../command.ts";
import { withApp } from "../../with-app.ts";
import { act } from "./act.ts";
import { approveWhatIsClean } from "./approve-clean.ts";
import { listQueue } from "./queue.ts";
import { type Part, showOne } from "./show.ts";
import { atTerminal, isAtTerminal } from "./terminal.ts";

/** Without a skill the queue, with one what is put before a person, with an act the decision. */
export const run = withApp(async (app, call, output) => {
  const mode = modeOf(call);
  demandFitting(mode, call);
  if (mode === "clean") return approveWhatIsClean(app, call, output);
  if (mode === "queue") return isAtTerminal(call) ? atTerminal(app, call, output) : listQueue(app, call, output);
  if (mode === "show") return showOne(app, call, output, partOf(call));
  return act(app, call, output, mode);
});

type Mode = "queue" | "show" | "clean" | "approve" | "reject" | "disable" | "override";

/** The options that mean something beside each; any other one is a mistake that is said. */
const fitting: Readonly<Record<Mode, readonly string[]>> = {
  queue: ["source", "limit", "after", "list"],
  show: ["diff", "raw", "findings"],
  clean: ["source", "grants", "note"],
  approve: ["digest", "rollback", "grants", "override", "reason", "note"],
  reject: ["digest", "rollback", "reason", "note"],
  disable: ["digest", "reason", "note"],
  override: ["digest", "rollback", "override", "reason"],
};

function modeOf(call: Call): Mode {
  const acts = (["approve", "reject", "disable"] as const).filter((word) => call.options[word] === true);
  const isClean = call.options["approveClean"] === true;
  const overrides = listOption(call, "override") !== undefined;
  if (acts.length + Number(isClean) > 1)
    throw usage("one act at a time: --approve, --reject, --disable or --approve-clean");
  if (isClean) return call.args.length === 0 ? "clean" : refuse("--approve-clean takes no skill, only --source");
  const mode = acts[0] ?? (overrides ? "override" : undefined);
  if (mode === undefined) return call.args.length === 0 ? "queue" : "show";
  return call.args.length > 0 ? mode : refuse(`name the skill to ${mode}; \`skillward review\` lists what waits`);
}

/** One part at a time. */
function partOf({ options }: Call): Part {
  const parts = (["diff", "raw", "findings"] as const).filter((part) => options[part] === true);
  return parts.length > 1 ? refuse("one part at a time: --diff, --raw or --findings") : (parts[0] ?? "all");
}

function demandFitting(mode: Mode, { options }: Call): void {
  const known = [...new Set(Object.values(fitting).flat())];
  const isGiven = (name: string) => (name === "grants" ? options[name] === false : options[name] !== undefined);
  const wrong = known.find((name) => isGiven(name) && !fitting[mode].includes(name));
  if (wrong === undefined) return;
  const flag = wrong === "grants" ? "--no-grants" : flagOf(wrong);
  const acts = (["approve", "reject", "disable", "override", "clean"] as const).filter((each) =>
    fitting[each].includes(wrong),
  );
  const goesWith = acts.map((each) => (each === "clean" ? "--approve-clean" : flagOf(each)));
  const alone = fitting.show.includes(wrong) ? "is for one skill, without an act" : "is for the list, without a skill";
  const hint = goesWith.length === 0 ? alone : `goes with ${goesWith.join(", ")}`;
  throw usage(`${flag} ${hint}`);
}

function refuse(message: string): never {
  throw usage(message);
}

function usage(message: string): AppError {
  return new AppError("usage.invalid", message);
}
