import { AppError } from "../../../core/error.ts";
import { fetchAllowance } from "../../../sources/github/allowance.ts";
import { RateLimited } from "../../../sources/github/rate-limit.ts";
import type { Source } from "../../../sources/schema.ts";
import type { HostSet } from "../../../net/host-set.ts";
import { requireRight } from "../../../registry/accounts/permit.ts";
import { listSources } from "../../../registry/sync/sources.ts";
import { openToken } from "../../../registry/sync/remote.ts";
import type { Inspection } from "../../../app/inspect.ts";
import { fine, warning } from "./check.ts";
import { known, type Probe } from "./probe.ts";
import type { Check } from "../schema.ts";

/** SV-10: every GitHub that a source is of, and how much it may still be asked. Others are not bothered. */
export async function planGitHub(opened: Inspection): Promise<readonly Probe[]> {
  const sources = await listSources(opened.sync, requireRight(opened, "read"));
  const probes: Probe[] = [];
  for (const hosts of opened.config.github) {
    const own = sources.filter((source) => source.hosts === hosts.name);
    if (own.length > 0) probes.push(...(await probesOf(opened, hosts, own)));
  }
  return probes;
}

/** IN-6: a token goes to the GitHub of its own source. Each has a limit of its own; the first speaks for them. */
async function probesOf(opened: Inspection, hosts: HostSet, sources: readonly Source[]): Promise<readonly Probe[]> {
  const owner = sources.find(({ tokenRef }) => tokenRef !== null);
  if (owner === undefined) return [probeOf(opened, hosts, null)];
  try {
    const secret = await openToken(opened.kept.read, opened.keys, owner);
    return [probeOf(opened, hosts, secret === null ? null : { secret, source: owner.id })];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [known(warning("github", error.message, anotherToken(owner.id))), probeOf(opened, hosts, null)];
  }
}

interface OwnToken {
  readonly secret: string;
  readonly source: string;
}

function probeOf({ github, world }: Inspection, hosts: HostSet, token: OwnToken | null): Probe {
  const { clock } = world;
  const { host } = new URL(hosts.api);
  return {
    name: "github",
    id: "",
    host,
    todo: "look whether this machine may reach it, and at `github` in the configuration; until then nothing new comes from it",
    async ask(signal) {
      const asked = { transport: await github.get(), clock, hosts, secret: token?.secret ?? null, signal };
      try {
        return said(host, await fetchAllowance(asked), token);
      } catch (error) {
        if (error instanceof RateLimited) return warning("github", error.message, limitedTodo(token));
        if (error instanceof AppError && error.code === "source.refused" && token !== null)
          return warning("github", `${error.message} of source ${token.source}`, anotherToken(token.source));
        throw error;
      }
    },
  };
}

function said(host: string, allowance: Awaited<ReturnType<typeof fetchAllowance>>, token: OwnToken | null): Check {
  if (allowance === null) return fine("github", `${host} answers, and counts no requests`);
  const { left, most, resetAt } = allowance;
  const by = token === null ? "without a token" : `with the token of source ${token.source}`;
  const until = resetAt === null ? "" : `, counted anew at ${new Date(resetAt).toISOString()}`;
  return fine("github", `${host} answers: ${left} of ${most} requests left ${by}${until}`);
}

function limitedTodo(token: OwnToken | null): string {
  return token === null
    ? "wait, or give a source a token: skillward source set <id> --token-env <NAME>"
    : "wait, or sync less often: skillward source set <id> --interval 24h";
}

function anotherToken(source: string): string {
  return `skillward source set ${source} --token-env <NAME>`;
}
