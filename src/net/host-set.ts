/**
 * A GitHub: where its four services are, each by a base URL without a slash at its end (IN-3). An installation of one's
 * own is one more set; exactly these schemes, hosts, ports and paths may be asked.
 */
export interface HostSet {
  readonly name: string;
  readonly api: string;
  /** Files by commit and path. */
  readonly raw: string;
  /** Tarballs by commit. */
  readonly codeload: string;
  /** What people see and copy; nothing is ever asked there. */
  readonly web: string;
}

/** The first one is what a short form such as `owner/repo` means. */
export type HostSets = readonly [HostSet, ...HostSet[]];

export const githubCom: HostSet = {
  name: "github.com",
  api: "https://api.github.com",
  raw: "https://raw.githubusercontent.com",
  codeload: "https://codeload.github.com",
  web: "https://github.com",
};
