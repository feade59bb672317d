import { createObject, type GitObject } from "./object.ts";

interface Person {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970; the zone is lost, as it is in GitHub's answers. */
  readonly time: number;
}

/** What a commit's object says. */
export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  /** Without the line feeds at its end. */
  readonly message: string;
  /** What was signed is the object without the signature. */
  readonly signed: { readonly signature: string; readonly payload: string } | null;
}

interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly time: number;
  readonly zone: string;
  readonly isSigned: boolean;
}

/** Nobody's key made it; only its place in the object is real. */
const signature = [
  "-----BEGIN PGP SIGNATURE-----",
  "",
  "bWFkZSB1cCBieSBhIGZha2UgR2l0SHViLCBmb3IgdGVzdHMgb25seTsgbm8ga2V5IG1h",
  "ZGUgdGhpcw==",
  "=AAAA",
  "-----END PGP SIGNATURE-----",
];

export function createCommit({ tree, parents, message, time, zone, isSigned }: NewCommit): GitObject {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author Ada Author <ada@example.org> ${time} ${zone}`,
    `committer Carl Committer <carl@example.org> ${time} ${zone}`,
    ...(isSigned ? [`gpgsig ${signature.join("\n ")}`] : []),
    "",
    message === "" || message.endsWith("\n") ? message : `${message}\n`,
  ];
  return createObject("commit", lines.join("\n"));
}

export function createTag(name: string, commit: string, time: number): GitObject {
  const tagger = `Tia Tagger <tia@example.org> ${time} +0000`;
  return createObject("tag", `object ${commit}\ntype commit\ntag ${name}\ntagger ${tagger}\n\n${name}\n`);
}

/** The commit that an annotated tag points to. */
export function taggedBy(tag: GitObject): string {
  return fieldsOf(tag.bytes.toString()).find(([key]) => key === "object")?.[1] ?? "";
}

export function parseCommit({ id, bytes }: GitObject): Commit {
  const text = bytes.toString();
  const fields = fieldsOf(text);
  const all = (key: string): string[] => fields.flatMap(([name, value]) => (name === key ? [value] : []));
  const [signed] = all("gpgsig");
  return {
    id,
    tree: all("tree")[0] ?? "",
    parents: all("parent"),
    author: parsePerson(all("author")[0] ?? ""),
    committer: parsePerson(all("committer")[0] ?? ""),
    message: withoutLastLines(text.slice(text.indexOf("\n\n") + 2)),
    signed: signed === undefined ? null : { signature: signed, payload: withoutSignature(text) },
  };
}

function withoutLastLines(message: string): string {
  let end = message.length;
  while (message[end - 1] === "\n") end -= 1;
  return message.slice(0, end);
}

/** Lines that begin with a space go on with the one above. */
function fieldsOf(text: string): [key: string, value: string][] {
  const head = text.slice(0, text.indexOf("\n\n"));
  return head.split(/\n(?! )/).map((line) => {
    const space = line.indexOf(" ");
    return [line.slice(0, space), line.slice(space + 1).replaceAll("\n ", "\n")];
  });
}

function withoutSignature(text: string): string {
  const end = text.indexOf("\n\n");
  const lines = text.slice(0, end).split(/\n(?! )/);
  return lines.filter((line) => !line.startsWith("gpgsig ")).join("\n") + text.slice(end);
}

function parsePerson(text: string): Person {
  const [, name = "", email = "", time = "0"] = /^(.*) <([^>]*)> (\d+) [+-]\d{4}$/.exec(text) ?? [];
  return { name, email, time: Number(time) };
}
