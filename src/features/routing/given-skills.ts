import { AppError } from "../../core/error.ts";
import { isRecord } from "../../core/json/json.ts";
import { kinds } from "../../skill/manifest.ts";
import { trusts } from "../../sources/trust.ts";
import type { RoutableSkill } from "./skill-pool.ts";

/** Skills from a program that nothing may have checked: what is missing is named by its place and its field. */
export function demandSkills(skills: unknown): readonly RoutableSkill[] {
  if (!isList(skills)) throw fault("skills", "a list of { id, name, description, body }");
  return skills.map((skill, at) => demandSkill(skill, `skills[${at}]`));
}

function demandSkill(skill: unknown, at: string): RoutableSkill {
  if (!isRecord(skill)) throw fault(at, "{ id, name, description, body }");
  const read = (key: string): unknown => skill[key];
  const text = (key: string) => demandText(read(key), `${at}.${key}`);
  const texts = (key: string) => demandTexts(read(key) ?? [], `${at}.${key}`);
  const id = text("id");
  if (id === "") throw fault(`${at}.id`, "a text that is not empty");
  return {
    id,
    name: text("name"),
    description: text("description"),
    body: text("body"),
    triggers: texts("triggers"),
    aliases: texts("aliases"),
    paths: texts("paths"),
    kind: demandWord(read("kind") ?? "tool", kinds, `${at}.kind`),
    trust: demandWord(read("trust") ?? "untrusted", trusts, `${at}.trust`),
  };
}

function demandText(value: unknown, at: string): string {
  if (typeof value !== "string") throw fault(at, "a text");
  return value;
}

function demandTexts(value: unknown, at: string): readonly string[] {
  if (!isList(value)) throw fault(at, "a list of texts");
  return value.map((each, index) => demandText(each, `${at}[${index}]`));
}

function demandWord<Word extends string>(value: unknown, words: readonly Word[], at: string): Word {
  const word = words.find((each) => each === value);
  if (word === undefined) throw fault(at, words.join(", "));
  return word;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function fault(at: string, expected: string): AppError {
  return new AppError("usage.invalid", `${at}: expected ${expected}`);
}
