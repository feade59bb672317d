/**
 * Does something that Ctrl-C ends: what is under way is stopped and tidied up first, then the process ends by the
 * signal as if nobody had caught it, so that a shell knows. A second Ctrl-C does not wait.
 */
export async function untilInterrupted<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop);
  try {
    return await act(stopping.signal);
  } finally {
    process.off("SIGINT", stop);
    if (stopping.signal.aborted) process.kill(process.pid, "SIGINT");
  }
}
