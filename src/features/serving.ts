import { type Digest, sha256 } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { LruCache } from "../core/lru-cache.ts";
import type { Transport } from "../core/transport.ts";
import { authenticate } from "../registry/accounts/authenticate.ts";
import type { Person } from "../registry/accounts/roles.ts";
import type { UsageRecord } from "../registry/usage/usage.ts";
import { Answers } from "./requests/answers.ts";
import type { App } from "../app/app.ts";
import { asPerson } from "../app/as-person.ts";
import { type AskedEvaluation, evaluateRegistry } from "./evaluation/flow.ts";
import { type Injected, Injections } from "./requests/injections.ts";
import { Live } from "./sources/sync.ts";
import { modelNames, type Target, type TargetName, Targets } from "./configurations/targets.ts";
import { type AskedPreview, previewComposition } from "./requests/preview.ts";
import { PublicShelf } from "./publishing/public-shelf.ts";
import { RouteModels } from "./routing/model-links.ts";
import { type AskedRoute, routeQuery, type RouteView } from "./routing/route-query.ts";
import { Routing } from "./routing/routing.ts";
import { composeRouted, type Given, type Wishes } from "./requests/routed-skills.ts";
import { type RouteOutcome, type Router, toldRoute, toldRouter } from "./routing/router.ts";
import { createSessions, type Sessions } from "./people/sessions.ts";
import type { StandingBy } from "../app/standby/standby.ts";
import { type StoreStanding, there } from "../app/standby/standing.ts";
import { checkStore } from "./health/store-check.ts";
import { UsageLog } from "./usage/usage-log.ts";
import { WayOut } from "./configurations/way-out.ts";
import type { EvaluationView } from "./evaluation/schema.ts";
import type { CompositionPreview } from "./requests/schema.ts";
import type { InjectionRecord } from "../registry/schema.ts";

export interface ReadyCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly about: string;
}

/** What a response or a conversation of the upstream has been given. */
export interface Conversation {
  /** The composition whose block is in its turns; null: none is. */
  readonly digest: Digest | null;
  /** The same of the latest block that was for a last message. */
  readonly last: Digest | null;
  /** What was chosen by its first message (CO-13); undefined: nothing was. */
  readonly routed: readonly EntryId[] | undefined;
}

/** What a running node serves from. Opened once, used by every door (RV-10). */
export class Serving {
  readonly answers: Answers;
  readonly routing: Routing;
  readonly sessions: Sessions;
  readonly live = new Live();
  /** What anybody may fetch, made once for all who ask what that is (SV-6). */
  readonly shelf: PublicShelf;
  readonly #app: App;
  readonly #standby: StandingBy | undefined;
  readonly #targets: Targets;
  readonly #usage: UsageLog;
  readonly #injections: Injections;
  readonly #wayOut: WayOut;
  readonly #router: Router;
  /** The same for requests: what comes of each is told. */
  readonly #told: Router;
  /** Who holds a key, by the hash of its text: true for one generation, since revoking makes a new one. */
  readonly #people = new Map<Digest, Person>();
  #peopleOf = -1;
  #onRouted: (outcome: RouteOutcome) => void = () => {};
  #onUse: (record: UsageRecord) => void = () => {};
  /** CO-8: what the upstream has of its responses and conversations. */
  readonly conversations = new LruCache<Conversation>({
    weight: 20_000,
    weightOf: ({ routed = [] }) => 1 + routed.length,
  });

