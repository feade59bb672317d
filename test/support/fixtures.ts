import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Profile } from "../../src/core/limits.ts";
import type { FaultCode } from "../../src/skill/faults.ts";

export const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const fixtureFolder = join(repository, "test/fixtures/skills");
export const exampleFolder = join(repository, "examples/skills");

/** What the specification says about one fixture, in profile `workspace`. */
export interface Expected {
  /** The clauses and threats it stands for. */
  readonly clause: string;
  /** Every code that is found, each once, sorted. */
  readonly codes: readonly FaultCode[];
  readonly loadable: boolean;
  readonly strict: boolean;
  readonly passes: boolean;
}

/** Nothing is refused anywhere. */
const clean = { loadable: true, strict: true, passes: true };
/** Loads with visible findings; the public specification refuses it (SK-5). */
const lenient = { loadable: true, strict: false, passes: true };
/** Meets the public specification and loads, but a high finding stands in the way (SK-15). */
const blocked = { loadable: true, strict: true, passes: false };
/** Meets the public specification and loads, but a team's own bundle owes more (SK-5, `registry`). */
const unowned = blocked;
/** Cannot be loaded at all. */
const refused = { loadable: false, strict: false, passes: false };

const good = (clause: string, ...codes: FaultCode[]): Expected => ({ clause, codes, ...clean });
const loads = (clause: string, ...codes: FaultCode[]): Expected => ({ clause, codes, ...lenient });
const blocks = (clause: string, ...codes: FaultCode[]): Expected => ({ clause, codes, ...blocked });
const fails = (clause: string, ...codes: FaultCode[]): Expected => ({ clause, codes, ...refused });

