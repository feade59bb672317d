import type { Door } from "../door.ts";

/** What a body may hold (T41): reading more of it would keep everybody else on the node waiting. */
export interface BodyBounds {
  readonly bytes: number;
  /** Objects, lists, members and elements. */
  readonly values: number;
}

/** `small`: anybody may send it; a name and two passwords, each character escaped. `texts`: for models. */
export type BodySize = "small" | "usual" | "queries" | "texts";

const many = 200_000;

const bounds: Readonly<Record<BodySize, BodyBounds>> = {
  small: { bytes: 32 * 2 ** 10, values: 100 },
  usual: { bytes: 2 ** 20, values: 20_000 },
  queries: { bytes: 8 * 2 ** 20, values: many },
  // As large as whoever runs the server lets requests for models be.
  texts: { bytes: Number.POSITIVE_INFINITY, values: many },
};

export function boundsOfBody(size: BodySize, door: Pick<Door, "bodyBytes">): BodyBounds {
  const { bytes, values } = bounds[size];
  return { bytes: Math.min(bytes, door.bodyBytes), values };
}
