import type { Finding, Level } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";

interface SourceFault {
  readonly level: Level;
  /** What it means and what to do, for the reference in the documentation. */
  readonly why: string;
}

type Row = (why: string) => SourceFault;
const info: Row = (why) => ({ level: "info", why });
const low: Row = (why) => ({ level: "low", why });
const medium: Row = (why) => ({ level: "medium", why });
const high: Row = (why) => ({ level: "high", why });

/** Everything that can be said of a source and of the commit it stands on, besides its skills. One row each. */
export const sourceFaults = {
  "marketplace.invalid": high(
    "marketplace.json is not what a marketplace needs: valid JSON within bounds, with a name, an owner and plugins. Nothing of it was read; what is here stays as it is.",
  ),
  "marketplace.refused": medium(
    "A plugin, or a path that it names, cannot be followed: something is missing, misshapen, or leads out of its place. The others are read.",
  ),
  "host.refused": medium(
    "A plugin lies on a host that skills are not fetched from. Nothing was asked there; `github` in the configuration names others.",
  ),
  "marketplace.unsupported": low(
    "A plugin comes from where skills are not taken from: a package, an archive or a command. It is listed and not read.",
  ),
  "marketplace.duplicate": medium("Two plugins have one name, or one place at different commits. The first counts."),
  "marketplace.same": info("Two plugins are the same folder with the same skills. Their skills are taken in once."),
  "marketplace.field": low("A field is not known, or has a value of the wrong shape. It is not read."),
  "marketplace.renames": medium("Names that lead back to themselves, or to no name, are not followed."),
  "marketplace.lenient": low(
    "Something is written in a way that the format does not have. It is read as it was meant.",
  ),
  "plugin.invalid": medium("plugin.json cannot be read. The plugin's usual folders are searched all the same."),
  "include.unknown": medium("A plugin that was picked is not in the marketplace, or cannot be read from it."),

  "walk.skipped": info(
    "A folder or submodule was not searched for skills. Add it by its own path or repository if wanted.",
  ),

  "pin.unreachable": high(
    "The commit is on no branch or tag of its repository: anyone who forks it can make such a commit appear under its name.",
  ),
  "pin.moved": high("A tag names another commit than before, or one that is on no branch. Tags are meant to stay."),
  "pin.rollback": high("The source went back to a commit older than the one that was approved."),
  "pin.rewritten": medium("The branch was rewritten: the commit it was at is not in its history any more."),
  "source.child": medium(
    "A plugin's repository could not be read. Its skills stay as they are; the next sync tries again.",
  ),
  "source.frozen": high(
    "The repository is not the one that was added: renamed, transferred or registered anew. What was approved stays; add it again if that is meant.",
  ),
  "source.limited": medium("The service allows no more requests for now. The next sync goes on from there."),
  "digest.mismatch": high("Bytes are not the ones that their commit names. Nothing of them was kept."),
} satisfies Record<string, SourceFault>;

export type SourceFaultCode = keyof typeof sourceFaults;

const longestMessage = 320;

/** Messages may quote what was found, and files are named by others: both are made safe to show here (SK-13). */
export function sourceFinding(code: SourceFaultCode, message: string, file: string, line = 1): Finding {
  const { level } = sourceFaults[code];
  return {
    code,
    level,
    message: safeLine(message, longestMessage),
    at: { file: safeLine(file, longestMessage), line },
  };
}

const table: ReadonlyMap<string, SourceFault> = new Map(Object.entries<SourceFault>(sourceFaults));

export function sourceFaultOf(code: string): Pick<SourceFault, "why"> | undefined {
  return table.get(code);
}