/** One row per folder below `fixtures/skills`. */
export const fixtures: Readonly<Record<string, Expected>> = {
  "good-minimal": good("SK-5"),
  "good-all-public-fields": good("SK-5"),
  "good-block-scalar": good("SK-4"),
  "good-folded-scalar": good("SK-4"),
  "good-crlf-line-ends": good("SK-1"),
  "good-cr-line-ends": good("SK-1"),
  "good-blanks-after-fences": good("SK-2"),
  "good-größe": good("SK-5", "name.non-ascii"),
  "good-ελληνικά": good("SK-5", "name.non-ascii"),
  "good-full-width-name": good("SK-5", "name.non-ascii"),
  "good-tools-with-parentheses": good("SK-9"),
  "good-description-of-1024-characters": good("SK-5"),
  "good-description-of-astral-characters": good("SK-5"),
  "good-compatibility-of-500-characters": good("SK-5"),
  "compatibility-as-number": loads("SK-5", "field.type"),
  "good-dashes-in-description": good("SK-2"),
  "good-dashes-in-block-scalar": good("SK-2"),
  "good-rule-in-body": good("SK-2"),
  "good-body-of-500-lines": good("SK-6"),
  "good-quoted-scalars": good("SK-4"),
  "good-plain-scalars": good("SK-4"),
  "good-host-knowledge": good("SK-7"),
  "good-portable-lists": good("SK-8"),
  "good-files": good("SK-11"),
  "good-hidden-file": good("SK-11"),
  "good-scope": good("SK-16"),
  "good-scope-of-all-tools": good("SK-16"),

  "byte-order-mark": good("SK-1", "file.bom"),
  "invalid-utf8": fails("SK-1", "file.utf8"),
  "invalid-utf8-overlong": fails("SK-1", "file.utf8"),

  "empty-skill-file": loads("SK-2", "body.empty", "description.missing", "header.missing", "name.missing"),
  "no-front-matter": loads("SK-2 SK-5", "description.missing", "header.missing", "name.missing"),
  "opening-fence-of-four-dashes": loads("SK-2", "description.missing", "header.missing", "name.missing"),
  "opening-fence-with-text": loads("SK-2", "description.missing", "header.missing", "name.missing"),
  "opening-fence-indented": loads("SK-2", "description.missing", "header.missing", "name.missing"),
  "opening-fence-names-an-engine": loads("SK-2 T22", "description.missing", "header.missing", "name.missing"),
  "opening-fence-on-second-line": loads("SK-2", "description.missing", "header.missing", "name.missing"),
  "closing-fence-of-four-dashes": fails("SK-2", "header.unclosed"),
  "closing-fence-with-text": fails("SK-2", "header.unclosed"),
  "closing-fence-indented": fails("SK-2", "header.unclosed"),
  "closing-fence-missing": fails("SK-2", "header.unclosed"),
  "empty-front-matter": loads("SK-5", "description.missing", "name.missing"),
  "empty-body": good("SK-6", "body.empty"),
  "body-over-500-lines": good("SK-6", "body.long"),
  "body-over-the-budget": good("CO-6", "body.budget"),

  "yaml-anchor": fails("SK-4 T20", "yaml.anchor"),
  "yaml-alias": fails("SK-4 T20", "yaml.alias"),
  "yaml-bomb": fails("SK-4 T20", "yaml.anchor"),
  "yaml-merge-key": fails("SK-4 T21", "yaml.merge"),
  "yaml-tag": fails("SK-4", "yaml.tag"),
  "yaml-tag-that-runs-code": fails("SK-4 T22", "yaml.tag"),
  "yaml-directive": fails("SK-4", "yaml.tag"),
  "yaml-two-documents": fails("SK-4", "yaml.documents"),
  "yaml-duplicate-key": fails("SK-4", "yaml.duplicate"),
  "yaml-duplicate-key-below-metadata": fails("SK-4", "yaml.duplicate"),
  "yaml-too-deep": fails("SK-4 T20", "yaml.depth"),
  "yaml-too-many-values": fails("SK-4 T20", "yaml.nodes"),
  "yaml-complex-key": fails("SK-4 T20", "yaml.key"),
  "yaml-nul-escape": fails("SK-4", "yaml.nul"),
  "yaml-nul-byte": fails("SK-4", "yaml.invalid"),
  "yaml-list-instead-of-map": fails("SK-4", "yaml.shape"),
  "yaml-text-instead-of-map": fails("SK-4", "yaml.shape"),
  "yaml-unquoted-colon": loads("SK-4", "yaml.repaired"),
  "description-cut-by-comment": good("SK-4", "yaml.comment"),
  "description-starts-in-bold": loads("SK-4", "yaml.repaired"),
  "yaml-unquoted-colon-over-two-lines": loads("SK-4", "yaml.repaired"),
  "yaml-tab-indentation": fails("SK-4", "yaml.invalid"),
  "yaml-unclosed-quote": fails("SK-4", "yaml.invalid"),
  "yaml-unclosed-list": fails("SK-4", "yaml.invalid"),
  "yaml-reserved-start": loads("SK-4", "yaml.repaired"),
  "yaml-proto-key": loads("SK-4 T21", "field.unknown"),
  "yaml-constructor-key": loads("SK-4 T21", "field.unknown"),

  "name-missing": loads("SK-5", "name.missing"),
  "name-empty": loads("SK-5", "name.missing"),
  "name-of-blanks": loads("SK-5", "name.missing"),
  "name-as-list": loads("SK-5", "name.missing"),
  "name-of-65-characters-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": loads("SK-5", "name.length"),
  "name-with-Uppercase": loads("SK-5", "name.format"),
  "name-with--two-hyphens": loads("SK-5", "name.format"),
  "name-ends-in-hyphen-": loads("SK-5", "name.format"),
  "-name-starts-with-hyphen": loads("SK-5", "name.format"),
  name_with_underscore: loads("SK-5", "name.format"),
  "name with blanks": loads("SK-5", "name.format"),
  "name-differs-from-folder": loads("SK-5", "name.folder"),
  "name-with-slash": loads("SK-13", "name.folder", "name.format"),
  "name-with-backslash": loads("SK-13", "name.folder", "name.format"),
  "name-climbs-out": fails("SK-13 T23", "name.folder", "name.format", "name.path"),
  "name..with-two-dots": loads("SK-13", "name.format"),
  "~name-with-tilde": fails("SK-13 T23", "name.format", "name.path"),
  "name-with-zero\u200bwidth": fails("SK-13", "name.format", "name.unseen"),
  "name-with-bidi-override": fails("SK-13", "name.folder", "name.format", "name.unseen"),
  "n\u0430me-of-mixed-scripts": fails("SK-13", "name.mixed-script", "name.non-ascii"),

  "description-missing": loads("SK-5", "description.missing"),
  "description-empty": loads("SK-5", "description.missing"),
  "description-of-blanks": loads("SK-5", "description.missing"),
  "description-as-list": loads("SK-5", "description.missing"),
  "description-of-1025-characters": loads("SK-5", "field.length"),
  "description-vague": good("SK-5"),
  "compatibility-empty": loads("SK-5", "field.length"),
  "compatibility-of-501-characters": loads("SK-5", "field.length"),
  "compatibility-as-list": loads("SK-5", "field.type"),
  "license-as-map": loads("SK-5", "field.type"),
  "metadata-as-list": loads("SK-5", "field.type"),
  "metadata-as-text": loads("SK-5", "field.type"),
  "metadata-nested": loads("SK-5", "field.type"),

  "kind-unknown": good("SK-7", "kind.unknown"),
  "kind-at-top-level": loads("SK-7", "field.unknown"),
  "host-knowledge-with-tools": good("SK-7", "kind.carries"),
  "host-knowledge-with-disallowed-tools": loads("SK-7", "field.unknown", "kind.carries"),
  "host-knowledge-with-scope": good("SK-7", "kind.carries"),
  "host-knowledge-with-contract": good("SK-7", "kind.carries"),

  "unknown-field": loads("SK-5 SK-8", "field.unknown"),
  "unknown-field-of-clients": loads("SK-8", "field.unknown"),
  "unknown-fields-too-many": loads("SK-8", "field.bounds", "field.unknown"),
  "unknown-field-too-deep": loads("SK-8", "field.bounds", "field.unknown"),
  "unknown-field-too-large": loads("SK-8", "field.bounds", "field.unknown"),
  "flag-of-wrong-type": loads("SK-8", "field.type", "field.unknown"),
  "inputs-of-wrong-type": loads("SK-8", "field.type", "field.unknown"),

  "tools-with-commas": good("SK-9", "tools.form"),
  "tools-with-spaces": good("SK-9"),
  "tools-as-list": good("SK-9", "tools.form"),
  "tools-of-one": good("SK-9"),
  "tools-empty": good("SK-9"),
  "tools-null": good("SK-9", "tools.form"),
  "tools-empty-list": good("SK-9", "tools.form"),
  "tools-as-map": loads("SK-9", "field.type"),
  "tools-as-number": loads("SK-9", "field.type"),
  "tools-with-nested-list": loads("SK-9", "field.type"),
  "tools-with-underscore": loads("SK-9", "field.unknown"),
  "tools-in-both-spellings": loads("SK-9", "field.twice", "field.unknown"),
  "tools-too-many": good("SK-8 SK-9", "tools.bounds"),
  "tools-too-long": good("SK-8 SK-9", "tools.bounds"),
  "tools-disallowed": loads("SK-9", "field.unknown"),

  "hooks-declared": loads("SK-8", "field.unknown", "hooks.ignored"),
  "command-line-in-body": good("SK-16", "command.ignored"),
  "contract-file": good("SK-16", "contract.inert"),

  "scope-unreadable-yaml": blocks("SK-4 SK-16", "scope.unreadable"),
  "scope-with-anchor": blocks("SK-4 SK-16", "scope.unreadable"),
  "scope-not-utf8": blocks("SK-4 SK-16", "scope.unreadable"),
  "scope-as-list": blocks("SK-4 SK-16", "scope.unreadable"),
  "scope-empty": blocks("SK-16 SC-1", "scope.missing"),
  "scope-missing-protocol": blocks("SK-16 SC-1", "scope.missing"),
  "scope-tools-as-map": blocks("SK-16 SC-1", "scope.type"),
  "scope-star-in-list": blocks("SK-16 SC-1", "scope.type"),
  "scope-rule-of-unknown-type": blocks("SK-16 SC-1", "scope.type"),
  "scope-output-without-type": blocks("SK-16 SC-1", "scope.type"),
  "scope-unknown-field": blocks("SK-16 SC-1", "scope.unknown"),
  "scope-repeats-name": good("SK-16 SC-1", "scope.repeats"),

  "link-to-file": blocks("SK-11 T24", "path.link"),
  "link-to-folder": blocks("SK-11 T24", "path.link"),
  "link-leaving-the-folder": blocks("SK-11 T24", "path.link"),
  "link-to-nothing": blocks("SK-11 T24", "path.link"),
  "link-in-a-loop": blocks("SK-11 T24", "path.link"),
  "skill-file-is-a-link": fails("SK-11 T24", "path.link"),
  "skill-file-is-a-folder": fails("SK-11", "file.missing"),
  "skill-file-in-lower-case": fails("SK-11", "skill.case", "skill.none"),
  "skill-file-in-title-case": fails("SK-11", "skill.case", "skill.none"),
  "skill-file-with-prefix": fails("SK-11", "skill.none"),
  "no-skill-file": fails("SK-11", "skill.none"),
  "nested-skill": good("SK-11", "bundle.nested"),
  "skills-below-a-skill": good("SK-11"),
  "file-name-with-backslash": blocks("SK-11 T23", "path.unsafe"),
  "file-name-with-control-character": blocks("SK-11 T23", "path.unsafe"),
  "file-name-with-drive": blocks("SK-11 T23", "path.unsafe"),
  "file-name-ends-in-dot": blocks("SK-11 T23", "path.unsafe"),
  "file-name-ends-in-blank": blocks("SK-11 T23", "path.unsafe"),
  "folder-name-ends-in-dot": blocks("SK-11 T23", "path.unsafe"),

  "two-skills-of-one-name": good("SK-15", "set.collision"),
  "two-folders-of-one-skill": good("SK-15", "set.duplicate"),
};

