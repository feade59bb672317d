import { isNull } from "../../skill/core-value.ts";
import type { YamlEntry, YamlNode } from "../../skill/yaml.ts";
import { type Cidr, parseCidr } from "../../net/address.ts";
import { fitTogether, isPairName, noPairs, type PrivatePairs } from "../../net/private-pairs.ts";
import type { ValueFault, ValueKind } from "./config-values.ts";

const namesExpected =
  "`host:port` as the key, in quotes: a host name or an address in its usual spelling, and a port from 1 to 65535";
const rangeExpected =
  "a range of private addresses in quotes, such as `10.1.2.3/32`, without bits behind its prefix and without a cloud's metadata address; link-local addresses are never allowed";
const fitExpected = "a range that has the address in its key, such as that address with `/32`";
const onceExpected = "each `host:port` once";

/** The pairs of `network.private` (IN-4): the only way to an address that is not public. */
export const privatePairs: ValueKind<PrivatePairs> = {
  expects: '`"host:port": "CIDR"` for each private address that may be called; `{}`: none',
  parse: (node) => {
    if (isNull(node)) return noPairs;
    const { pairs, faults } = readPairs(node);
    return node.kind === "map" && faults.length === 0 ? pairs : undefined;
  },
  faults: (node) => readPairs(node).faults,
};

function readPairs(node: YamlNode): { pairs: PrivatePairs; faults: readonly ValueFault[] } {
  const pairs = new Map<string, Cidr>();
  const faults: ValueFault[] = [];
  for (const [key, entry] of node.kind === "map" ? node.entries : []) {
    const name = key.toLowerCase();
    const cidr = rangeOf(entry);
    const expects = pairs.has(name) ? onceExpected : expectedOf(name, cidr);
    if (expects !== undefined) faults.push({ line: entry.line, expects });
    else if (cidr !== undefined) pairs.set(name, cidr);
  }
  return { pairs, faults };
}

function rangeOf({ value }: YamlEntry): Cidr | undefined {
  return value.kind === "scalar" ? parseCidr(value.text) : undefined;
}

function expectedOf(name: string, cidr: Cidr | undefined): string | undefined {
  if (!isPairName(name)) return namesExpected;
  if (cidr === undefined) return rangeExpected;
  return fitTogether(name, cidr) ? undefined : fitExpected;
}
