import { Fields } from "./answers.ts";
import type { CommitAnswer, CommitPerson } from "../git/prove-commit.ts";

/** What is needed to pin is required; what only proves may be missing, and then nothing is proven by it. */
export function parseCommit(value: unknown): CommitAnswer {
  const answer = new Fields(value, "commit");
  const commit = answer.within("commit");
  return {
    id: answer.objectId("sha"),
    tree: commit.within("tree").objectId("sha"),
    parents: answer.any("parents") === undefined ? [] : answer.list("parents").map((parent) => parent.objectId("sha")),
    author: parsePerson(commit.any("author")),
    committer: parsePerson(commit.any("committer")),
    message: commit.optional("message") ?? "",
    signed: parseSignature(commit.any("verification")),
  };
}

function parsePerson(value: unknown): CommitPerson {
  const person = optional(value);
  return { name: textOf(person, "name"), email: textOf(person, "email"), date: textOf(person, "date") };
}

function parseSignature(value: unknown): CommitAnswer["signed"] {
  const [payload, signature] = [textOf(optional(value), "payload"), textOf(optional(value), "signature")];
  return payload === "" || signature === "" ? null : { payload, signature };
}

function optional(value: unknown): Fields {
  return new Fields(value ?? {}, "commit");
}

function textOf(fields: Fields, name: string): string {
  const value = fields.any(name);
  return typeof value === "string" ? value : "";
}
