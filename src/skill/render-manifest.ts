import { splitWords } from "./field-values.ts";
import { type Manifest, splitTools } from "./manifest.ts";

/**
 * A manifest as front-matter, fences included. `parse` reads the same manifest back: what the public specification
 * knows comes first, what is portable stays where `metadata` has it, and the rest follows.
 */
export function renderManifest(manifest: Manifest): string {
  const { metadata } = manifest;
  const lines = [
    ...text("name", manifest.name),
    ...text("description", manifest.description),
    ...text("license", manifest.license),
    ...text("compatibility", manifest.compatibility),
    ...map("metadata", metadata),
    ...tools("allowed-tools", manifest.allowedTools),
    ...tools("disallowed-tools", manifest.disallowedTools),
    ...(manifest.kind === (metadata["kind"]?.trim() ?? "tool") ? [] : text("kind", manifest.kind)),
    ...(["inputs", "outputs", "triggers", "aliases"] as const).flatMap((name) =>
      portable(name, manifest[name], metadata),
    ),
    ...(manifest.paths.length === 0 ? [] : [`paths: ${list(manifest.paths)}`]),
    ...(manifest.modelInvocable ? [] : ["disable-model-invocation: true"]),
    ...(manifest.userInvocable ? [] : ["user-invocable: false"]),
  ];
  return `---\n${lines.join("\n")}\n---\n`;
}

function text(name: string, value: string | null): string[] {
  return value === null ? [] : [`${name}: ${scalar(value)}`];
}

function map(name: string, values: { readonly [key: string]: string }): string[] {
  const entries = Object.entries(values);
  if (entries.length === 0) return [];
  return [`${name}:`, ...entries.map(([key, value]) => `  ${scalar(key)}: ${scalar(value)}`)];
}

/** In the public form, one string, wherever that reads back as the same list. */
function tools(name: string, values: readonly string[] | null): string[] {
  if (values === null) return [];
  const joined = values.join(" ");
  const same = splitTools(joined);
  const isSame = same.length === values.length && same.every((tool, index) => tool === values[index]);
  return [`${name}: ${isSame ? scalar(joined) : list(values)}`];
}

function portable(name: string, values: readonly string[], metadata: { readonly [key: string]: string }): string[] {
  const inMetadata = splitWords(metadata[name] ?? "");
  const isThere = values.length === inMetadata.length && values.every((word, index) => word === inMetadata[index]);
  return isThere ? [] : [`${name}: ${list(values)}`];
}

function list(values: readonly string[]): string {
  return `[${values.map(quoted).join(", ")}]`;
}

/** Words that no YAML reader takes for anything else stay bare; everything else is quoted. */
function scalar(value: string): string {
  const isBare =
    /^[A-Za-z][A-Za-z0-9 ._/()-]*$/.test(value) && !/ $|^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isBare ? value : quoted(value);
}

function quoted(value: string): string {
  // Beyond JSON's escapes, those that YAML does not take as printable.
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
