import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ask, Problem, actByItself } from "./api.ts";
import { comebacks, generation } from "./live.ts";

export interface Resource<Answer> {
  /** What was answered last; it stays while it is asked for again. */
  readonly data: Answer | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Puts an answer in place that is known already, such as that of a write. */
  readonly put: (answer: Answer) => void;
}

interface Held<Answer> {
  readonly path: string | null;
  readonly data: Answer | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
}

/**
 * What a path of the API answers, asked again at every new generation, and when the server is back. Null: nothing is asked. An answer that comes after
 * the path has changed is nobody's.
 */
export function useResource<Answer>(path: string | null): Resource<Answer> {
  const [held, setHeld] = useState<Held<Answer>>({ path, data: undefined, problem: undefined, isLoading: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(0);
  const [seen, back] = [generation.value, comebacks.value];

  useEffect(() => {
    const mine = ++latest.current;
    if (path === null) return setHeld({ path, data: undefined, problem: undefined, isLoading: false });
    setHeld((before) => ({
      path,
      data: before.path === path ? before.data : undefined,
      problem: before.path === path ? before.problem : undefined,
      isLoading: true,
    }));
    const finish = (change: Partial<Held<Answer>>) => {
      if (latest.current === mine) setHeld((before) => ({ ...before, ...change, isLoading: false }));
    };
    void (async () => {
      try {
        finish({ data: await ask<Answer>("GET", path), problem: undefined });
      } catch (error) {
        finish({ problem: asProblem(error) });
      }
    })();
    return () => void latest.current++;
  }, [path, turn, seen, back]);

  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const put = useCallback(
    (data: Answer) => {
      latest.current++;
      setHeld({ path, data, problem: undefined, isLoading: false });
    },
    [path],
  );
  // On the first turn after the path has changed, what is held is still of the former one.
  const isOfPath = held.path === path;
  return {
    data: isOfPath ? held.data : undefined,
    problem: isOfPath ? held.problem : undefined,
    isLoading: !isOfPath || held.isLoading,
    reload,
    put,
  };
}

/** The same for what is asked for in several ways: while an answer to another path comes, the one of before stays. */
export function useSteadyResource<Answer>(path: string): Resource<Answer> {
  const resource = useResource<Answer>(path);
  const [last, setLast] = useState<Answer>();
  useEffect(() => {
    if (resource.data !== undefined) setLast(resource.data);
  }, [resource.data]);
  return { ...resource, data: resource.data ?? last };
}

const minute = 60_000;

/**
 * Asks again when the page comes into sight, and from time to time while it is: for what changes without a new generation,
 * such as usage.
 */
export function useReloading({ reload }: Pick<Resource<unknown>, "reload">): void {
  useEffect(() => {
    const reloadInSight = () => {
      if (document.visibilityState === "visible") reload();
    };
    const timer = window.setInterval(() => {
      actByItself();
      reloadInSight();
    }, minute);
    document.addEventListener("visibilitychange", reloadInSight);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", reloadInSight);
    };
  }, [reload]);
}

export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(0, "unknown", error instanceof Error ? error.message : "?");
}

export interface Action<Given extends readonly unknown[], Answer> {
  run(...given: Given): Promise<Answer | undefined>;
  readonly isRunning: boolean;
  readonly problem: Problem | undefined;
  clear(): void;
}

/** Something that a person does: at most once at a time, and what went wrong is there to be shown. */
export function useAction<Given extends readonly unknown[], Answer>(
  act: (...given: Given) => Promise<Answer>,
): Action<Given, Answer> {
  const [state, setState] = useState<{ isRunning: boolean; problem: Problem | undefined }>({
    isRunning: false,
    problem: undefined,
  });
  const running = useRef(false);
  const run = async (...given: Given) => {
    if (running.current) return undefined;
    running.current = true;
    setState({ isRunning: true, problem: undefined });
    try {
      const answer = await act(...given);
      setState({ isRunning: false, problem: undefined });
      return answer;
    } catch (error) {
      setState({ isRunning: false, problem: asProblem(error) });
      return undefined;
    } finally {
      running.current = false;
    }
  };
  return { run, ...state, clear: () => setState({ isRunning: false, problem: undefined }) };
}
