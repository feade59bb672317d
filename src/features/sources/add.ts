import type { App } from "../../app/app.ts";
import { preferring } from "../../app/config/preferred-hosts.ts";
import { isThere } from "../../app/files/is-there.ts";
import { AppError, isUnreachable } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import { decide } from "../../registry/decide.ts";
import { demandToken, openRemote } from "../../registry/sync/remote.ts";
import { addFolder, addRemote, demandSourceId, type RemotePlace } from "../../registry/sync/sources.ts";
import { skillFile } from "../../skill/bundle.ts";
import type { ProvenTree } from "../../sources/git/git.ts";
import { type Resolved, resolveTyped } from "../../sources/github/resolve.ts";
import { marketplaceFile } from "../../sources/marketplace/entries.ts";
import { fullName, type Repository } from "../../sources/repository.ts";
import type { Source } from "../../sources/schema.ts";
import { demandPlace, isFileMode } from "../../sources/tree-index.ts";
import { parseTyped, type Typed } from "../../sources/typed.ts";
import { countWaiting } from "../review/queue.ts";
import { demandNamedSource } from "../skills/find.ts";
import { settingsFrom } from "./flow.ts";
import { runSyncs, type SyncsOptions } from "./sync.ts";
import type { SyncResult } from "../../registry/schema.ts";
import type { AddReport, SourceAddition, SyncFailure } from "./schema.ts";

/** Adds what was typed and reads it, unless only adding was asked for. A first sync that fails leaves the source added. */
export async function addSource(
  app: App,
  text: string,
  addition: SourceAddition,
  options: SyncsOptions = {},
): Promise<AddReport> {
  return readNewSource(app, requireRight(app, "administer"), text, addition, options);
}

/** The same within a flow that has checked the right. */
export async function readNewSource(
  app: App,
  permit: Permit<"administer">,
  text: string,
  addition: SourceAddition,
  options: SyncsOptions = {},
): Promise<AddReport> {
  if (addition.id !== undefined) demandSourceId(addition.id);
  const typed = parseTyped(text, preferring(addition.hosts, app.config.github));
  await demandMeant(app, text, typed);
  const { source, asked } =
    typed.kind === "folder"
      ? await addTypedFolder(app, permit, typed.path, addition)
      : await addTypedRemote(app, permit, typed, addition);
  const isRead = addition.sync !== false;
  const report = isRead
    ? await runSyncs(app, permit, [source.id], { ...options, asked })
    : { results: [], waiting: await countWaiting(app) };
  const isAsked = isRead && addition.approve === true;
  const approval = isAsked
    ? await approveOnly(app, permit, source, report.results[0])
    : { approved: null, notApproved: null };
  const waiting = approval.approved === null ? report.waiting : await countWaiting(app);
  return { ...report, source: await demandNamedSource(app.kept.read, source.id), ...approval, waiting };
}

/** `a/b` means a repository. Whoever stands where there is such a folder may have meant that: nobody is asked for it. */
async function demandMeant({ world }: App, text: string, { kind }: Typed): Promise<void> {
  const isShort = kind === "repository" && !text.includes(":");
  if (!isShort || !(await isThere(world.files, text))) return;
  throw new AppError(
    "usage.invalid",
    `${safeLine(text, 240)} is here, and may be a repository as well; write ./${safeLine(text, 240)} or its whole address`,
  );
}

const remoteOnly = ["ref", "kind", "hosts", "token", "include", "approve", "tokenForOwner"] as const;

async function addTypedFolder(app: App, permit: Permit<"administer">, path: string, addition: SourceAddition) {
  const said = remoteOnly.find((name) => addition[name] !== undefined && addition[name] !== false);
  if (said !== undefined)
    throw new AppError("usage.invalid", "a folder of this machine has no ref, kind, token or parts to include");
  try {
    return { source: await addFolder(app.sync, permit, path, settingsOf(app, addition)), asked: null };
  } catch (error) {
    const isMissing = error instanceof AppError && error.code === "path.missing";
    throw isMissing && !path.startsWith("/") ? await noFolder(app, path) : error;
  }
}

function isBareWord(path: string): boolean {
  return !path.includes("/") && !path.startsWith(".");
}

/** Whoever types it may sit at another machine, and does not know where this process stands. */
async function noFolder({ world }: App, path: string): Promise<AppError> {
  const here = safeLine(await world.files.resolve("."), 240);
  const otherwise = isBareWord(path) ? "its whole path, or owner/repo for a repository" : "its whole path";
  return new AppError("path.missing", `there is no folder ${safeLine(path, 240)} in ${here}; write ${otherwise}`);
}

type TypedRepository = Extract<Typed, { readonly kind: "repository" }>;

/** As long as it may take to find out what was meant. */
const resolveSeconds = 120;