/** What the profiles that ask for more say of a fixture. Each row is whole, as in the table above. */
export const elsewhere: Readonly<Partial<Record<Profile, Readonly<Record<string, Expected>>>>> = {
  ingest: {
    "good-minimal": good("SK-5"),
    "unknown-field": loads("SK-5", "field.unknown"),
    "name-differs-from-folder": loads("SK-5", "name.folder"),
    "no-front-matter": fails("SK-5", "description.missing", "header.missing", "name.missing"),
    "name-empty": fails("SK-5", "name.missing"),
    "name-of-blanks": fails("SK-5", "name.missing"),
    "description-empty": fails("SK-5", "description.missing"),
    "description-as-list": fails("SK-5", "description.missing"),
    "unknown-field-too-large": fails("SK-3", "header.size"),
  },
  registry: {
    "good-all-public-fields": good("SK-5"),
    "good-host-knowledge": good("SK-7"),
    "good-minimal": { clause: "SK-7", codes: ["kind.missing"], ...unowned },
    "kind-unknown": { clause: "SK-7", codes: ["kind.unknown"], ...unowned },
    "host-knowledge-with-tools": { clause: "SK-7", codes: ["kind.carries"], ...unowned },
    "description-vague": { clause: "SK-5", codes: ["description.vague", "kind.missing"], ...unowned },
  },
};

/** Codes that no file in a repository can bring about, and why. Their tests make the tree they need. */
export const generated: Readonly<Partial<Record<FaultCode, string>>> = {
  "file.size": "needs a SKILL.md above 1 MiB",
  "body.size": "needs a body above 256 KiB, in profile ingest",
  "bundle.files": "needs more than 512 files",
  "bundle.bytes": "needs more than 16 MiB",
  "walk.bounds": "needs a tree beyond the bounds of the search",
  "path.twin": "twins cannot be checked out where names are folded: bundle.test.ts makes them",
  "walk.link": "needs a link beside skills: find-skills.test.ts",
  "path.special": "git stores no device, pipe or socket",
  "path.unreadable": "git stores no permission to read",
  "folder.unreadable": "git stores no permission to list",
};
