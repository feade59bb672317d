import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

/** Loaded before a program that is not ours: it reaches this machine and nothing else. What it tries is written down. */
const loopback = new Set(["127.0.0.1", "::1", "localhost"]);
// It is called on the socket it belongs to, below.
// oxlint-disable-next-line typescript/unbound-method
const { connect } = Socket.prototype;

Socket.prototype.connect = function connectLoopback(...args) {
  const [first] = args;
  const { host = "localhost", path } = Array.isArray(first) ? first[0] : Object(first);
  if (path !== undefined || loopback.has(host)) return connect.apply(this, args);
  appendFileSync(process.env.REFUSED_HOSTS, `${host}\n`);
  process.nextTick(() => this.destroy(new Error(`${host} is not this machine`)));
  return this;
};
