import {
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from "js-yaml";
import { safeLine } from "../core/text.ts";
import type { FaultCode } from "./faults.ts";

/** YAML as it stands in the source: every scalar keeps its text and its line, and nothing has been resolved yet. */
export type YamlNode = YamlScalar | YamlList | YamlMap;

interface YamlScalar {
  readonly kind: "scalar";
  readonly text: string;
  /** Written without quotes or block marker, so that a YAML reader may take it for a number, a boolean or null. */
  readonly plain: boolean;
  /** A comment stands behind it on its last line. */
  readonly commented: boolean;
  readonly line: number;
}

interface YamlList {
  readonly kind: "list";
  readonly items: YamlNode[];
  readonly line: number;
}

export interface YamlMap {
  readonly kind: "map";
  readonly entries: Map<string, YamlEntry>;
  readonly line: number;
}

export interface YamlEntry {
  /** The line of the key. */
  readonly line: number;
  readonly value: YamlNode;
}

interface YamlFault {
  readonly code: FaultCode & `yaml.${string}`;
  readonly message: string;
  readonly line: number;
}

export type YamlResult = { root: YamlMap; fault?: undefined } | { root?: undefined; fault: YamlFault };

/**
 * Reads one YAML document whose root is a mapping. Safe by construction (SK-4, T20, T21): the tree is built here
 * from the parser's events, so there is no schema to choose a type, no anchor, alias, merge or tag to expand, and
 * keys live in a Map where `__proto__` is a word like any other. Never throws.
 */
export function parseYaml(source: string, bounds: { yamlDepth: number; yamlNodes: number }): YamlResult {
  try {
    const events = parseEvents(source, { maxDepth: bounds.yamlDepth });
    return { root: new TreeBuilder(source, bounds.yamlNodes).build(events) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

class Refused extends Error {
  readonly fault: YamlFault;

  constructor(code: YamlFault["code"], message: string, line: number) {
    super(message);
    this.fault = { code, message, line };
  }
}

function faultOf(error: unknown): YamlFault {
  if (error instanceof Refused) return error.fault;
  if (!(error instanceof YAMLException)) return { code: "yaml.invalid", message: "the YAML cannot be read", line: 1 };
  const line = (error.mark?.line ?? 0) + 1;
  if (error.reason.includes("maxDepth")) return { code: "yaml.depth", message: error.reason, line };
  return { code: "yaml.invalid", message: `${error.reason}; text is safest in quotes`, line };
}

interface Frame {
  readonly node: YamlList | YamlMap;
  /** The key of a map whose value comes next. */
  key?: YamlScalar | undefined;
}

const commentAhead = /[ \t]+#/y;

class TreeBuilder {
  readonly #source: string;
  readonly #maxNodes: number;
  readonly #frames: Frame[] = [];
  #root: YamlNode | undefined;
  #nodes = 0;
  #documents = 0;
  #line = 1;
  #offset = 0;
  #nextBreak: number;

  constructor(source: string, maxNodes: number) {
    this.#source = source;
    this.#nextBreak = this.#breakAfter(0);
    this.#maxNodes = maxNodes;
  }

  build(events: readonly Event[]): YamlMap {
    for (const event of events) this.#take(event);
    if (this.#root === undefined) return { kind: "map", entries: new Map(), line: 1 };
    if (this.#root.kind !== "map") throw new Refused("yaml.shape", "expected `key: value` lines", this.#root.line);
    return this.#root;
  }

  #take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        if (++this.#documents > 1)
          throw new Refused("yaml.documents", "more than one YAML document", this.#lineOfRest());
        if (event.directives.length > 0) throw new Refused("yaml.tag", "YAML directives are not read", this.#line);
        break;
      case EVENT_ID.SCALAR:
        this.#advance(event.valueStart);
        this.#refuseProperties(event);
        this.#add(this.#scalar(event));
        break;
      case EVENT_ID.SEQUENCE:
        this.#advance(event.start);
        this.#refuseProperties(event);
        this.#frames.push({ node: this.#counted({ kind: "list", items: [], line: this.#line }) });
        break;
      case EVENT_ID.MAPPING:
        this.#advance(event.start);
        this.#refuseProperties(event);
        this.#frames.push({ node: this.#counted({ kind: "map", entries: new Map(), line: this.#line }) });
        break;
      case EVENT_ID.ALIAS:
        this.#advance(event.anchorStart);
        throw new Refused("yaml.alias", "aliases (`*name`) are not read; quote the value if it is text", this.#line);
      case EVENT_ID.POP: {
        const closed = this.#frames.pop();
        if (closed !== undefined) this.#add(closed.node);
      }
    }
  }

  #add(node: YamlNode): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#root = node;
    else if (frame.node.kind === "list") frame.node.items.push(node);
    else if (frame.key === undefined) frame.key = usableKey(node, frame.node);
    else {
      frame.node.entries.set(frame.key.text, { line: frame.key.line, value: node });
      frame.key = undefined;
    }
  }

  #scalar(event: ScalarEvent): YamlScalar {
    const text = getScalarValue(this.#source, event);
    if (text.includes("\0")) throw new Refused("yaml.nul", "a value has a NUL character", this.#line);
    const plain = event.style === SCALAR_STYLE.PLAIN;
    commentAhead.lastIndex = event.valueEnd;
    const commented = plain && event.valueEnd !== -1 && commentAhead.test(this.#source);
    return this.#counted({ kind: "scalar", text, plain, commented, line: this.#line });
  }

  #counted<Node extends YamlNode>(node: Node): Node {
    if (++this.#nodes > this.#maxNodes)
      throw new Refused("yaml.nodes", `more than ${this.#maxNodes} keys and values`, this.#line);
    return node;
  }

  #refuseProperties(event: { anchorStart: number; tagStart: number }): void {
    if (event.anchorStart !== -1)
      throw new Refused("yaml.anchor", "anchors (`&name`) are not read; quote the value if it is text", this.#line);
    if (event.tagStart !== -1)
      throw new Refused("yaml.tag", "tags (`!name`) are not read; quote the value if it is text", this.#line);
  }

  /** A document has no place of its own: it starts after what was read last. */
  #lineOfRest(): number {
    const marker = this.#source.indexOf("\n---", this.#offset);
    this.#advance(marker === -1 ? this.#offset : marker + 2);
    return this.#line;
  }

  /** Events come in source order, so each line break is looked for once. */
  #advance(offset: number): void {
    while (this.#nextBreak < offset) {
      this.#line++;
      this.#offset = this.#nextBreak + 1;
      this.#nextBreak = this.#breakAfter(this.#offset);
    }
  }

  #breakAfter(offset: number): number {
    const found = this.#source.indexOf("\n", offset);
    return found === -1 ? this.#source.length : found;
  }
}

function usableKey(node: YamlNode, map: YamlMap): YamlScalar {
  if (node.kind !== "scalar") throw new Refused("yaml.key", "a key must be one word, not a list or a map", node.line);
  if (node.plain && node.text === "<<") throw new Refused("yaml.merge", "merge keys (`<<`) are not read", node.line);
  if (map.entries.has(node.text))
    throw new Refused("yaml.duplicate", `the key "${safeLine(node.text, 64)}" stands here twice`, node.line);
  return node;
}