  constructor(app: App, router?: Router, standby?: StandingBy) {
    this.#app = app;
    this.#standby = standby;
    this.sessions = createSessions(app.accounts, app.kept.store);
    this.shelf = new PublicShelf(app);
    this.#targets = new Targets(app);
    this.#usage = new UsageLog(app);
    this.#injections = new Injections(app, this.#usage);
    this.#wayOut = new WayOut(app.config, app.world.timer);
    this.routing = new Routing(app, new RouteModels(app, this.#targets, this.#wayOut));
    this.#router = router ?? this.routing;
    this.#told = toldRouter(this.#router, (outcome) => this.#onRouted(outcome));
    this.answers = new Answers(app, this.#targets, this.#injections, this.#wayOut, this.#told);
  }

  get config() {
    return this.#app.config;
  }

  get world() {
    return this.#app.world;
  }

  /** Every flow that is not of this class, in the hands of whoever asks. */
  as(person: Person): App {
    return asPerson(this.#app, person);
  }

  async identify(key: string): Promise<Person> {
    const generation = await this.#app.kept.read.generation();
    if (generation !== this.#peopleOf) this.#people.clear();
    this.#peopleOf = generation;
    const hash = sha256(Buffer.from(key));
    const person = this.#people.get(hash) ?? (await authenticate(this.#app.accounts, key));
    if (generation === this.#peopleOf) this.#people.set(hash, person);
    return person;
  }

  /** Of what is given out now. */
  async generation(): Promise<number> {
    return (await this.#app.registry.look()).snapshot.generation;
  }

  /** SV-7: how this node stands to its store. */
  standing(): StoreStanding {
    return this.#standby?.standing ?? there;
  }

  target(person: Person, name: TargetName): Promise<Target> {
    return this.#targets.find(person, name);
  }

  /** Throws `GenerationChanged` when the target is to be found again: both stand within one `atOneGeneration`. */
  compose(target: Target, wishes: Wishes): Promise<Given> {
    return composeRouted(this.#app, this.#told, target, wishes);
  }

  /** CO-7: what a request would be given. It is none: nothing is recorded of it. */
  preview(person: Person, asked: AskedPreview): Promise<CompositionPreview> {
    return previewComposition({ contexts: this.#app, targets: this.#targets, router: this.#router }, person, asked);
  }

  /** RT-7: which skills fit a text, and why. */
  route(person: Person, asked: AskedRoute): Promise<RouteView> {
    const routing = { route: this.fitting };
    return routeQuery({ contexts: this.#app, targets: this.#targets, routing }, person, asked);
  }

  /** The same among entries of one generation. */
  readonly fitting: Routing["route"] = (snapshot, query, options) =>
    toldRoute(
      this.routing.route(snapshot, query, options),
      ({ matches }) => matches.length > 0,
      this.#onRouted,
      options?.signal,
    );

  /** RT-8: how well routing works, measured on queries whose answer is known, and kept. */
  evaluate(person: Person, asked: AskedEvaluation): Promise<EvaluationView> {
    return evaluateRegistry(this.#app, this.routing, person, asked);
  }

  record(person: Person, injected: Injected): InjectionRecord {
    return this.#injections.record(person, injected);
  }

  /** What happened to an entry beside being injected, such as a call that its scope denied (SC-7). Unknown entries are nobody's. */
  async noteUse(record: UsageRecord): Promise<void> {
    const { facts } = await this.#app.registry.look();
    if (!facts.entries.has(record.entry)) return;
    this.#usage.add(record);
    this.#onUse(record);
  }

  /** Tells of everything that is injected from now on, through any door (SV-8). */
  onInjection(tell: (record: InjectionRecord) => void): void {
    this.#injections.onRecord = tell;
  }

  /** The same of every question to the router, and of every use that is no injection. */
  onRouted(tell: (outcome: RouteOutcome) => void): void {
    this.#onRouted = tell;
  }

  onUse(tell: (record: UsageRecord) => void): void {
    this.#onUse = tell;
  }

  findInjection(person: Person, id: string): Promise<InjectionRecord> {
    return this.#injections.find(person, id);
  }

  transportTo(target: Target): Promise<Transport> {
    return this.#wayOut.to(target);
  }

  network(): Promise<Transport> {
    return this.#wayOut.network();
  }

  models(person: Person): Promise<readonly string[]> {
    return modelNames(this.#app, person);
  }

  /** SV-2: whether requests can be answered now, without a secret in it. */
  async isReady(): Promise<{ ready: boolean; checks: readonly ReadyCheck[] }> {
    const { ready, check } = await checkStore(this.#app.registry, () => this.standing());
    const usage = this.#usage.findings;
    return { ready, checks: [check, { name: "usage", ok: usage.length === 0, about: aboutUsage(usage) }] };
  }

  /** Afterwards all that happened is in the store or on the disk. The app stays open: it is the caller's. */
  async close(): Promise<void> {
    await this.routing.close();
    await this.#wayOut.close();
    await this.#usage.close();
  }
}

/** Anybody may ask: the messages themselves name files and addresses of the machine. */
const usageFaults: Readonly<Record<string, string>> = {
  "usage.store-away": "usage waits on the disk until the store is back",
  "usage.spool-failed": "usage cannot be kept on the disk",
  "usage.unreadable": "something in the spool is not a whole batch",
  "usage.lost": "some usage was not written down",
};

function aboutUsage(findings: readonly Finding[]): string {
  const faults = new Set(findings.map(({ code }) => usageFaults[code] ?? code));
  return [...faults].join("; ") || "is written down";
}
