import { readFileSync } from "node:fs";

/** Registries of so many skills, so many of each: confidence must mean the same in a small one and in a large one. */
const plan = [
  { size: 10, count: 50 },
  { size: 50, count: 36 },
  { size: 343, count: 20 },
  { size: 3_000, count: 6 },
];
const most = { ofSkill: 5, positive: 60, absent: 30, near: 10, absentNegative: 10, talk: 25 };

/** Lines that begin with a question mark are small talk only in a small registry: a large one has a skill for them. */
const talk = readFileSync(new URL("small-talk.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line, at) => ({
    query: line.replace(/^\?(?=[^?])/, ""),
    isOnlyInSmall: /^\?[^?]/.test(line),
    group: `talk ${at}`,
  }));

/** Mulberry32: the same beds every time. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Registries with questions to them: `{ size, skills, questions }`, a question being `{ type, query, group, expected?,
 * not? }`. `positive` and `negative` lines carry the group that they belong to. Types: positive; negative (a skill of its `not` is
 * there); absent and near (the right skill is not there; near: others of its source are); absentNegative; talk.
 */
export function* bedsOf(pool, positive, negative) {
  const random = createRandom(12345);
  const pick = (list, count) => shuffled(list, random).slice(0, count);
  const skills = new Map(pool.map((skill) => [skill.id, skill]));
  const labelled = [
    ...new Set([...positive.map(({ expected }) => expected[0]), ...negative.flatMap(({ not }) => not)]),
  ].filter((id) => skills.has(id));
  const bySource = groupBySource(pool);
  for (const { size, count } of plan)
    for (let number = 0; number < count; number++) {
      const chosen = number % 2 === 0 ? mixedBed(size, pick) : bedOfSources(size, pick);
      yield { size, skills: chosen, questions: questionsOf(chosen, size, pick) };
    }
  yield { size: pool.length, skills: pool, questions: allQuestions() };

  function mixedBed(size, pickSome) {
    const some = pickSome(labelled, Math.max(3, Math.min(60, Math.round(size * 0.3))));
    return firstOf([...some.map((id) => skills.get(id)), ...pickSome(pool, size)], size);
  }

  function bedOfSources(size, pickSome) {
    const sources = pickSome([...new Set(labelled.map(sourceOf))], size <= 50 ? 1 : 3);
    const own = sources.flatMap((source) => bySource.get(source));
    const known = new Set(labelled);
    const some = pickSome(
      own.filter(({ id }) => known.has(id)),
      Math.round(size * 0.5),
    );
    const related = firstOf([...some, ...pickSome(own, size)], Math.round(size * 0.9));
    return firstOf([...related, ...pickSome(pool, size)], size);
  }

  function questionsOf(chosen, size, pickSome) {
    const ids = new Set(chosen.map(({ id }) => id));
    const names = new Set(chosen.map(({ name }) => plainName(name)));
    const sources = new Set(chosen.map(({ id }) => sourceOf(id)));
    const isThere = ({ expected }) => expected.some((id) => ids.has(id));
    const isAbsent = (line) =>
      !isThere(line) && !line.expected.some((id) => names.has(plainName(skills.get(id)?.name ?? "")));
    const absent = positive.filter(isAbsent);
    return [
      ...typed("positive", pickSome(fewOfEach(shuffled(positive.filter(isThere), random)), most.positive)),
      ...typed(
        "negative",
        negative.filter(({ not }) => not.some((id) => ids.has(id))),
      ),
      ...typed("absent", pickSome(absent, most.absent)),
      ...typed(
        "near",
        pickSome(
          absent.filter(({ expected }) => sources.has(sourceOf(expected[0]))),
          most.near,
        ),
      ),
      ...typed(
        "absentNegative",
        pickSome(
          negative.filter(({ not }) => !not.some((id) => ids.has(id))),
          most.absentNegative,
        ),
      ),
      ...typed(
        "talk",
        pickSome(
          talk.filter(({ isOnlyInSmall }) => !isOnlyInSmall || size < 1_000),
          most.talk,
        ),
      ),
    ];
  }

  function allQuestions() {
    return [
      ...typed("positive", positive),
      ...typed("negative", negative),
      ...typed(
        "talk",
        talk.filter(({ isOnlyInSmall }) => !isOnlyInSmall),
      ),
    ];
  }
}

function typed(type, lines) {
  return lines.map((line) => ({ ...line, type }));
}

function fewOfEach(lines) {
  const counts = new Map();
  return lines.filter(({ expected: [id] }) => {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts.get(id) <= most.ofSkill;
  });
}

function groupBySource(pool) {
  const groups = new Map();
  for (const skill of pool) {
    const source = sourceOf(skill.id);
    if (!groups.has(source)) groups.set(source, []);
    groups.get(source).push(skill);
  }
  return groups;
}

function sourceOf(id) {
  return id.split(":")[0];
}

function plainName(name) {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
}

function firstOf(skills, count) {
  return [...new Map(skills.map((skill) => [skill.id, skill])).values()].slice(0, count);
}

function shuffled(list, random) {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [copy[at], copy[other]] = [copy[other], copy[at]];
  }
  return copy;
}
