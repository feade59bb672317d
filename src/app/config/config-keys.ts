import { mostBounds } from "../../sources/source.ts";
import { githubCom } from "../../net/host-set.ts";
import { noPairs } from "../../net/private-pairs.ts";
import { linkNames } from "../../routing/link-names.ts";
import { hostSets } from "./config-hosts.ts";
import { privatePairs } from "./config-pairs.ts";
import {
  addresses,
  bytes,
  daysOrForever,
  folderNames,
  headerName,
  hostNames,
  issuerOrNone,
  line,
  lineOrNone,
  onOff,
  oneOrTwo,
  originOrNone,
  recordOrNone,
  someOf,
  storeOrNone,
  urlOrNone,
  type ValueKind,
  wholeNumber,
} from "./config-values.ts";

export interface ConfigKey<Value> {
  /** Words of the nested keys, with dots between them. */
  readonly path: string;
  readonly kind: ValueKind<Value>;
  readonly preset: Value;
  readonly about: string;
}

function key<Value>(path: string, kind: ValueKind<Value>, preset: NoInfer<Value>, about: string): ConfigKey<Value> {
  return { path, kind, preset, about };
}

/** Keys by the names that the program uses; what lies below a word of the file is a tree of its own. */
export interface ConfigTree {
  readonly [name: string]: ConfigKey<unknown> | ConfigTree;
}

/** What a tree of keys has when it is read. */
export type ConfigValues<Tree> =
  Tree extends ConfigKey<infer Value> ? Value : { readonly [Name in keyof Tree]: ConfigValues<Tree[Name]> };

