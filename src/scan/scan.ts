import { blocks, type Finding } from "../core/finding.ts";
import type { Bundle, BundleFile } from "../skill/bundle.ts";
import { parse } from "../skill/skill.ts";
import type { Capabilities } from "./capabilities.ts";
import { Collected, type Encoding, findingsOf } from "./findings.ts";
import { Budget, decodeWithin, type Layer, layersIn } from "./decode/decode.ts";
import { capabilitiesOf, hostsIn } from "./facts.ts";
import { readFile } from "./files.ts";
import type { Rule } from "./rule.ts";
import { rules } from "./rules.ts";
import { ScanText } from "./text.ts";

/** What the scanner makes of a bundle (RV-6). */
export interface Scan {
  /** The heaviest first; within a level by file and line. */
  readonly findings: readonly Finding[];
  readonly capabilities: Capabilities;
  /** Every host that is named anywhere, also where it is only a link. */
  readonly hosts: readonly string[];
  /** Characters that were looked at, once for each pattern: the same on every machine (T26). */
  readonly steps: number;
}

/** Pure, never throws, on any bytes. Scripts and references are scanned as SKILL.md is. */
export function scanBundle(bundle: Bundle, chosen: readonly Rule[] = rules): Scan {
  const scanner = new Scanner(chosen);
  for (const file of bundle.files) scanner.addFile(file);
  const { skill } = parse(bundle, "ingest");
  const capabilities = capabilitiesOf(scanner.texts, skill?.manifest.allowedTools ?? []);
  const hosts = hostsIn(scanner.texts);
  return { findings: scanner.findings.all(), capabilities, hosts, steps: scanner.steps };
}

/** So deep is what was encoded decoded again (RV-6). */
const deepest = 3;

/** Of a bundle, and of each of its files with all that is in them, no more is decoded than this (T26). */
const mostDecoded = 2_000_000;
const mostLayers = 1000;
const mostLayersOfFile = 400;

class Scanner {
  readonly findings = new Collected();
  /** What facts are taken from. What was decoded is here without what the rules made of it: there may be many. */
  readonly texts: ScanText[] = [];
  readonly #chosen: readonly Rule[];
  readonly #budget = new Budget(mostDecoded, mostLayers);
  #otherSteps = 0;

  constructor(chosen: readonly Rule[]) {
    this.#chosen = chosen;
  }

  get steps(): number {
    return this.texts.reduce((sum, { steps }) => sum + steps, this.#otherSteps);
  }

  addFile(file: Pick<BundleFile, "path" | "bytes">): void {
    const { text, other, findings } = readFile(file);
    this.findings.add(findings);
    if (text === null) this.#addUnread(file.path, other ?? "");
    else if (other === undefined) this.#addText(file.path, text, this.findings);
    else {
      const once = new Once(this.findings);
      this.#addText(file.path, text, once);
      this.#addText(file.path, other, once);
    }
  }

  #addText(path: string, raw: string, sink: Sink): void {
    const text = new ScanText(path, raw);
    this.texts.push(text);
    this.#scan(text, sink, this.texts, this.#budgetOf(text));
  }

  /** What can be read of a picture or a document: only what blocks is worth a word, and none of it is a fact. */
  #addUnread(path: string, raw: string): void {
    if (raw === "") return;
    const text = new ScanText(path, raw);
    const add = (found: readonly Finding[]) => {
      for (const finding of found)
        if (blocks(finding)) this.findings.add([{ ...finding, at: { file: path, line: 1 } }]);
    };
    this.#scan(text, { add }, [], this.#budgetOf(text));
    this.#otherSteps += text.steps;
  }

  #budgetOf({ raw }: ScanText): Budget {
    return Budget.of(raw.length, mostLayersOfFile, this.#budget);
  }

  /** Every rule over a text, then over what is encoded in it, layer by layer. */
  #scan(text: ScanText, sink: Sink, texts: ScanText[], budget: Budget, depth = 0, inside?: Encoding): void {
    decodeWithin(budget, text);
    for (const rule of this.#chosen) sink.add(findingsOf(rule, text, inside));
    for (const layer of depth === deepest ? [] : layersIn(text)) {
      const decoded = new ScanText(text.file, layer.text, "markdown");
      this.#scan(decoded, sink, texts, budget, depth + 1, inside ?? placeOf(layer, text));
      this.#otherSteps += decoded.steps;
      texts.push(new ScanText(text.file, layer.text, "markdown"));
    }
  }
}

interface Sink {
  readonly add: (findings: readonly Finding[]) => void;
}

/** Where a file is read in two ways, what both of them show is listed once. */
class Once implements Sink {
  readonly #listed = new Set<string>();
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  add(findings: readonly Finding[]): void {
    this.#sink.add(
      findings.filter(({ code, at, excerpt = "" }) => {
        const { size } = this.#listed;
        return this.#listed.add(`${code} ${at.line} ${excerpt}`).size > size;
      }),
    );
  }
}

function placeOf({ from, start, end }: Layer, text: ScanText): Encoding {
  return { from, line: text.lineInRaw(start), excerpt: text.raw.slice(start, end) };
}
