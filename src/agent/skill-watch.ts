import type { Clock, FolderWatch, Timer, Watching } from "../core/world.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { AgentEvents } from "./agent-events.ts";
import { agentFinding, reasonOf } from "./agent-faults.ts";
import type { AgentHost } from "./agent-host.ts";
import type { SkillChange } from "./skills/agent-skill.ts";
import { announceChange, visibleDigests } from "./skills/changes.ts";

type ChangeWhy = Extract<AgentEvent, { type: "skills.changed" }>["why"];

/** Loads the skills of an agent again, when it is asked to or when their folders change, and tells what changed (AG-4). */
export class SkillUpdates {
  readonly #host: AgentHost;
  readonly #events: AgentEvents;
  readonly #watch: QuietWatch | null;
  /** The visible skills as the model was last told of them. */
  #announced: ReadonlyMap<string, string>;

  constructor(host: AgentHost, events: AgentEvents) {
    const { watching, timer, stopwatch, skills } = host;
    this.#host = host;
    this.#events = events;
    this.#announced = visibleDigests(skills.set);
    this.#watch = watching === null ? null : new QuietWatch({ watching, timer, stopwatch }, () => this.reloadWatched());
  }

  close(): void {
    this.#watch?.close();
  }

  async reload(why: ChangeWhy): Promise<SkillChange> {
    return this.changed(await this.#host.skills.reload(), why);
  }

  /** For a command that tells of it in its own answer. */
  async reloadQuietly(): Promise<SkillChange> {
    const change = await this.#host.skills.reload();
    this.watchFolders();
    return change;
  }

  /** For whoever watches where skills come from. Never rejects. */
  async reloadWatched(): Promise<void> {
    try {
      await this.reload("watched");
    } catch (error) {
      const why = reasonOf(error, "loading them failed");
      this.#events.find(agentFinding("agent.reload-failed", "skills", why));
    }
  }

  changed(change: SkillChange, why: ChangeWhy): SkillChange {
    this.watchFolders();
    const { added, changed, removed, confirmed, findings } = change;
    const isOther = [added, changed, removed, confirmed, findings].some(({ length }) => length > 0);
    if (isOther) this.#events.emit({ type: "skills.changed", change, why });
    return change;
  }

  watchFolders(): void {
    if (this.#watch === null) return;
    const { unwatched, why } = this.#watch.watch(this.#host.skills.folders);
    if (unwatched === 0) return;
    const message = `${unwatched} folders are not watched${why === null ? "" : `: ${why}`}`;
    this.#events.findOnce(agentFinding("agent.watch-partly", "workspace", message));
  }

  /** AG-3: said once, behind what the person said, of the very set that the prompt is of. */
  announce(visible: ReadonlyMap<string, string> = visibleDigests(this.#host.skills.set)): string {
    const said = announceChange(this.#announced, visible);
    this.#announced = visible;
    return said;
  }
}

/** Milliseconds without another change: a branch switch writes many files, and is one change. */
const quiet = 120;
/** Where something is written all the time, nobody waits for it to end. */
const longestWait = 1_500;
/** Looking takes at most this part of the time. */
const share = 4;

interface WatchWorld {
  readonly watching: Watching;
  readonly timer: Timer;
  readonly stopwatch: Clock;
}

/** Looks again when folders have changed and are quiet, or have changed for long. */
class QuietWatch {
  readonly #world: WatchWorld;
  readonly #watch: FolderWatch;
  readonly #look: () => Promise<void>;
  #waiting: { stop(): void } | null = null;
  /** Of the first change that was not looked at. */
  #since = 0;
  /** How long the last look took. */
  #took = 0;
  #isLooking = false;
  #isClosed = false;

  constructor(world: WatchWorld, look: () => Promise<void>) {
    this.#world = world;
    this.#look = look;
    this.#watch = world.watching.open(() => this.#onChange());
  }

  watch(folders: readonly string[]): ReturnType<FolderWatch["watch"]> {
    return this.#isClosed ? { unwatched: 0, why: null } : this.#watch.watch(folders);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting?.stop();
    this.#watch.close();
  }

  #onChange(): void {
    if (this.#isClosed) return;
    const now = this.#world.stopwatch.now();
    if (this.#waiting === null) this.#since = now;
    this.#waiting?.stop();
    const least = Math.max(quiet, this.#took * share);
    const left = Math.max(longestWait, least) - (now - this.#since);
    const waiting = this.#world.timer.every(Math.max(1, Math.min(least, left)), () => {
      waiting.stop();
      this.#waiting = null;
      void this.#lookAgain();
    });
    this.#waiting = waiting;
  }

  async #lookAgain(): Promise<void> {
    // What changes meanwhile is looked at afterwards.
    if (this.#isLooking) return this.#onChange();
    this.#isLooking = true;
    const began = this.#world.stopwatch.now();
    await this.#look();
    this.#took = this.#world.stopwatch.now() - began;
    this.#isLooking = false;
  }
}
