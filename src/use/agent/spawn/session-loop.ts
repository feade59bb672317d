import type { Finding } from "../../../base/finding.ts";
import type { Message, ToolSpec } from "../../../base/model.ts";
import { cutText } from "../fence.ts";
import { mostDenials, type Session } from "./session.ts";
import { answerCall, denyExcess } from "./session-call.ts";
import { type ReadAnswer, Talk } from "./session-talk.ts";
import type { SpawnOutcome } from "./spawn.ts";
import { reasonOf, spawnFinding } from "./spawn-faults.ts";
import { tell } from "../../../base/tell.ts";

/** How a session went, before its contracts are asked. */
export type Ran = Pick<SpawnOutcome, "end" | "text" | "findings">;

/** The model answers, its calls are made in order, and so on until it wants none. Never rejects. */
export async function runSession(
  session: Session,
  opening: readonly Message[],
  tools: readonly ToolSpec[],
): Promise<Ran> {
  const { host, lifetime, limits } = session;
  const talk = new Talk(opening);
  let last = "";
  try {
    for (let turn = 1; turn <= limits.turns; turn++) {
      // Not at once: others in this process have to get on too, whatever the model and its tools do.
      if (turn > 1) await lifetime.during((signal) => host.timer.after(0, signal));
      const answer = await askModel(session, talk, tools, turn);
      if ("code" in answer) return { end: "failed", text: last, findings: [answer] };
      if (answer.text !== "") last = cutText(answer.text, limits.textBytes);
      if (answer.calls.length === 0) return { end: "finished", text: last, findings: cutFindings(session, answer) };
      await makeCalls(session, talk, answer);
      const faults = endingFaults(session, talk);
      if (faults.length > 0) return { end: "failed", text: last, findings: faults };
    }
    return { end: "turns", text: last, findings: [] };
  } catch (error) {
    const endedBy = lifetime.endedBy();
    if (endedBy !== null) return { end: endedBy, text: last, findings: [] };
    const message = reasonOf(error, "the session ended by an error that nobody expected");
    return { end: "failed", text: last, findings: [spawnFinding("spawn.broken", session.id, message)] };
  }
}

/** A failing model is its session's failure, said as a finding. */
async function askModel(
  { id, host, model, lifetime }: Session,
  talk: Talk,
  tools: readonly ToolSpec[],
  turn: number,
): Promise<ReadAnswer | Finding> {
  tell(host.onEvent, { type: "model.asked", id, turn });
  try {
    const { messages } = talk;
    const said = await lifetime.during((signal) => model.answer({ messages, parameters: {}, tools, signal }));
    const answer = talk.hear(said, turn);
    if (typeof answer === "string") return spawnFinding("spawn.model-rubbish", id, `the model's answer: ${answer}`);
    tell(host.onEvent, { type: "model.answered", id, turn, text: answer.text, calls: answer.calls.length });
    return answer;
  } catch (error) {
    lifetime.demand();
    return spawnFinding("spawn.model-failed", id, `the model failed: ${reasonOf(error, "it threw an error")}`);
  }
}

async function makeCalls(session: Session, talk: Talk, { calls }: ReadAnswer): Promise<void> {
  for (const [index, call] of calls.entries()) {
    if (session.denials.isTooMany) return;
    const isLookedAt = index < session.limits.calls;
    talk.answer(call, isLookedAt ? await answerCall(session, call) : denyExcess(session, call));
  }
}

function cutFindings({ id }: Session, { isCut }: ReadAnswer): readonly Finding[] {
  return isCut ? [spawnFinding("spawn.model-cut", id, "the last answer was cut by the model's service")] : [];
}

/** Why it cannot go on. */
function endingFaults({ id, denials }: Session, talk: Talk): readonly Finding[] {
  const faults: Finding[] = [];
  if (talk.isTooLong)
    faults.push(spawnFinding("spawn.too-long", id, "the session and its tools said more than is kept of one"));
  if (denials.isTooMany) faults.push(spawnFinding("spawn.denials", id, `it was denied ${mostDenials} times`));
  return faults;
}
