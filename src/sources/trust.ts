/** How far a source is trusted, from the least to the most (IN-1). */
export const trusts = ["untrusted", "community", "verified", "first_party"] as const;

export type Trust = (typeof trusts)[number];

/** Of a source that nobody has said more about, however it was added. */
export const usualTrust = "community" satisfies Trust;
export type UsualTrust = typeof usualTrust;

/** A stored word. One that is not known reads as the lowest: no damage and no newer version can raise trust (IN-1). */
export function parseTrust(word: unknown): Trust {
  return trusts.find((trust) => trust === word) ?? "untrusted";
}

export function lowerTrust(a: Trust, b: Trust): Trust {
  return trusts.indexOf(a) <= trusts.indexOf(b) ? a : b;
}
