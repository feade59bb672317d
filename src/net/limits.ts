/** What one request may cost. Milliseconds and bytes; nothing is ever unlimited. */
export interface TransportLimits {
  /** For resolving the name, connecting and the TLS handshake together. */
  readonly connect: number;
  /** From the request to the headers of its answer: a model may think for long before it says a word. */
  readonly headers: number;
  /** Between two pieces of a body, while somebody reads it. */
  readonly idle: number;
  /** For all of it. An answer that drips holds every other deadline. */
  readonly total: number;
  /** Of a body as it is handed on, decoded. */
  readonly body: number;
  /** Decoded bytes for each encoded one; held to from the second MiB on (T7). */
  readonly ratio: number;
}

/** For model services. */
export const providerLimits: TransportLimits = {
  connect: 10_000,
  headers: 600_000,
  idle: 300_000,
  total: 3_600_000,
  body: 256 * 2 ** 20,
  ratio: 100,
};

/** For skills. The body is a tarball at most; whoever asks holds what it asks for to less. */
export const githubLimits: TransportLimits = {
  connect: 10_000,
  headers: 30_000,
  idle: 30_000,
  total: 600_000,
  body: 2 ** 30,
  ratio: 100,
};

/** For a few words that are answered soon: of whoever says who people are, and of whoever is told something (SV-11). */
export const smallLimits: TransportLimits = {
  connect: 5_000,
  headers: 10_000,
  idle: 5_000,
  total: 15_000,
  body: 256 * 2 ** 10,
  ratio: 100,
};
