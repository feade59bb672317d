import { AppError } from "../../core/error.ts";
import type { EntryId } from "../../core/ids.ts";
import type { Model } from "../../core/model.ts";
import { safeLine } from "../../core/text.ts";
import type { Bundle } from "../../skill/bundle.ts";
import type { AgentModel, AttachedSkills } from "../../agent/agent-host.ts";
import type { LoadedRoot, RootSkill, SkillRoot } from "../../agent/skills/agent-skill.ts";
import type { DeniedUse } from "../../agent/loop/caller.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import { atOneGeneration, GenerationChanged } from "../../registry/one-generation.ts";
import { createModel } from "../../models/model.ts";
import { allowsModel, parseProvider } from "../../models/provider.ts";
import { demandRecord } from "../../models/records.ts";
import { openSecret } from "../../models/secrets.ts";
import type { Included } from "../../compose/composition.ts";
import { restrictsTools } from "../../scope/capability.ts";
import { createCapabilities } from "../../scope/registry.ts";
import type { Scope } from "../../scope/scope.ts";
import { demandModel } from "../requests/answers.ts";
import type { App } from "../../app/app.ts";
import { routableFor } from "../routing/routable.ts";
import { registerCandidate } from "../scopes/scope-set.ts";
import { storedCandidates } from "../scopes/stored-scope.ts";
import { Serving } from "../serving.ts";
import type { Target } from "../configurations/targets.ts";
import { WayOut } from "../configurations/way-out.ts";

/** What an agent has of a store: its model, and under a configuration approved skills and a place to write usage down. */
export interface StoredAgent {
  readonly model: AgentModel;
  /** The configuration's own words, behind ours. */
  readonly systemPrompt: string;
  readonly attached: (() => Promise<AttachedSkills>) | null;
  readonly root: SkillRoot | null;
  readonly onUsage: ((use: DeniedUse) => void) | null;
  /** Told of every new generation of the registry. */
  readonly watch: App["watch"] | null;
  close(): Promise<void>;
}

/** `<provider>/<model>`, without a configuration: nothing is attached, and nothing is written down. */
export async function agentOfProvider(app: App, name: string): Promise<StoredAgent> {
  // Whoever may ask any model of a provider could as well configure it (RV-12, RV-13).
  requireRight(app, "operate");
  if (app.person.configurations !== null)
    throw new AppError("auth.forbidden", "this key is limited to some configurations: name one with --config");
  const { provider: id, model } = splitModelName(name);
  const stored = await demandRecord(app.kept.read, "provider", id);
  const provider = parseProvider(stored);
  if (!allowsModel(provider, model))
    throw new AppError("model.refused", `the list of provider ${id} does not have the model "${safeLine(model, 128)}"`);
  const wayOut = new WayOut(app.config, app.world.timer);
  const secret = openSecret(app.keys, stored);
  const configuration = { model, parameters: {} };
  const transport = await wayOut.through(provider, configuration.parameters, secret);
  const opened = await createModel({ provider, configuration, secret, transport });
  return {
    model: { name, model: opened, parameters: {} },
    systemPrompt: "",
    attached: null,
    root: null,
    onUsage: null,
    watch: null,
    close: () => wayOut.close(),
  };
}

/** What an admin configured: provider, model, parameters, approved skills. Each call sees the generation of its moment. */
export async function agentOfConfiguration(app: App, configuration: string): Promise<StoredAgent> {
  const serving = new Serving(app);
  const find = (): Promise<Target> => serving.target(app.person, { configuration });
  const target = await find();
  demandModel(target, target.configuration.model);
  let noted: Promise<void> = Promise.resolve();
  return {
    model: {
      name: `${target.provider.id}/${target.configuration.model}`,
      model: modelOf(serving, find),
      parameters: {},
    },
    systemPrompt: target.configuration.systemPrompt,
    attached: () => composeAttached(app, serving, find),
    root: registryRoot(app, find),
    onUsage: (use) => {
      // SC-7: of approved skills; those of a workspace are in no registry.
      const { at, event, entry, digest, conversation, tool } = use;
      const record = { at, event, entry, digest, configuration, task: null, conversation, tool };
      noted = noted.then(() => serving.noteUse(record)).catch(() => {});
    },
    watch: app.watch,
    close: async () => {
      await noted;
      await serving.close();
    },
  };
}