async function addTypedRemote(
  app: App,
  permit: Permit<"administer">,
  typed: TypedRepository,
  addition: SourceAddition,
) {
  const { repository } = typed;
  const token = tokenOf(addition);
  const settings = { ...settingsOf(app, addition), ...(addition.approve === true ? { approveOnAdd: true } : {}) };
  const shared = token === null ? null : { secret: token, repository, forOwner: false };
  const { github, close } = (await openRemote(app.sync.remote, shared))(resolveSeconds);
  try {
    const resolved = await resolveTyped(github, typed, addition.ref ?? null);
    // What was looked at to see whether it is there is not asked for again.
    const tree = await github.tree(repository, resolved.pin.commit.tree);
    const place = placeOf(tree, repository, resolved, addition);
    demandFitting(place, addition);
    const { kind, path } = place;
    if (kind !== "marketplace") demandPlace(tree, { kind, repository, path });
    const source = await addRemote(app.sync, permit, place, settings, token);
    const { requests, bytes } = github.spent;
    return { source, asked: { pin: resolved.pin, tree, requests, bytes } };
  } catch (error) {
    throw isUnreachable(error) ? notAdded(error) : error;
  } finally {
    close();
  }
}

/** What is no token is refused before anybody could see it. */
function tokenOf({ token = null, tokenForOwner }: SourceAddition): string | null {
  if (token !== null) demandToken(token);
  else if (tokenForOwner === true)
    throw new AppError(
      "usage.invalid",
      "a token for all repositories of the owner was asked for, and there is no token; give one",
    );
  return token;
}

function demandFitting({ kind, path }: RemotePlace, { approve, include }: SourceAddition): void {
  if (approve === true && kind !== "file") throw notOne();
  if (include !== undefined && (kind === "file" || path !== ""))
    throw new AppError("usage.invalid", "a path and parts to include are both given; give one of them");
}

function notAdded(error: AppError): AppError {
  const advice = "nothing was added; look at the network and at `github` in the configuration, then try again";
  return new AppError(error.code, `${error.message}; ${advice}`, { cause: error });
}

function settingsOf(app: App, addition: SourceAddition) {
  const settings = { ...settingsFrom(addition, app.config.sync), isReadNow: addition.sync !== false };
  return { ...settings, ...(addition.id === undefined ? {} : { id: addition.id }) };
}

/** What it is, as it was said or as what is there tells: an index makes a marketplace, a SKILL.md one skill. */
function placeOf(
  tree: ProvenTree,
  repository: Repository,
  { ref, path, facts }: Resolved,
  { kind: wanted }: SourceAddition,
): RemotePlace {
  const place = { repository, ref, repositoryId: facts.id, ownerId: facts.ownerId };
  const folder = withoutFile(path, skillFile);
  if (folder !== undefined && wanted !== "repo" && wanted !== "marketplace")
    return { kind: "file", ...place, path: folder };
  if (wanted === "file") return { kind: "file", ...place, path };
  const above = withoutFile(path, marketplaceFile);
  const isAsked = wanted === "marketplace" || (wanted === undefined && above === "");
  if (isAsked && path !== "" && above !== "")
    throw new AppError("usage.invalid", `a marketplace is a whole repository, with ${marketplaceFile} at its root`);
  const isMarketplace = (isAsked || (wanted === undefined && path === "")) && hasIndex(tree);
  if (isAsked && !isMarketplace) throw noIndex(repository);
  if (isMarketplace) return { kind: "marketplace", ...place, path: "" };
  return { kind: "repo", ...place, path: folder ?? path };
}

/** The folder of a file with that name; undefined: the path is not one of a file with that name. */
function withoutFile(path: string, file: string): string | undefined {
  if (path === file) return "";
  return path.endsWith(`/${file}`) ? path.slice(0, -file.length - 1) : undefined;
}

function hasIndex({ entries }: ProvenTree): boolean {
  return isFileMode(entries.get(marketplaceFile)?.mode);
}

function noIndex(repository: Repository): AppError {
  return new AppError(
    "source.missing",
    `${fullName(repository)} is no marketplace: it has no ${marketplaceFile}; when no kind is said it is added as a repository`,
  );
}

function notOne(): AppError {
  return new AppError(
    "usage.invalid",
    "only one skill can be approved as it is added, such as owner/repo/path/SKILL.md; the skills of a repository are approved one by one: `skillward review`",
  );
}

/** IN-19: one explicit act signs the digest that was read; what blocks is not approved that way. */
async function approveOnly(
  app: App,
  permit: Permit<"review">,
  { id }: Source,
  result: SyncResult | SyncFailure | undefined,
): Promise<Pick<AddReport, "approved" | "notApproved">> {
  const { facts } = await app.registry.look();
  const entry = [...facts.entries.values()].find(({ source, present }) => source === id && present);
  if (entry === undefined || result?.status === "error") return { approved: null, notApproved: "it could not be read" };
  try {
    const note = "approved as it was added";
    await decide(app.review, permit, [{ word: "approve", entry: entry.id, digest: entry.current, note }]);
    return { approved: { entry: entry.id, digest: entry.current }, notApproved: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "review.refused") throw error;
    return { approved: null, notApproved: error.message };
  }
}
