interface Followers {
  readonly acts: Set<() => void>;
  readonly tellAll: () => void;
}

const followed = new WeakMap<AbortSignal, Followers>();

/**
 * Calls `act` once the signal is aborted, unless it was told to stop before. However many follow one signal, it has one
 * listener of ours: of more than a few, Node warns as of a leak.
 */
export function follow(signal: AbortSignal, act: () => void): () => void {
  const { acts, tellAll } = followed.get(signal) ?? listenTo(signal);
  // Its own: the same function may follow twice.
  const follower = (): void => act();
  acts.add(follower);
  return () => {
    acts.delete(follower);
    if (acts.size > 0) return;
    signal.removeEventListener("abort", tellAll);
    followed.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Followers {
  const acts = new Set<() => void>();
  const tellAll = (): void => {
    for (const act of acts) act();
  };
  signal.addEventListener("abort", tellAll, { once: true });
  const followers = { acts, tellAll };
  followed.set(signal, followers);
  return followers;
}
