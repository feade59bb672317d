/**
 * An origin where no server listens. A port that a test has just closed can still accept connections: a process that another
 * thread is starting holds the inherited socket until it executes its program. No program of a test opens port 1.
 */
export const closedOrigin = "http://127.0.0.1:1";
