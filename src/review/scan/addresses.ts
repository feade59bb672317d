import {
  codeForges,
  dynamicHosts,
  fileHosts,
  officialInstallers,
  packageRegistries,
  pasteHosts,
  shorteners,
} from "./lists.ts";

/** A web address in a text: without what stands before the host, so that `https://known@other` is `other`. */
export interface Address {
  readonly host: string;
  /** Host and path. */
  readonly place: string;
  readonly isEncrypted: boolean;
}

const written =
  /\b(https?|ftp):\/\/(?:[^\s/?#@"'`<>]{0,80}@)?(\[[0-9a-f:.]{2,60}\]|[^\s/?#:@"'`<>()|,;\\]{1,120})(?::\d{1,5})?([^\s"'`<>()|\\]{0,300})/g;
/** As `curl` takes it: `curl example.com/x`. */
const bare =
  /[\s"']([a-z0-9-][a-z0-9.-]{0,80}\.(?:[a-z]{2,12}|\d{1,3}))(?::\d{1,5})?(\/[^\s"'`<>()|\\]{0,300})?(?=[\s"'`)|;&]|$)/g;

/** The addresses in a stretch of lower-case text; those without a scheme only where there is no other. */
export function addressesIn(stretch: string): readonly Address[] {
  const full = Array.from(stretch.matchAll(written), ([, scheme, host = "", path = ""]) =>
    addressAt(host, path, scheme === "https"),
  );
  if (full.length > 0) return full;
  return Array.from(stretch.matchAll(bare), ([, host = "", path = ""]) => addressAt(host, path, true)).filter(
    ({ host }) => !/\d$/.test(host) || number.test(host),
  );
}

function addressAt(host: string, path: string, isEncrypted: boolean): Address {
  return { host, place: host + path, isEncrypted };
}

/** Whether it is one of these hosts or under one; entries with a slash are the beginning of a place. */
function isOf({ host, place }: Address, list: readonly string[]): boolean {
  return list.some((entry) =>
    entry.includes("/") ? place.startsWith(entry) : host === entry || host.endsWith(`.${entry}`),
  );
}

/** Where a well-known project hands out its own installer. */
export function isOfficial(address: Address): boolean {
  return address.isEncrypted && isOf(address, officialInstallers);
}

export function isRegistry(address: Address): boolean {
  return isOf(address, packageRegistries);
}

export function isForge(address: Address): boolean {
  return isOf(address, codeForges);
}

export function isPaste(address: Address): boolean {
  return isOf(address, pasteHosts);
}

export function isShortened(address: Address): boolean {
  return isOf(address, shorteners);
}

export function isFileHost(address: Address): boolean {
  return isOf(address, fileHosts);
}

/** A host that anybody has for the asking and that is gone tomorrow: tunnels, dynamic names, workers. */
export function isDynamic(address: Address): boolean {
  return isOf(address, dynamicHosts);
}

/** This machine or the network around it. */
export function isNearby({ host }: Address): boolean {
  return nearby.test(host);
}

const nearby =
  /^(?:localhost|.{0,80}\.(?:local|localhost|lan|internal|home)|(?:127|10)\.[\d.]{1,12}|0\.0\.0\.0|192\.168\.[\d.]{1,8}|172\.(?:1[6-9]|2\d|3[01])\.[\d.]{1,8}|169\.254\.[\d.]{1,8}|100\.(?:6[4-9]|[789]\d|1[01]\d|12[0-7])\.[\d.]{1,8}|\[(?:::1|f[cde][0-9a-f:]{1,50})\])$/;

/** A public number in place of a name, in any form that is resolved: dotted, one number, hexadecimal, IPv6. */
export function isNumber(address: Address): boolean {
  return number.test(address.host) && !isNearby(address);
}

const number = /^(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\d{8,10}|0x[0-9a-f]{8}|\[[0-9a-f:.]{2,60}\])$/;

/** Nobody who is known answers for what comes from there. */
export function isUnaccountable(address: Address): boolean {
  return isNumber(address) || isPaste(address) || isShortened(address) || isFileHost(address) || isDynamic(address);
}
