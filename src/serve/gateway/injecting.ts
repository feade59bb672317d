import type { Injected } from "../../app/injections.ts";
import type { Serving } from "../../app/serving.ts";
import type { Target } from "../../app/targets.ts";
import { AppError } from "../../base/error.ts";
import type { Finding } from "../../base/finding.ts";
import { type AccountPolicy, mayAct, type Person } from "../../registry/accounts/roles.ts";
import type { InjectionRecord } from "../../registry/injection.ts";
import type { Composition } from "../../use/compose/composition.ts";
import type { AskedRequest, Spliced } from "./asked.ts";
import type { GatewayRoute } from "./routes.ts";

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
 * CO-9: what has no shape passes; so does what a key that may has asked to be left alone. Undefined when somebody changed
 * meanwhile what is put in: then where it goes is to be found again.
 */
export async function prepare(serving: Serving, passing: Passing, isOff: boolean): Promise<Prepared | undefined> {
  const { route, asked, rename } = passing;
  if (route.shape === null || isOff)
    return { body: asked.splice(rename, undefined).body, record: undefined, remember: () => {} };
  const composition = await serving.compose(passing.target);
  if (composition === undefined) return undefined;
  const isThere = isAlreadyThere(serving, passing, composition);
  // The upstream keeps turns, and no instructions: those are of one request.
  const spliced = asked.splice(rename, isThere ? { ...composition, block: "" } : composition);
  const record = serving.record(passing.person, injectedOf(passing, composition, spliced, isThere));
  return {
    body: spliced.body,
    record,
    remember: (response) => {
      if (!isThere && !spliced.placed.user) return;
      // A conversation is added to; the response that another one goes on from stays what it was.
      for (const id of [response, asked.conversation].filter((each) => each !== undefined))
        serving.conversations.keep(conversationKey(passing, id), composition.digest);
    },
  };
}

/** CO-8: the upstream keeps the conversation, and this very composition is in it. */
function isAlreadyThere(serving: Serving, passing: Passing, { digest }: Composition): boolean {
  const { previous } = passing.asked;
  return previous !== undefined && serving.conversations.get(conversationKey(passing, previous)) === digest;
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

function injectedOf(passing: Passing, composition: Composition, spliced: Spliced, isThere: boolean): Injected {
  const { target, request, route, model } = passing;
  const findings = isThere ? [alreadyThere, ...spliced.findings] : spliced.findings;
  const { placed } = spliced;
  return { target, composition, placed, isThere, request, operation: route.operation, model, findings };
}

/** CO-15: only for keys that may change a configuration is leaving its skills out no way around it. */
export function isInjectionOff(header: string | undefined, person: Person, policy: AccountPolicy): boolean {
  if (header === undefined || header === "on") return false;
  if (header !== "off") throw new AppError("usage.invalid", "x-skillward-inject: expected on or off");
  if (mayAct(person, "operate", policy)) return true;
  throw new AppError("auth.forbidden", "x-skillward-inject: off takes a key with the role operator or admin");
}
