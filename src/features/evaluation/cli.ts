import { type CommandGroup, json, lazily, storeOptions } from "../command/command.ts";

export const evaluation: CommandGroup = {
  name: "eval",
  about: "how well something works, measured: scan, routing, skills",
  commands: [
    {
      name: "scan",
      about: "recall and false positives of the scanner on labelled texts",
      arguments: [{ form: "<file>", about: "lines of { id, set, label: malicious or benign, text }; .gz is unpacked" }],
      options: [{ flags: "--list", about: "also name what was missed and what was flagged wrongly, at high" }, json],
      examples: ["skillward eval scan eval/scan.jsonl", "skillward eval scan labelled.jsonl.gz --list --json"],
      run: lazily(() => import("./commands/scan.ts")),
    },
    {
      name: "routing",
      about: "how often the right skill is chosen, and none where none fits; exit 1 below a threshold",
      arguments: [
        {
          form: "[golden...]",
          about:
            "lines of { query, expected: a skill, a list of them or null } or { query, not: [skills] }; .gz is unpacked",
        },
      ],
      options: [
        {
          flags: "--skills <place>",
          about:
            "choose among the skills of a folder or a .jsonl[.gz] pool instead of the registry's; repeat it for more",
          repeatable: true,
        },
        { flags: "--k <n>", about: "how many places MRR looks at", default: "10" },
        { flags: "--min-p1 <share>", about: "fail when the first one is right less often" },
        { flags: "--min-mrr <share>", about: "fail when the mean reciprocal rank is lower" },
        { flags: "--max-false-fire <share>", about: "fail when more of the negatives get a wrong skill" },
        { flags: "--min-coverage <share>", about: "fail when fewer of the positives get any skill" },
        { flags: "--min-n <n>", about: "refuse a set with fewer lines" },
        {
          flags: "--thresholds <file>",
          about: "the same as a file: { routing: { n, p1, mrr, falseFires, coverage } }",
        },
        {
          flags: "--confusable",
          about: "name skills whose descriptions cannot be told apart, and words that would tell",
        },
        { flags: "--html <file>", about: "write one page with figures, curves, confusions and misses" },
        { flags: "--keep <title>", about: "keep what came of it in the store, to be compared with other runs" },
        ...storeOptions,
      ],
      examples: [
        "skillward eval routing golden.jsonl --skills skills --min-p1 0.9 --max-false-fire 0.1",
        "skillward eval routing golden.jsonl --thresholds eval/thresholds.json --html report.html",
        "skillward eval routing --confusable --skills skills",
        'skillward eval routing golden.jsonl --keep "before the new descriptions"',
      ],
      run: lazily(() => import("./commands/routing.ts")),
    },
    {
      name: "skills",
      about: "run cases through an agent and check what it does with skills; exit 1 below the rate",
      arguments: [{ form: "<dir>", about: "a folder with cases (*.case.yaml), or one case" }],
      options: [
        { flags: "--model <name>", about: "a configured model instead of the scripts of the cases" },
        { flags: "--runs <n>", about: "run each case so often, instead of what it says" },
        { flags: "--min-rate <share>", about: "of the runs of each case, how many have to pass", default: "1" },
        { flags: "--update", about: "write the golden transcripts that are missing or different" },
        {
          flags: "--allow-commands",
          about: "also run cases that allow themselves commands, on this machine: read them",
        },
        json,
      ],
      examples: [
        "skillward eval skills eval/agent --allow-commands",
        "skillward eval skills eval/agent --update",
        "skillward eval skills eval/agent --model anthropic/claude-sonnet --runs 5 --min-rate 0.8",
      ],
      run: lazily(() => import("./commands/skills.ts")),
    },
  ],
};
