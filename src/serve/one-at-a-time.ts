import { TooMany } from "./statuses.ts";

/** Seconds after which it is worth asking again. */
const later = 5;

type Guarded = <Result>(act: () => Promise<Result>) => Promise<Result>;

/**
 * T41: what takes long is done once at a time on this node. Whoever comes meanwhile is told so, instead of waiting behind
 * somebody else.
 */
export function oneAtATime(what: string): Guarded {
  return fewAtATime(1, `${what} is running on this node; wait for it to end`);
}

/** The same for as many at a time as the node can bear; `refusal` is what whoever comes then is told. */
export function fewAtATime(most: number, refusal: string): Guarded {
  let running = 0;
  return async (act) => {
    if (running >= most) throw new TooMany(refusal, later);
    running++;
    try {
      return await act();
    } finally {
      running--;
    }
  };
}
