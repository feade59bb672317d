import { longestReply, mostPredicates } from "../contract/messages.ts";

/**
 * Runs inside the engine before the contract does, and is all that the host ever calls there: it reads what the contract
 * exports and puts answers into JSON text. It keeps to functions that it took hold of first and to syntax that consults
 * no prototype, so that a contract that tampers with built-ins spoils nothing but its own answers. Even then the host
 * believes none of it.
 */
export const guestProgram = `"use strict";
(() => {
  const { parse, stringify } = JSON;
  const { apply, ownKeys } = Reflect;
  const { isArray } = Array;
  const cut = Function.prototype.call.bind(String.prototype.slice);
  const kinds = ["preconditions", "invariants", "postconditions"];
  const known = { __proto__: null, name: 1, version: 1, preconditions: 1, invariants: 1, postconditions: 1 };
  const declared = { __proto__: null };
  let count = 0;
  let facts = "null";

  const fault = (code, message) => '{"fault":' + stringify(code) + ',"message":' + stringify(message) + "}";
  const unreadable = (message) => fault("contract.unreadable", message);

  const messageOf = (error) => {
    try {
      const message = typeof error === "string" ? error : error.message;
      return typeof message === "string" ? cut(message, 0, 300) : "";
    } catch {
      return "";
    }
  };

  const threw = (code, error) => {
    const message = messageOf(error);
    return fault(message === "out of memory" ? "contract.memory" : code, message);
  };

  const unknownKeyOf = (contract) => {
    const keys = ownKeys(contract);
    for (let at = 0; at < keys.length; at++)
      if (typeof keys[at] !== "string" || known[keys[at]] !== 1) return typeof keys[at] === "string" ? keys[at] : "a symbol";
  };

  const isText = (text) => typeof text === "string" && text.length <= 64;

  /** The predicate as JSON text, kept for when it is asked; undefined when it is none. */
  const declare = (kind, predicate) => {
    if (typeof predicate !== "object" || predicate === null) return undefined;
    const name = predicate.name;
    const severity = predicate.severity;
    const check = predicate.check;
    if (!isText(name) || (severity !== "HARD" && severity !== "SOFT") || typeof check !== "function") return undefined;
    declared[count++] = { __proto__: null, predicate, check };
    return '{"kind":' + stringify(kind) + ',"name":' + stringify(name) + ',"severity":' + stringify(severity) + "}";
  };

  const readContract = (contract) => {
    if (typeof contract !== "object" || contract === null)
      return unreadable("it has no default export that is an object; it cannot await at its top level");
    const unknown = unknownKeyOf(contract);
    if (unknown !== undefined) return unreadable("a contract has no field of this name: " + cut(unknown, 0, 64));
    const name = contract.name;
    const version = contract.version;
    if (!isText(name) || !isText(version)) return unreadable("its name and its version must be texts of up to 64 characters");
    let texts = "";
    for (let at = 0; at < 3; at++) {
      const kind = kinds[at];
      const list = contract[kind];
      if (list === undefined) continue;
      const length = isArray(list) ? list.length : undefined;
      if (typeof length !== "number") return unreadable(kind + " must be a list");
      for (let place = 0; place < length; place++) {
        if (count === ${mostPredicates}) return unreadable("it declares more than ${mostPredicates} predicates");
        const text = declare(kind, list[place]);
        if (text === undefined)
          return unreadable(kind + ": a predicate has a name of up to 64 characters, a severity of HARD or SOFT, and a function check");
        texts += (texts === "" ? "" : ",") + text;
      }
    }
    return '{"contract":{"name":' + stringify(name) + ',"version":' + stringify(version) + ',"predicates":[' + texts + "]}}";
  };

  return {
    read(exported, text) {
      facts = text;
      try {
        return readContract(exported.default);
      } catch (error) {
        return threw("contract.unreadable", error);
      }
    },
    ask(index) {
      let answer;
      try {
        answer = apply(declared[index].check, declared[index].predicate, [parse(facts)]);
      } catch (error) {
        return threw("contract.threw", error);
      }
      try {
        const text = stringify(answer);
        if (typeof text === "string" && text.length <= ${longestReply - 16}) return '{"answer":' + text + "}";
      } catch (error) {
        return threw("contract.reply", error);
      }
      return fault("contract.reply", "its answer is no JSON, or too much");
    },
    unreadable: (error) => threw("contract.unreadable", error),
  };
})();
`;
