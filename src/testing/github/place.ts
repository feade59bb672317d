import type { Repository } from "./repository.ts";

/** Base URLs of the four services. */
export interface Bases {
  readonly api: string;
  readonly raw: string;
  readonly codeload: string;
  readonly web: string;
}

/** Where an answer is given: the repository that was asked about, and the URLs under which all of it is to be found. */
export interface Place {
  readonly repository: Repository;
  readonly bases: Bases;
  /** Of the repository in the api. */
  readonly url: string;
  /** Of the repository for people. */
  readonly page: string;
  /** How many entries a recursive tree has at most. */
  readonly mostEntries: number;
}

export function createPlace(repository: Repository, bases: Bases, mostEntries: number): Place {
  const { fullName } = repository;
  return { repository, bases, url: `${bases.api}/repos/${fullName}`, page: `${bases.web}/${fullName}`, mostEntries };
}

/** GitHub's second name of everything; opaque to all who read it. */
export function nodeId(kind: string, ...parts: readonly (number | string)[]): string {
  return `${kind}_${Buffer.from(parts.join(":")).toString("base64url")}`;
}
