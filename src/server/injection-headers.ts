/** CO-16: what a client is told of an injection, in headers; the rest is at `/api/injections/{id}`. */
export function injectionHeaders(injection: {
  readonly id: string;
  readonly generation: number;
  readonly included: number;
  readonly dropped: number;
}): Record<string, string> {
  return {
    "x-skillward-injection": injection.id,
    "x-skillward-generation": String(injection.generation),
    "x-skillward-included": String(injection.included),
    "x-skillward-dropped": String(injection.dropped),
  };
}
