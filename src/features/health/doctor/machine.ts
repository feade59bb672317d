import type { Environment } from "../../../app/config/config.ts";
import { isThere } from "../../../app/files/is-there.ts";
import { loadKeyFile } from "../../../app/key-file.ts";
import { type Places, sayUnknown } from "../../../app/config/paths.ts";
import { Spool } from "../../usage/spool.ts";
import { loadWorkspaceFile } from "../../../app/config/workspace-file.ts";
import type { World } from "../../../app/world/world.ts";
import { failure, fine, warning } from "./check.ts";
import type { Check } from "../schema.ts";

/** As `engines` in package.json has it. */
const neededNode = "20.19";

export function checkNode({ node }: World): Check {
  if (isAtLeast(node, neededNode)) return fine("node", `version ${node}`);
  return failure("node", `version ${node} is too old`, `install Node ${neededNode} or newer`);
}

function isAtLeast(version: string, needed: string): boolean {
  const [have, want] = [version.split(".").map(Number), needed.split(".").map(Number)];
  const at = want.findIndex((number, place) => number !== have[place]);
  return at === -1 || (have[at] ?? 0) > (want[at] ?? 0);
}

/** SV-12. */
export function checkSystem({ system }: World): Check {
  if (system === "linux" || system === "darwin") return fine("system", system);
  if (system === "win32") return failure("system", "on Windows itself Skillward does not run", "use it in WSL");
  return warning("system", `it is not tested on ${system}`, "use Linux or macOS, or Windows through WSL");
}

/** Commands that open the store refuse them: a typo in a variable must not be silent. */
export function checkVariables({ unknown }: Environment): readonly Check[] {
  if (unknown.length === 0) return [fine("variables", "every SKILLWARD_ variable is known")];
  return unknown.map((name) => failure("variables", sayUnknown(name), "correct it, or unset it"));
}

export async function checkDataFolder({ files }: World, { dataFolder }: Places): Promise<Check> {
  if (!(await isThere(files, dataFolder))) return fine("data", `${dataFolder} is made with the store`);
  if (await files.isPrivate(dataFolder)) return fine("data", dataFolder);
  return warning("data", `others can look into ${dataFolder}`, `chmod 700 ${dataFolder}`);
}

/** T18, T40: whoever can read it can approve anything. */
export async function checkKeyFile({ files }: World, { keyFile }: Places, hasStore: boolean): Promise<Check> {
  if (!hasStore && !(await isThere(files, keyFile))) return fine("keys", `${keyFile} is made with the store`);
  const { signing } = await loadKeyFile(files, keyFile);
  const retired = signing.length - 1;
  return fine("keys", `${keyFile}: key ${signing[0]?.id} signs, ${retired} retired`);
}

/** RV-8: what waits there is in no audit record yet. */
export async function checkSpool(world: World, places: Places): Promise<readonly Check[]> {
  const { waiting, setAside } = await new Spool({ world, places }).list();
  const checks: Check[] = [];
  if (waiting.length > 0)
    checks.push(
      warning("spool", `batches of usage that wait on the disk: ${waiting.length}`, "skillward audit replay"),
    );
  if (setAside.length > 0) {
    const what = `files in ${places.spoolFolder} that could not be read as usage: ${setAside.length}`;
    checks.push(warning("spool", what, "look at those that end in .bad, then remove them"));
  }
  return checks.length > 0 ? checks : [fine("spool", "nothing waits")];
}

/** T44: what a workspace asks for and does not get is shown, key by key. */
export async function checkWorkspace({ files }: World, folder: string): Promise<readonly Check[]> {
  const { findings } = await loadWorkspaceFile(files, folder);
  if (findings.length === 0) return [fine("workspace", "nothing here asks for more than it may")];
  return findings.map(({ level, message, at }) => {
    const says = `${at.file}:${at.line} ${message}`;
    const todo = "whoever wrote this file should take it out";
    return level === "high" ? failure("workspace", says, todo) : warning("workspace", says, todo);
  });
}