function modelOf(serving: Serving, find: () => Promise<Target>): Model {
  return {
    async answer(request) {
      const target = await find();
      const { provider, configuration, secret } = target;
      demandModel(target, configuration.model);
      const transport = await serving.transportTo(target);
      const model = await createModel({ provider, configuration, secret, transport });
      return model.answer({ ...request, parameters: configuration.parameters });
    },
  };
}

/** CO-1 to CO-7, at one generation; written down when it leaves. */
async function composeAttached(app: App, serving: Serving, find: () => Promise<Target>): Promise<AttachedSkills> {
  const { target, composed, scope } = await atOneGeneration(async () => {
    const found = await find();
    const given = await serving.compose(found, { said: null });
    return { target: found, composed: given, scope: await attachedScope(app, given.composition.included) };
  });
  const { block, systemBlock, included, findings } = composed.composition;
  const placed = { user: block !== "", system: systemBlock !== "", last: false };
  const { model } = target.configuration;
  return {
    system: systemBlock,
    block,
    parts: included.map(({ name, place, bytes }) => ({ name, place, bytes })),
    findings,
    scope,
    onSent: () => {
      const request = Buffer.from(app.world.random.bytes(12)).toString("hex");
      serving.record(app.person, { target, composed, placed, request, operation: "agent", model, findings: [] });
    },
  };
}

/** The approved skills that the configuration can have beside what is attached, and these. */
function registryRoot(app: App, find: () => Promise<Target>): SkillRoot {
  return {
    id: "registry",
    origin: "registry",
    load: async () => loadedOf(await find()),
    open: async (entry): Promise<Bundle> => {
      const { look } = await find();
      return app.registry.use(look.snapshot, entry);
    },
  };
}

function loadedOf(target: Target): LoadedRoot {
  const { usable } = target.look.snapshot;
  const attached = new Set<EntryId>(target.attached.configuration);
  const entries = [...new Set([...attached, ...routableFor(target)])];
  const skills = entries.flatMap((id) => {
    const entry = usable.get(id);
    return entry === undefined ? [] : [skillOf(entry, attached.has(id))];
  });
  return { skills, findings: [], folders: [] };
}

type Usable = Target["look"]["snapshot"]["usable"] extends ReadonlyMap<EntryId, infer Entry> ? Entry : never;

/** What is attached is in every prompt already: the model need not be told that it could load it. */
function skillOf({ id, digest, name, description, trust, grants }: Usable, isAttached: boolean): RootSkill {
  return {
    entry: id,
    path: id.slice(id.indexOf(":") + 1),
    folder: null,
    name,
    description,
    digest,
    unusable: null,
    byModel: !isAttached,
    byPerson: true,
    argumentHint: null,
    asks: grants,
    approved: { trust, grants },
    findings: [],
  };
}

/** `provider/model`, where the provider is one that an admin set. */
function splitModelName(name: string): { readonly provider: string; readonly model: string } {
  const slash = name.indexOf("/");
  if (slash > 0 && slash < name.length - 1) return { provider: name.slice(0, slash), model: name.slice(slash + 1) };
  throw new AppError(
    "usage.invalid",
    `--model: "${safeLine(name, 80)}" is neither echo, nor scripted:<file>, nor <provider>/<model>; \`skillward provider list\` has the providers`,
  );
}

/**
 * The scope of skills that are in a prompt, of the very bytes that are (SC-7). Null: none of them restricts anything.
 * Throws `GenerationChanged` when they are others by now, and `entry.unusable` when they cannot be held together: then nothing is asked.
 */
async function attachedScope(app: App, included: readonly Pick<Included, "entry" | "digest">[]): Promise<Scope | null> {
  if (included.length === 0) return null;
  const digests = new Map(included.map(({ entry, digest }) => [entry, digest]));
  const { all } = await storedCandidates(app, [...digests.keys()]);
  const registry = createCapabilities();
  const ids: string[] = [];
  for (const candidate of all) {
    if (candidate.skill === null || candidate.skill.digest !== digests.get(candidate.entry))
      throw new GenerationChanged();
    if (!restrictsTools(candidate.skill)) continue;
    const { skill, why } = registerCandidate(registry, candidate);
    if (skill === undefined) throw unusable(candidate.entry, why);
    ids.push(skill.id);
  }
  if (all.length < digests.size) throw new GenerationChanged();
  if (ids.length === 0) return null;
  const [error] = registry.validate(ids).errors;
  if (error !== undefined) throw unusable(error.skill, error.reason);
  return registry.compose(ids);
}

function unusable(entry: string, why: string): AppError {
  return new AppError("entry.unusable", `the attached skills cannot be held together: ${safeLine(entry, 120)}: ${why}`);
}
