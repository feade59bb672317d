import type { Command, CommandGroup } from "./command.ts";
import { chat } from "./rows/chat.ts";
import { completion, schema, validate } from "./rows/alone.ts";
import { attach, detach } from "./rows/attach.ts";
import { audit } from "./rows/audit.ts";
import { backup } from "./rows/backup.ts";
import { block } from "./rows/block.ts";
import { compose, run } from "./rows/compose.ts";
import { config } from "./rows/config.ts";
import { doctor } from "./rows/doctor.ts";
import { evaluation } from "./rows/eval.ts";
import { exportSkills } from "./rows/export.ts";
import { key } from "./rows/key.ts";
import { keys } from "./rows/keys.ts";
import { mcp } from "./rows/mcp.ts";
import { newSkill } from "./rows/new.ts";
import { provider } from "./rows/provider.ts";
import { add, install, update, verify } from "./rows/publish.ts";
import { review } from "./rows/review.ts";
import { route } from "./rows/route.ts";
import { scan } from "./rows/scan.ts";
import { scope } from "./rows/scope.ts";
import { serve } from "./rows/serve.ts";
import { skill } from "./rows/skill.ts";
import { source } from "./rows/source.ts";
import { task } from "./rows/task.ts";
import { trigger } from "./rows/trigger.ts";
import { user } from "./rows/user.ts";

/** Every command, in the order of the help: one row under `rows/`, one file under `commands/`. */
export const commands: readonly (Command | CommandGroup)[] = [
  serve,
  mcp,
  chat,
  validate,
  scan,
  schema,
  newSkill,
  add,
  update,
  verify,
  install,
  source,
  review,
  skill,
  block,
  provider,
  config,
  task,
  attach,
  detach,
  trigger,
  route,
  compose,
  run,
  scope,
  evaluation,
  exportSkills,
  audit,
  user,
  key,
  keys,
  backup,
  doctor,
  completion,
];
