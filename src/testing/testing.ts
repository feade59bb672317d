/** Real implementations of the interfaces in `base`, for tests: ours and yours. */
export { fixedClock } from "./fixed-clock.ts";
export { startGitHub } from "./github/github.ts";
export type {
  FakeGitHub,
  FakeRepository,
  Fault,
  FaultKind,
  FileContent,
  GitHubOptions,
  GitHubRequest,
  GitHubService,
  Misbehaviour,
  PushOptions,
  RepositoryOptions,
} from "./github/script.ts";
export { memoryFiles, type MemoryEntry } from "./memory-files.ts";
export { startOidc } from "./oidc/oidc.ts";
export type { FakeOidc, OidcEndpoint, OidcFault, OidcKey, OidcOptions, OidcRequest } from "./oidc/script.ts";
export type {
  Upstream,
  UpstreamOptions,
  UpstreamRequest,
  UpstreamScript,
  UpstreamToolCall,
} from "./upstream/script.ts";
export { startUpstream } from "./upstream/upstream.ts";
