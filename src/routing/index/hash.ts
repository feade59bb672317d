/** Two numbers of 32 bits stand for a token: no two words that people write share both. */
export interface Hash {
  low: number;
  high: number;
}

/** Spreads what differs over all bits. */
export function mixed(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
