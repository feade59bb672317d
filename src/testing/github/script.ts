/** The four services of a GitHub. Each listens on a port of its own, as each has a host of its own in the world. */
export type GitHubService = "api" | "raw" | "codeload" | "web";

/** What a file is pushed as: text or bytes, a symbolic link, a submodule by its commit, or a program. */
export type FileContent =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly submodule: string }
  | { readonly executable: string | Uint8Array };

/** One answer that misbehaves. */
export interface Fault {
  /** Which requests it is for: all of a service, or those whose `service path` fits. Without it: any. */
  readonly on?: GitHubService | RegExp;
  readonly how: FaultKind;
}

/**
 * How an answer misbehaves.
 *
 * - `flip`: one byte of the body is another.
 * - `swap-length`: `content-length` is larger than the body; the connection ends after the body.
 * - `short-length`: `content-length` is smaller than the body.
 * - `cut`: half of the body, then the connection is destroyed.
 * - `stall`: head and half of the body, then nothing until `release()`.
 * - `drip`: head and one byte, then one more for each `release()`; it never ends by itself.
 * - `endless`: bytes without end, until the client goes. From codeload they are a tarball.
 * - `bomb`: 128 MiB of zeros, compressed: as content-encoding, from codeload as a tarball of one file.
 * - `not-json`: 200 with a page for people.
 */
export type FaultKind =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Without it: an error as GitHub words it. */
      readonly body?: string | Uint8Array;
    }
  | { readonly redirect: 301 | 302 | 303 | 307 | 308; readonly to: string }
  | "flip"
  | "swap-length"
  | "short-length"
  | "cut"
  | "stall"
  | "drip"
  | "endless"
  | "bomb"
  | "not-json";

/** A share of the answers misbehaves. */
export interface Misbehaviour {
  /** From 0, none, to 1, all of them. */
  readonly rate: number;
  /** From 0 up to, but not including, 1: the only luck there is. */
  readonly random: () => number;
  /** One of those that fit the request is chosen. */
  readonly faults: readonly Fault[];
}

/** One request, as it came and as it was answered. */
export interface GitHubRequest {
  readonly service: GitHubService;
  readonly method: string;
  /** With the query, undecoded, and with the path of the base URL. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** 0: not answered yet, or cut. */
  readonly status: number;
}

export interface GitHubOptions {
  /** Where the api listens; any free port unless given. The others always take any. */
  readonly port?: number;
  /** Whether base URLs carry paths, such as `/api/v3`, as those of an installation of one's own do. */
  readonly paths?: boolean;
}

export interface RepositoryOptions {
  /** Only this token reads it; to the others, which are known as well, it looks as if it were not there. */
  readonly private?: { readonly token: string; readonly others?: readonly string[] };
  /** `main` unless given. */
  readonly defaultBranch?: string;
}

export interface PushOptions {
  /** The default branch unless given. */
  readonly branch?: string;
  readonly message?: string;
  /**
   * The parent; null: none. Unless given it is the head of the branch, or of the default branch where the branch is
   * new. Anything but the head makes it a force-push.
   */
  readonly from?: string | null;
  /** Of author and committer: `+0000` unless given. */
  readonly zone?: string;
  /** Whether the commit carries a signature, which is made up. */
  readonly signed?: boolean;
}

/** A repository that tests push to. The same script gives the same object ids, every time. */
export interface FakeRepository {
  readonly fullName: string;
  readonly id: number;
  readonly ownerId: number;
  /** A bare repository: for `git clone --no-local`, not for `git push`. It is gone once the fake is closed. */
  readonly folder: string;
  /**
   * Adds one commit to a branch and says its id. Files are named by path; null deletes a file or a folder; those not
   * named stay. Names that git itself would not check out, such as `..`, are taken as they are.
   */
  push(files: Readonly<Record<string, FileContent | null>>, options?: PushOptions): Promise<string>;
  /** Creates a branch or moves it, wherever to. */
  branch(name: string, commit: string): Promise<void>;
  deleteBranch(name: string): Promise<void>;
  /** Creates a tag or moves it. */
  tag(name: string, commit: string, options?: { readonly annotated?: boolean }): Promise<void>;
  deleteTag(name: string): Promise<void>;
  /** The api answers 301 under the old name until that is registered again; the owner stays who it was. */
  rename(fullName: string): Promise<void>;
  /** As `rename`, with another owner id. */
  transfer(fullName: string): Promise<void>;
  remove(): Promise<void>;
  /** Its commits are served under the name of either one, by id: the objects of a repository and its forks are shared. */
  fork(fullName: string): Promise<FakeRepository>;
  /** From now on one byte of this file is another in raw files and tarballs; ids stay. Without a path that ends. */
  tamper(path?: string): void;
}

/** A GitHub that answers by script. */
export interface FakeGitHub {
  /** Base URLs without a slash at the end. */
  readonly api: string;
  readonly raw: string;
  readonly codeload: string;
  readonly web: string;
  /** What Skillward's configuration says to reach it, in YAML: `github` with one host set, and `network.private`. */
  configuration(name?: string): string;
  /** In the order in which they came. */
  readonly requests: readonly GitHubRequest[];
  /**
   * A new and empty repository. A name that was used before is registered again: repository and owner get other ids,
   * and whatever had the name loses it.
   */
  repository(fullName: string, options?: RepositoryOptions): Promise<FakeRepository>;
  /** For the next request that it fits, once. Those said earlier go first. */
  next(fault: Fault): void;
  /** Holds for every request that no `next` is for; null ends it. */
  misbehave(how: Misbehaviour | null): void;
  /**
   * How many api requests are left, and until when in seconds since 1970. At 0 they are refused with 403. Answers 304
   * do not count, nor does asking for the limit itself. null: as many as one likes.
   */
  limit(left: number | null, resetAt?: number): void;
  /** Recursive trees of more entries than that are truncated to so many; null: none is. */
  truncateTrees(entries: number | null): void;
  /** Lets everything that stalls go on. */
  release(): void;
  /** Closes every connection and removes the repositories. */
  close(): Promise<void>;
}
