import type { Link } from "./link.ts";
import type { LinkName } from "./link-names.ts";
import { aliasLink, exactLink } from "./links/exact.ts";
import { lexicalLink } from "./links/lexical.ts";
import { pathsLink } from "./links/paths.ts";
import { triggerLink } from "./links/trigger.ts";
import type { Thresholds } from "./routed.ts";

/** The links that ask nobody: the default chain, and what every other one begins with. */
export const ownLinks = {
  exact: exactLink,
  alias: aliasLink,
  trigger: triggerLink,
  paths: pathsLink,
  lexical: lexicalLink,
} as const satisfies Partial<Record<LinkName, Link>>;

/** Where nobody says otherwise (RT-3). */
export const defaultThresholds: Thresholds = { accept: 0.85, margin: 0.1, floor: 0.3 };
