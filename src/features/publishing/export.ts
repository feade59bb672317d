import { AppError } from "../../core/error.ts";
import type { EntryId } from "../../core/ids.ts";
import { safeLine } from "../../core/text.ts";
import type { Trust } from "../../sources/trust.ts";
import { atOneGeneration, GenerationChanged } from "../../registry/one-generation.ts";
import type { Look } from "../../registry/registry.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import { reaches } from "../../compose/select.ts";
import { type LlmReader, permitLlm } from "../../models/context.ts";
import { listAttached } from "../../models/attachments.ts";
import { showConfiguration } from "../../models/configurations.ts";
import { agentFolders, type AgentName, type AgentScope, plainFolder } from "../../skill/agent-folders.ts";
import { type Exportable, type Exported, exportSkills } from "../../workspace/export.ts";
import { noteOfStaying, settleLeftovers } from "../../workspace/leftovers.ts";
import { foldersOf } from "../../workspace/lock.ts";
import { demandOwnFolders, openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import type { App } from "../../app/app.ts";
import { standingIn } from "../skills/view.ts";
import { demandEntry, requireNoLimit } from "../skills/find.ts";
import { isThere } from "../../app/files/is-there.ts";

export interface AskedExport {
  /** The folder of a project, or of a person; made when it is not there. */
  readonly to: string;
  /** Whose own folder below it; without one the skills lie in the folder itself. */
  readonly agent?: AgentName | undefined;
  readonly scope?: AgentScope | undefined;
  /** By their ids or names; or those of a configuration; else all that may be used. */
  readonly skills?: readonly string[] | undefined;
  readonly configuration?: string | undefined;
  readonly force: boolean;
  readonly prune: boolean;
}

export interface ExportReport {
  readonly root: string;
  /** Below the root. */
  readonly folder: string;
  readonly generation: number;
  readonly skills: readonly Exported[];
  /** What an interrupted run left there for a person to look at. */
  readonly notes: readonly string[];
}

/** SV-6: writes what is approved into an agent's own folder, with the lock file by which `verify` knows it again. */
export async function exportApproved(app: App, asked: AskedExport): Promise<ExportReport> {
  const chosen = await chooseAtOneGeneration(app, asked);
  const folder = asked.agent === undefined ? plainFolder : agentFolders[asked.agent][asked.scope ?? "project"];
  const { workspace, notes } = await openTarget(app, asked.to, folder);
  const { look } = chosen;
  const written = await exportSkills({
    disk: diskOf(app),
    workspace,
    registry: app.kept.store,
    folder,
    skills: chosen.skills,
    isAll: asked.skills === undefined,
    whyNot: (entry) => (look.snapshot.usable.has(entry) ? undefined : whyNot(look, entry)),
    force: asked.force,
    prune: asked.prune,
  });
  const { generation } = look.snapshot;
  return { root: workspace.root, folder, generation, skills: [...chosen.refused, ...written], notes };
}

/** What is to be written, all of one generation (invariant 8). */
interface Chosen {
  readonly look: Look;
  readonly skills: readonly Exportable[];
  readonly refused: readonly Exported[];
}

function chooseAtOneGeneration(app: App, asked: AskedExport): Promise<Chosen> {
  const llm = permitLlm(app, "read");
  return atOneGeneration(() => choose(app, llm, asked));
}

async function choose(app: App, llm: LlmReader, asked: AskedExport): Promise<Chosen> {
  const look = await app.registry.look();
  const { entries, floor } = await entriesOf(llm, look, asked);
  if ((await app.kept.read.generation()) !== look.snapshot.generation) throw new GenerationChanged();
  const refused: Exported[] = [];
  const skills: Exportable[] = [];
  for (const entry of entries) {
    const use = look.snapshot.usable.get(entry);
    const refuse = (reason: string) => void refused.push({ entry, folder: null, state: "refused", reason });
    if (use === undefined) refuse(whyNot(look, entry));
    // CO-1: a configuration uses nothing below its floor, wherever it is read.
    else if (!reaches(use.trust, floor)) refuse(`its trust is ${use.trust}, below the floor ${floor}`);
    else skills.push(exportable(app, look, use));
  }
  return { look, skills, refused };
}

function exportable(app: App, { snapshot }: Look, { id: entry, name, digest, trust }: UsableEntry): Exportable {
  return { entry, name, digest, trust, load: () => app.registry.use(snapshot, entry) };
}

/** RV-12: whoever is limited to some configurations names one of them. */
async function entriesOf(
  llm: LlmReader,
  look: Look,
  { skills, configuration }: AskedExport,
): Promise<{ readonly entries: readonly EntryId[]; readonly floor: Trust }> {
  if (skills !== undefined && configuration !== undefined)
    throw new AppError("usage.invalid", "name skills or a configuration, not both");
  if (configuration !== undefined) {
    const { trustFloor } = await showConfiguration(llm, configuration);
    const attached = await listAttached(llm, `config:${configuration}`);
    return { entries: attached.map(({ entry }) => entry), floor: trustFloor };
  }
  requireNoLimit(llm.permit, "name the one whose skills are exported");
  const entries = skills?.map((typed) => demandEntry(look, typed).id) ?? look.snapshot.usable.keys();
  return { entries: [...new Set(entries)], floor: "untrusted" };
}

function whyNot(look: Look, entry: EntryId): string {
  const { state, reason } = standingIn(look, entry);
  return `it is ${state}: ${safeLine(reason, 240)}`;
}

async function openTarget(
  app: App,
  to: string,
  folder: string,
): Promise<{ readonly workspace: Workspace; readonly notes: readonly string[] }> {
  const disk = diskOf(app);
  if (!(await isThere(disk.files, to))) await disk.folders.make(to, []);
  const { root, lock } = await openWorkspace(disk.files, to);
  if ((await disk.files.kind(root)) !== "folder")
    throw new AppError("path.wrong-kind", `${safeLine(to, 240)} is not a folder; name one with --to`);
  await demandOwnFolders(disk.files, root, [folder]);
  const folders = [...new Set([...foldersOf(lock.keys()), folder])];
  const staying = await settleLeftovers(disk, root, lock, folders);
  return { workspace: { root, lock, isLocked: true }, notes: staying.map(noteOfStaying) };
}

function diskOf({ world: { files, folders, random } }: App) {
  return { files, folders, random };
}
