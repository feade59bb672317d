import { tell } from "../../core/async.ts";
import type { Finding } from "../../core/finding.ts";
import type { Model } from "../../core/model.ts";
import type { Judgement } from "../../scope/contract/contract.ts";
import { reasonOf, spawnFinding } from "../agent-faults.ts";
import { cutText } from "../fence.ts";
import { answerCall } from "../loop/call.ts";
import { type Caller, DenialCount, mostDenials } from "../loop/caller.ts";
import type { Lifetime, Working } from "../loop/lifetime.ts";
import { type LoopFault, runLoop } from "../loop/loop.ts";
import { Messages } from "../loop/messages.ts";
import type { Tool } from "../tool.ts";
import type { SpawnContracts } from "./spawn-contracts.ts";
import type { SpawnHost, SpawnLimits } from "./spawn-host.ts";
import type { Opening } from "./spawn-prompt.ts";
import type { ReadRequest, SkillSet } from "./spawn-request.ts";
import { type AskForSpawn, spawnTool } from "./spawn-tool.ts";
import type { SpawnOutcome } from "./spawn.ts";

/** Whoever can ask for a sub-agent: the primary, or a session. */
export interface Asker {
  /** Of a session; of the primary its name. */
  readonly id: string;
  /** What it and all above it are called. */
  readonly names: readonly string[];
  /** The primary is at 0. */
  readonly depth: number;
  readonly scope: Caller["scope"];
  /** What its children can be given. */
  readonly tools: () => ReadonlyMap<string, Tool>;
  readonly lifetime: Lifetime;
  /** By which name the host knows its model; null: the usual one, or the primary's own. */
  readonly modelName: string | null;
}

/** A sub-agent at work. Everything in it stays as it was when it was spawned. */
export interface Session extends Asker, Caller {
  readonly host: SpawnHost;
  readonly limits: SpawnLimits;
  readonly model: Model;
  readonly task: string;
}

/** All that a session is made of, once nothing speaks against it. */
export interface Prepared {
  readonly request: ReadRequest;
  readonly asker: Asker;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly set: SkillSet;
  readonly lifetime: Lifetime;
  readonly model: Model;
  readonly modelName: string | null;
  readonly contracts: SpawnContracts;
  /** What the preconditions came to. */
  readonly before: Judgement;
  /** The tools of the session that have not settled. */
  readonly running: Working;
}

export function openSession(
  room: Pick<Session, "host" | "limits" | "grants" | "track">,
  { request, asker, tools, set, lifetime, model, modelName }: Prepared,
  spawnFor: (session: Session) => AskForSpawn,
): Session {
  const { host, limits } = room;
  const { random } = host;
  const id = Buffer.from(random.bytes(12)).toString("hex");
  const depth = asker.depth + 1;
  const askForSpawn: AskForSpawn = (...asked) => spawnFor(session)(...asked);
  const own = depth < limits.depth ? [spawnTool(askForSpawn, { random, textBytes: limits.textBytes })] : [];
  const session: Session = Object.freeze({
    ...room,
    id,
    names: [...asker.names, request.agent ?? id],
    depth,
    scope: set.scope,
    tools: () => tools,
    callable: new Map<string, Tool>([...tools, ...own.map((tool) => [tool.name, tool] as const)]),
    lifetime,
    model,
    modelName,
    task: request.task,
    denials: new DenialCount(),
  });
  return session;
}

/** From the opening to the word of the contracts on what came of it (SC-10). Never rejects. */
export async function runSession(
  session: Session,
  { contracts, before }: Prepared,
  opening: Opening,
): Promise<SpawnOutcome> {
  const ran = await work(session, opening);
  const known = { ...ran, predicates: before.results };
  // One that has no result is not judged.
  if (ran.end !== "finished" && ran.end !== "turns") return known;
  const { id, lifetime } = session;
  try {
    const after = await lifetime.during((signal) => contracts.after(ran, signal));
    return {
      end: after.refused ? "failed" : ran.end,
      text: ran.text,
      findings: [...ran.findings, ...after.findings],
      predicates: [...before.results, ...after.results],
    };
  } catch (error) {
    const endedBy = lifetime.endedBy();
    if (endedBy !== null) return { ...known, end: endedBy };
    const finding = spawnFinding("spawn.broken", id, reasonOf(error, "the contracts could not be judged"));
    return { ...known, end: "failed", findings: [...ran.findings, finding] };
  }
}

/** A task with limits: nobody is in the conversation, and it ends after so many denials. */
async function work(session: Session, opening: Opening): Promise<Pick<SpawnOutcome, "end" | "text" | "findings">> {
  const { id, host, model, lifetime, limits, denials } = session;
  const messages = new Messages(opening.messages);
  const { end, text, isCut, faults } = await runLoop({
    model,
    conversation: messages,
    lifetime,
    limits,
    request: async (turn) => {
      // Not at once: others in this process have to get on too, whatever the model and its tools do.
      if (turn > 1) await lifetime.during((signal) => host.timer.after(0, signal));
      tell(host.onEvent, { type: "model.asked", id, turn });
      return { messages: messages.all, parameters: {}, tools: opening.tools };
    },
    onAnswer: (answer, turn) =>
      tell(host.onEvent, { type: "model.answered", id, turn, text: answer.text, calls: answer.calls.length }),
    makeCall: (call, isExcess) => answerCall(session, call, isExcess),
    isDeniedTooOften: () => denials.isTooMany,
  });
  const cut = isCut ? [spawnFinding("spawn.model-cut", id, "the last answer was cut by the model's service")] : [];
  const findings = [...faults.map((fault) => findingOf(id, fault)), ...cut];
  return { end, text: cutText(text, limits.textBytes), findings };
}

function findingOf(id: string, fault: LoopFault): Finding {
  switch (fault.is) {
    case "model-failed":
      return spawnFinding("spawn.model-failed", id, `the model failed: ${reasonOf(fault.error, "it threw an error")}`);
    case "model-invalid":
      return spawnFinding("spawn.model-rubbish", id, `the model's answer: ${fault.why}`);
    case "too-long":
      return spawnFinding("spawn.too-long", id, "the session and its tools said more than is kept of one");
    case "denied-too-often":
      return spawnFinding("spawn.denials", id, `it was denied ${mostDenials} times`);
    case "broken":
      return spawnFinding(
        "spawn.broken",
        id,
        reasonOf(fault.error, "the session ended by an error that nobody expected"),
      );
  }
}
