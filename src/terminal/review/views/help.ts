import { type Body, block, createBody, gap } from "../body.ts";
import { hang, line, prose, rule } from "../../line.ts";
import { areasOf, type State } from "../state.ts";

type Keys = readonly (readonly [key: string, does: string])[];

const sections: readonly (readonly [title: string, keys: Keys])[] = [
  [
    "In the list",
    [
      ["j k ↓ ↑", "next and previous entry"],
      ["space b", "a page down and up; also PgDn and PgUp"],
      ["g G", "the first and the last"],
      ["Enter", "open it"],
      ["/", "show only what has these letters; Esc shows all again"],
      ["c", "approve everything that is clean, after a question"],
      ["r", "read the list again"],
      ["q", "leave"],
    ],
  ],
  [
    "In a review",
    [
      ["d w f i", "diff, raw text, findings, everything else; Tab goes through them"],
      ["j k space b", "scroll; g and G go to the ends"],
      ["] [", "next and previous change or finding, or place where what was looked for stands"],
      ["Enter", "among the findings: go to where it is"],
      ["x", "show hidden and encoded text decoded"],
      ["#", "the whole digests"],
      ["/", "look for some letters"],
      ["n p", "next and previous entry"],
      ["q Esc", "back to the list"],
    ],
  ],
  [
    "Deciding",
    [
      ["a", "approve exactly the bytes that are shown"],
      ["r", "reject them"],
      ["o", "override blocking findings, with a reason"],
      ["y n", "every decision is asked for once more; nothing but y signs it"],
    ],
  ],
  [
    "How it is written",
    [
      ["\\u{200b}", "a character that cannot be seen, shown in reverse where it stands"],
      ["+ - ~", "added, removed, changed"],
      ["┊", "the same line goes on"],
      ["▲", "a finding, below the line it is about"],
      ["✓ ✗", "a link of the way from its source to these bytes that is proven, or is not"],
    ],
  ],
];

/** What belongs to the screen it was asked for on stands first. */
export function helpBody({ size, screen }: Pick<State, "size" | "screen">): Body {
  const { text } = areasOf(size);
  const [list, ...others] = sections;
  const ordered = screen === "queue" || list === undefined ? sections : [...others, list];
  const blocks = ordered.flatMap(([title, keys]) => [
    block([rule(title, text, "bold")]),
    block(
      keys.flatMap(([key, does]) => hang(line(`  ${key.padEnd(14)}`, "bold"), line(" ".repeat(16)), line(does), text)),
    ),
    gap,
  ]);
  return createBody([
    ...blocks,
    block(prose("Ctrl-C leaves at once; what is not signed is not decided.", text, "dim")),
  ]);
}