/** The one model of the file: its type, the reader, its messages and the documentation come from it. */
export const configTree = {
  store: key("store", storeOrNone, null, "Where the registry is kept; `null`: SQLite in the data folder."),
  review: {
    reviewers: key("review.reviewers", onOff, false, "Whether the role `reviewer` may review. Admins always may."),
    decisions: {
      untrusted: key(
        "review.decisions.untrusted",
        oneOrTwo,
        1,
        "People who must approve what an untrusted source brings.",
      ),
      community: key("review.decisions.community", oneOrTwo, 1, "The same for a community source."),
      verified: key("review.decisions.verified", oneOrTwo, 1, "The same for a verified source."),
      first_party: key("review.decisions.first_party", oneOrTwo, 1, "The same for a source of your own."),
    },
    separateAdder: key("review.separate-adder", onOff, false, "Whoever added a source may not review what it brings."),
  },
  // The default bounds of one sync (IN-16), and what else holds for all of them.
  sync: {
    files: key(
      "sync.files",
      wholeNumber(mostBounds.files),
      2000,
      "Files one sync may read, unless its source says otherwise.",
    ),
    seconds: key("sync.seconds", wholeNumber(mostBounds.seconds), 120, "Seconds one sync may take."),
    bytes: key("sync.bytes", bytes(mostBounds.bytes), 64 * 2 ** 20, "Bytes one sync may read."),
    skip: key(
      "sync.skip",
      folderNames,
      ["__fixtures__", "__tests__", "fixtures", "testdata"],
      "Folders of a repository in which no skill is looked for. Never in `node_modules` and `.git`.",
    ),
    schedule: key("sync.schedule", onOff, true, "Whether this node runs the syncs that are due."),
  },
  usage: {
    // Null: kept forever.
    retentionDays: key("usage.retention-days", daysOrForever(36_500), 400, "Days for which usage is kept."),
  },
  // The only hosts that skills are fetched from (IN-3).
  github: key(
    "github",
    hostSets,
    [githubCom],
    "Where skills may be fetched from besides github.com. The first is what `owner/repo` means.",
  ),
  // The only private addresses that may be called (IN-4).
  network: {
    private: key(
      "network.private",
      privatePairs,
      noPairs,
      "Private addresses that a provider or a GitHub may have. Plain http only to those in a loopback range.",
    ),
  },
  // Under which addresses this server is known. Names are in lower case, and those of loopback not among them (T36).
  serve: {
    hosts: key("serve.hosts", hostNames, [], "Names under which the server may be called, beside those of loopback."),
    publicUrl: key(
      "serve.public-url",
      originOrNone,
      null,
      "Where browsers reach this server: for links in messages, and for `/auth/oidc/back`.",
    ),
    proxies: key(
      "serve.proxies",
      addresses,
      [],
      "Reverse proxies whose `x-forwarded-for` says from where a request came, for the bounds of one address.",
    ),
  },
  // How people sign in (SV-11). Without addresses of proxies no header is believed.
  signIn: {
    password: key("sign-in.password", onOff, true, "Whether people may sign in with a password."),
    proxy: {
      addresses: key(
        "sign-in.proxy.addresses",
        addresses,
        [],
        "Reverse proxies that say who asks. What any other machine says of it counts for nothing.",
      ),
      header: key("sign-in.proxy.header", headerName, "x-forwarded-user", "The header in which such a proxy says it."),
    },
    oidc: {
      // An issuer is compared to the letter.
      issuer: key(
        "sign-in.oidc.issuer",
        issuerOrNone,
        null,
        "The OpenID Connect service at which people sign in; `null`: none.",
      ),
      clientId: key("sign-in.oidc.client-id", lineOrNone(256), null, "What that service knows this server as."),
      title: key("sign-in.oidc.title", line(64), "Single sign-on", "What the button for it says."),
      claim: key(
        "sign-in.oidc.claim",
        line(128),
        "preferred_username",
        "The claim that has the name of the user, as `skillward user` knows it.",
      ),
    },
  },
  // It may hold a secret.
  webhook: {
    url: key("webhook.url", urlOrNone, null, "Who is told when something needs review; `null`: nobody."),
  },
  // Whether the public door is open (SV-6). Each skill is switched on beside it.
  publish: {
    enabled: key(
      "publish.enabled",
      onOff,
      false,
      "Whether anybody may fetch the skills that are published, below `/.well-known/agent-skills`.",
    ),
  },
  gateway: {
    bodyBytes: key("gateway.body-bytes", bytes(2 ** 30), 64 * 2 ** 20, "Bytes one request to the gateway may have."),
    requestsPerMinute: key(
      "gateway.requests-per-minute",
      wholeNumber(1_000_000),
      1200,
      "Requests one API key, or all keys of one user, may make in a minute, on each node.",
    ),
    concurrent: key(
      "gateway.concurrent",
      wholeNumber(100_000),
      1000,
      "Requests of one API key, or of all keys of one user, at the same time, on each node.",
    ),
    connectSeconds: key("gateway.connect-seconds", wholeNumber(600), 10, "Seconds to connect to a model service."),
    headersSeconds: key(
      "gateway.headers-seconds",
      wholeNumber(86_400),
      600,
      "Seconds until a model service begins to answer.",
    ),
    idleSeconds: key("gateway.idle-seconds", wholeNumber(86_400), 300, "Seconds between two pieces of its answer."),
    logPrompts: key(
      "gateway.log-prompts",
      onOff,
      false,
      "Whether the log holds the first 16 KiB of each request through the gateway.",
    ),
  },
  // The chain of routing (RT-2), and the configurations whose models some links ask.
  route: {
    links: key(
      "route.links",
      someOf(linkNames),
      ["exact", "alias", "trigger", "paths", "lexical"],
      "How skills are found for a request, cheapest first.",
    ),
    semantic: key(
      "route.semantic",
      recordOrNone,
      null,
      "The configuration whose provider and model make vectors, for the link `semantic`.",
    ),
    rerank: key("route.rerank", recordOrNone, null, "The configuration whose provider reranks, for the link `rerank`."),
    llm: key("route.llm", recordOrNone, null, "The configuration whose model chooses, for the link `llm`."),
  },
  // How long a node goes on without its store (SV-7).
  degraded: {
    maxAgeSeconds: key(
      "degraded.max-age",
      wholeNumber(604_800),
      3600,
      "Seconds for which a node that lost its store answers from what it last saw there. Only with PostgreSQL.",
    ),
  },
  telemetry: {
    endpoint: key("telemetry.endpoint", originOrNone, null, "Where OpenTelemetry spans are sent; `null`: nowhere."),
  },
};

/** All of them, in their order. */
export const configKeys = keysIn(configTree);

function keysIn(tree: ConfigTree): readonly ConfigKey<unknown>[] {
  return Object.values(tree).flatMap((part) => (isConfigKey(part) ? [part] : keysIn(part)));
}

export function isConfigKey(part: ConfigKey<unknown> | ConfigTree): part is ConfigKey<unknown> {
  return "preset" in part;
}
