// Reads long texts in every place of a skill. Says on standard error where it is, on standard output what threw.
import { text as readText } from "node:stream/consumers";
import { createBundle, nameKey, parse, profiles, renderManifest, safeLine, safeName } from "../../dist/skill.js";

const bounds = [
  "headerBytes",
  "bodyBytes",
  "fileBytes",
  "yamlNodes",
  "extraBytes",
  "extraKeys",
  "toolEntries",
  "toolBytes",
];
const raised = Object.fromEntries(bounds.map((name) => [name, 1 << 26]));

/** Where text of any length can stand in a skill and code of ours goes over it. */
const places = {
  body: (text) => skill("name: x", text),
  "value to be repaired": (text) => skill(`description: use: this ${oneLine(text)}`),
  "header to be repaired": (text) => skill(`description: use: this\n${text}`),
  name: (text) => skill(`name: ${JSON.stringify(text)}`),
  description: (text) => skill(`description: ${JSON.stringify(text)}`),
  "allowed-tools": (text) => skill(`allowed-tools: ${JSON.stringify(text)}`),
  "folder and path": (text) => [...skill("name: x"), [text, ""]],
  paths: (text) => [...skill("name: x"), ...pieces(text, 900).map((path, index) => [`${index}${path}`, ""])],
};

/** The other forms in which YAML writes a text, and the other fields. */
const otherPlaces = {
  header: (text) => skill(text),
  "lines to be repaired": (text) => skill(`description: use: this\n${indented(text)}`),
  "plain description": (text) => skill(`description: x ${oneLine(text)}`),
  "block description": (text) => skill(`description: |\n${indented(text)}`),
  inputs: (text) => skill(`inputs: ${JSON.stringify(text)}`),
  key: (text) => skill(`? ${JSON.stringify(text)}\n: x`),
  "scope.yaml": (text) => [...skill("name: x"), ["scope.yaml", text]],
};

/** Long by having many parts, each of them short. */
const structures = {
  "a list on one line": (size) => skill(`inputs: [${"a,".repeat(size)}]`),
  "a list of lines": (size) => skill(`inputs:\n${"- a\n".repeat(size / 4)}`),
  "a scope on one line": (size) => [...skill("name: x"), ["scope.yaml", `allowed_tools: [${"a,".repeat(size)}]\n`]],
  "many fields": (size) => skill(numbered(size / 10, (index) => `k${index}: x`)),
  "many fields to be repaired": (size) => skill(numbered(size / 10, (index) => `k${index}: x: y`)),
  "many short paths": (size) => [...skill("name: x"), ...numbers(size / 10).map((index) => [`p/${index}`, ""])],
  "some deep paths": (size) => [
    ...skill("name: x"),
    ...numbers(size / 4096).map((index) => [`${index}${"/a".repeat(400)}`, ""]),
  ],
  "many lines to be repaired": (size) => skill(`description: use: this\n${" x\n".repeat(size / 3)}`),
  "fields as the body": (size) => skill("name: x", "a: x\n".repeat(size / 5)),
  "blank lines in the body": (size) => skill("name: x", `x${"\n".repeat(size)}x`),
  "blank lines before the body": (size) => skill("name: x", `${"\n".repeat(size)}x`),
  "blank lines in the header": (size) => skill(`name: x${"\n".repeat(size)}`),
  "blank lines to be repaired": (size) => skill(`description: use: this${"\n".repeat(size)}`),
  "blank lines amid a repair": (size) => skill(`description: use: this${"\n".repeat(size)}license: x`),
};

function skill(header, body = "") {
  return [["SKILL.md", `---\n${header}\n---\n${body}`]];
}

function oneLine(text) {
  return text.replace(/[\n\r]/g, " ");
}

function indented(text) {
  return text.replace(/^/gm, "  ");
}

function pieces(text, length) {
  return numbers(text.length / length).map((index) => text.slice(index * length, (index + 1) * length));
}

function numbered(count, lineOf) {
  return numbers(count).map(lineOf).join("\n");
}

function numbers(count) {
  return Array.from({ length: Math.floor(count) }, (_, index) => index);
}

const threw = [];
let done = 0;

function attempt(what, act) {
  process.stderr.write(`${what}\n`);
  try {
    act();
  } catch (error) {
    threw.push(`${what}: ${String(error)}`);
  }
  done++;
}

/** All of it is read: the bounds are out of the way. */
function readAll(files, folder = "x") {
  const bundle = createBundle(
    folder,
    files.map(([path, content]) => [path, Buffer.from(content)]),
  );
  const { skill: read } = parse(bundle, "registry", raised);
  if (read !== undefined) renderManifest(read.manifest);
}

function readWithin(text) {
  const bundle = createBundle("x", [["SKILL.md", Buffer.from(text)]]);
  for (const profile of profiles) parse(bundle, profile);
}

const { units, small, large } = JSON.parse(await readText(process.stdin));
for (const unit of units) {
  const shown = JSON.stringify(unit);
  const [short, long] = [small, large].map((size) => unit.repeat(size / unit.length));
  attempt(`${shown} within the usual bounds`, () => readWithin(short));
  for (const [place, filesOf] of Object.entries(otherPlaces))
    attempt(`${shown} as ${place}`, () => readAll(filesOf(short)));
  for (const [place, filesOf] of Object.entries(places))
    attempt(`${shown} as ${place}`, () => readAll(filesOf(long), place === "folder and path" ? long : "x"));
  for (const show of [safeName, safeLine, nameKey]) attempt(`${shown} to ${show.name}`, () => show(long));
}
for (const [what, filesOf] of Object.entries(structures)) attempt(what, () => readAll(filesOf(large)));

process.stdout.write(JSON.stringify({ done, threw }));
