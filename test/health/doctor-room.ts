import { mkdirSync } from "node:fs";
import { onTestFinished } from "vitest";
import { diagnose } from "../../src/features/health/doctor/doctor.ts";
import type { Timer } from "../../src/core/world.ts";
import { type AppHome, newHome } from "../support/app-home.ts";
import { handTimer } from "../support/loopback.ts";
import { realWorld } from "../support/registry.ts";
import type { Check, Diagnosis } from "../../src/features/health/schema.ts";

export interface Looking {
  readonly offline?: boolean;
  readonly timer?: Timer;
}

/** A Skillward whose others are on loopback. Looking changes nothing, so that tests may share one; its maker removes it. */
export class DoctorRoom {
  readonly home: AppHome;

  constructor(home: AppHome) {
    this.home = home;
    mkdirSync(home.path("workspace"), { recursive: true });
  }

  static async open(): Promise<DoctorRoom> {
    return new DoctorRoom(await newHome("SQLite"));
  }

  /** `text` ends with the pairs of `network.private`; these hosts are added to them. */
  configure(text: string, origins: readonly string[] = []): void {
    const pairs = origins.map((origin) => `    "${new URL(origin).host}": 127.0.0.1/32\n`);
    this.home.write(".config/skillward/config.yaml", `${text}${pairs.join("")}`);
  }

  look({ offline = false, timer = timerWith(handTimer()) }: Looking = {}): Promise<Diagnosis> {
    const options = { workspace: this.home.path("workspace"), offline };
    return diagnose(this.home.world({ timer }), this.home.environment, options);
  }

  /** What is said of whoever is elsewhere. */
  async elsewhere(looking?: Looking): Promise<readonly Check[]> {
    const { checks } = await this.look(looking);
    return checks.filter(({ name }) => ["github", "provider", "network"].includes(name));
  }

  /** The same as `state name: what it says`. */
  async said(looking?: Looking): Promise<readonly string[]> {
    return (await this.elsewhere(looking)).map(({ name, state, says }) => `${state} ${name}: ${says}`);
  }
}

/** The deadline of whoever is waited for passes once they were asked and are the last; without it, it never does. */
export function impatient(isAsked: () => boolean): Timer {
  const probes = handTimer();
  const watch = setInterval(() => isAsked() && probes.running().length === 1 && probes.pass(probeDeadline), 2);
  onTestFinished(() => clearInterval(watch));
  return timerWith(probes);
}

const probeDeadline = 3000;

/** Deadlines of probes by this one; all other time is the world's. */
function timerWith(probes: Timer): Timer {
  const every: Timer["every"] = (milliseconds, act) =>
    (milliseconds === probeDeadline ? probes : realWorld.timer).every(milliseconds, act);
  return { ...realWorld.timer, every };
}
