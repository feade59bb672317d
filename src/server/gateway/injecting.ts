import type { Injected } from "../../features/requests/injections.ts";
import type { Given, Said } from "../../features/requests/routed-skills.ts";
import type { Conversation, Serving } from "../../features/serving.ts";
import type { Target } from "../../features/configurations/targets.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { type AccountPolicy, mayAct, type Person } from "../../registry/accounts/roles.ts";
import type { Insertion } from "../../compose/inject.ts";
import type { Placed } from "../../compose/splice.ts";
import type { AskedRequest, GatewayRoute, Spliced } from "./asked.ts";
import type { InjectionRecord } from "../../registry/schema.ts";

/** One request as it came. */
export interface Arrived {
  readonly route: GatewayRoute;
  readonly person: Person;
  readonly asked: AskedRequest;
  /** The one in its path. */
  readonly configuration: string | undefined;
  readonly request: string;
}

/** One request on its way: where to, by whom and for which model. */
export interface Passing extends Omit<Arrived, "configuration"> {
  readonly target: Target;
  /** The name that goes into the body; undefined: what stands there stays. */
  readonly rename: string | undefined;
  readonly model: string;
}

/** What leaves, and what is known of it afterwards. */
export interface Prepared {
  readonly body: Uint8Array;
  /** Undefined where nothing is injected. */
  readonly record: InjectionRecord | undefined;
  /** After the whole of an answer: what this response or conversation holds now. */
  readonly remember: (response: string | undefined) => void;
}

/**
 * CO-9: what has no shape passes; so does what a key that may has asked to be left alone. Throws `GenerationChanged`: what
 * would be put in is of another generation than the target, which is then to be found again.
 */
export async function prepare(
  serving: Serving,
  passing: Passing,
  isOff: boolean,
  signal: AbortSignal,
): Promise<Prepared> {
  const { route, asked, rename } = passing;
  if (route.shape === null || isOff)
    return { body: asked.splice(rename, undefined).body, record: undefined, remember: () => {} };
  const before =
    asked.previous === undefined ? undefined : serving.conversations.get(conversationKey(passing, asked.previous));
  const said: Said = {
    read: (which) => asked.said(which),
    // CO-13: what goes on from another request does not have the conversation's first message.
    before: asked.previous === undefined ? undefined : { routed: before?.routed },
  };
  const given = await serving.compose(passing.target, { said, signal });
  const there = thereOf(given, before);
  const spliced = asked.splice(rename, insertionOf(given, there));
  const record = serving.record(passing.person, injectedOf(passing, given, spliced, there));
  return {
    body: spliced.body,
    record,
    remember: (response) => {
      const conversation = afterwards(given, spliced.placed, there, before);
      if (conversation === undefined) return;
      // A conversation is added to; the response that another one goes on from stays what it was.
      for (const id of [response, asked.conversation].filter((each) => each !== undefined))
        serving.conversations.set(conversationKey(passing, id), conversation);
    },
  };
}

/** CO-8: the upstream keeps the conversation, and these very blocks are in it. */
type There = Pick<Placed, "user" | "last">;

function thereOf({ composition, last }: Given, before: Conversation | undefined): There {
  return { user: before?.digest === composition.digest, last: last !== null && before?.last === last.digest };
}

/** The upstream keeps turns, and no instructions: those are of one request. */
function insertionOf({ composition, last }: Given, there: There): Insertion {
  const { block, systemBlock } = composition;
  return { block: there.user ? "" : block, systemBlock, lastBlock: there.last ? "" : (last?.block ?? "") };
}

/** What the conversation holds after this turn: what it was given before is still in it. Undefined: nothing. */
function afterwards(
  { composition, last: second, routed }: Given,
  placed: Placed,
  there: There,
  before: Conversation | undefined,
): Conversation | undefined {
  const isSecondIn = second !== null && (placed.last || there.last);
  const digest = placed.user || there.user ? composition.digest : (before?.digest ?? null);
  const last = isSecondIn ? second.digest : (before?.last ?? null);
  return digest === null && last === null && routed === undefined ? undefined : { digest, last, routed };
}

function conversationKey({ target }: Passing, id: string): string {
  return `${target.configuration.id} ${target.provider.id} ${id}`;
}

const alreadyThere: Finding = {
  code: "inject.already-there",
  level: "info",
  message: "the conversation that this goes on from has the same skills already",
  at: { file: "request", line: 1 },
};

function injectedOf(passing: Passing, given: Given, spliced: Spliced, there: There): Injected {
  const { target, request, route, model } = passing;
  const kept = there.user || there.last ? [alreadyThere] : [];
  const findings = [...given.findings, ...kept, ...spliced.findings];
  const { placed } = spliced;
  return { target, composed: given, placed, there, request, operation: route.operation, model, findings };
}

/** CO-15: only for keys that may change a configuration is leaving its skills out no way around it. */
export function isInjectionOff(header: string | undefined, person: Person, policy: AccountPolicy): boolean {
  if (header === undefined || header === "on") return false;
  if (header !== "off") throw new AppError("usage.invalid", "x-skillward-inject: expected on or off");
  if (mayAct(person, "operate", policy)) return true;
  throw new AppError("auth.forbidden", "x-skillward-inject: off takes a key with the role operator or admin");
}
