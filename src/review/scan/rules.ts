import { unreadKinds } from "./files.ts";
import type { Rule } from "./rule.ts";
import { addressed } from "./rules/inject-addressed.ts";
import { threatens } from "./rules/inject-threat.ts";
import { forgedTurn } from "./rules/inject-forged.ts";
import { finalUnasked } from "./rules/inject-final.ts";
import { evadesReview } from "./rules/inject-evade.ts";
import { hiddenTags } from "./rules/hidden-tags.ts";
import { hiddenSelectors } from "./rules/hidden-selectors.ts";
import { hiddenZeroWidth } from "./rules/hidden-zero-width.ts";
import { hiddenFiller } from "./rules/hidden-filler.ts";
import { hiddenStray } from "./rules/hidden-stray.ts";
import { hiddenBidi } from "./rules/hidden-bidi.ts";
import { hiddenLookalike } from "./rules/hidden-lookalike.ts";
import { hiddenLetters } from "./rules/hidden-letters.ts";
import { hiddenEntities } from "./rules/hidden-entities.ts";
import { hiddenControl } from "./rules/hidden-control.ts";
import { hiddenLineBreak } from "./rules/hidden-line-break.ts";
import { hiddenComment } from "./rules/hidden-comment.ts";
import { hiddenCollapsed } from "./rules/hidden-collapsed.ts";
import { hiddenStyled } from "./rules/hidden-styled.ts";
import { hiddenCaption } from "./rules/hidden-caption.ts";
import { hiddenLongCaption } from "./rules/hidden-long-caption.ts";
import { hiddenPadding } from "./rules/hidden-padding.ts";
import { hiddenWrapper } from "./rules/hidden-wrapper.ts";
import { hiddenEncoded } from "./rules/hidden-encoded.ts";
import { hiddenBlob } from "./rules/hidden-blob.ts";
import { hiddenDataUri } from "./rules/hidden-data-uri.ts";
import { silencedWarnings } from "./rules/lure-warnings.ts";
import { pressure } from "./rules/lure-pressure.ts";
import { pasteCommand } from "./rules/lure-paste-command.ts";
import { passwordPrompt } from "./rules/lure-sudo.ts";
import { systemPassword } from "./rules/lure-password.ts";
import { innocence } from "./rules/lure-innocence.ts";
import { companion } from "./rules/lure-companion.ts";
import { component } from "./rules/lure-component.ts";
import { archivePassword } from "./rules/lure-archive-password.ts";
import { throwawaySource } from "./rules/fetch-throwaway.ts";
import { selfUpdate } from "./rules/fetch-self-update.ts";
import { foreignRegistry } from "./rules/fetch-registry.ts";
import { pasteAsSource } from "./rules/fetch-paste.ts";
import { foreignPackage } from "./rules/fetch-package.ts";
import { numberAsHost } from "./rules/fetch-number.ts";
import { hiddenDownload } from "./rules/fetch-hidden-file.ts";
import { toolShadowing } from "./rules/agent-tools.ts";
import { agentSettings } from "./rules/agent-settings.ts";
import { agentRead } from "./rules/agent-read.ts";
import { agentPermissions } from "./rules/agent-permissions.ts";
import { agentMemory } from "./rules/agent-memory.ts";
import { mismatch } from "./rules/lure-mismatch.ts";
import { lookalikeName } from "./rules/lure-lookalike.ts";
import { keywordBait } from "./rules/lure-keywords.ts";
import { unasked } from "./rules/inject-unasked.ts";
import { hiddenTrigger } from "./rules/inject-trigger.ts";
import { chatTemplate } from "./rules/inject-template.ts";
import { tampers } from "./rules/inject-tamper.ts";
import { forgedSystem } from "./rules/inject-system.ts";
import { protectsItself } from "./rules/inject-stay.ts";
import { standingOrder } from "./rules/inject-standing.ts";
import { sabotages } from "./rules/inject-sabotage.ts";
import { roleOverride } from "./rules/inject-role.ts";
import { followsRemote } from "./rules/inject-remote.ts";
import { promptProbe } from "./rules/inject-probe.ts";
import { claimsPower } from "./rules/inject-power.ts";
import { unboundPersona } from "./rules/inject-persona.ts";
import { overrideInstructions } from "./rules/inject-override.ts";
import { money } from "./rules/inject-money.ts";
import { exhausts } from "./rules/inject-exhaust.ts";
import { endless } from "./rules/inject-loop.ts";
import { lies } from "./rules/inject-lie.ts";
import { delegates } from "./rules/inject-delegate.ts";
import { covert } from "./rules/inject-covert.ts";
import { obeysContent } from "./rules/inject-content.ts";
import { collects } from "./rules/inject-collect.ts";
import { guardBypass } from "./rules/inject-bypass.ts";
import { authority } from "./rules/inject-authority.ts";
import { asksForSecrets } from "./rules/inject-ask.ts";
import { approvedAlready } from "./rules/inject-approved.ts";
import { toldToRun } from "./rules/run-told.ts";
import { remoteControl } from "./rules/run-remote-control.ts";
import { cloneAndRun } from "./rules/run-clone.ts";
import { smuggledProgram } from "./rules/run-smuggled.ts";
import { watcher } from "./rules/run-watcher.ts";
import { unprotect } from "./rules/run-unprotect.ts";
import { systemTool } from "./rules/run-system-tool.ts";
import { reverseShell } from "./rules/run-reverse-shell.ts";
import { puzzle } from "./rules/run-puzzle.ts";
import { hiddenPowershell } from "./rules/run-powershell.ts";
import { miner } from "./rules/run-miner.ts";
import { hiddenCode } from "./rules/run-hidden-code.ts";
import { exploit } from "./rules/run-exploit.ts";
import { evalFetched } from "./rules/run-eval-fetched.ts";
import { evalDecoded } from "./rules/run-eval-decoded.ts";
import { decodedCommand } from "./rules/run-decoded.ts";
import { downloadAndRun } from "./rules/run-download.ts";
import { officialInstaller } from "./rules/run-installer.ts";
import { unaccountableDownload } from "./rules/run-unaccountable.ts";
import { collected } from "./rules/secrets-collect.ts";
import { environmentDump } from "./rules/secrets-environment.ts";
import { credentialFiles } from "./rules/secrets-files.ts";
import { harvest } from "./rules/secrets-harvest.ts";
import { privateKeys } from "./rules/secrets-keys.ts";
import { cloudMetadata } from "./rules/secrets-metadata.ts";
import { dropper } from "./rules/run-dropper.ts";
import { clipper } from "./rules/run-clipper.ts";
import { backTunnel } from "./rules/run-tunnel.ts";
import { walletSent } from "./rules/leak-wallet.ts";
import { mailDiverted } from "./rules/leak-mail.ts";
import { wrappedCommand } from "./rules/persist-wrapper.ts";
import { gitDiverted } from "./rules/persist-git.ts";
import { queryLeak } from "./rules/leak-query.ts";
import { workflowSecrets } from "./rules/leak-workflow.ts";
import { agentHook } from "./rules/agent-hook.ts";
import { agentPoison } from "./rules/agent-poison.ts";
import { agentServer } from "./rules/agent-server.ts";
import { severalKeys } from "./rules/leak-several.ts";
import { everyDiskWiped } from "./rules/destroy-disks.ts";
import { passwordDialog } from "./rules/lure-dialog.ts";
import { diverted } from "./rules/persist-divert.ts";
import { followedAway } from "./rules/leak-followed.ts";
import { dnsTunnel } from "./rules/leak-dns.ts";
import { dropHost } from "./rules/leak-drop.ts";
import { encodedUpload } from "./rules/leak-encoded.ts";
import { hiddenAddress } from "./rules/leak-endpoint.ts";
import { environmentSent } from "./rules/leak-environment.ts";
import { filesSent } from "./rules/leak-files.ts";
import { foreignKey } from "./rules/leak-foreign.ts";
import { gathered } from "./rules/leak-gathered.ts";
import { imageLeak } from "./rules/leak-image.ts";
import { beacon } from "./rules/leak-machine.ts";
import { lootAddress } from "./rules/leak-named.ts";
import { recorded } from "./rules/leak-recording.ts";
import { repositoryCopied } from "./rules/leak-repository.ts";
import { smuggled } from "./rules/leak-tools.ts";
import { toldToSend } from "./rules/leak-words.ts";
import { openContainer } from "./rules/persist-container.ts";
import { hookImplant } from "./rules/persist-hook.ts";
import { implant } from "./rules/persist-implant.ts";
import { runKey } from "./rules/persist-registry.ts";
import { rootAccess } from "./rules/persist-root.ts";
import { schedule } from "./rules/persist-schedule.ts";
import { shellStart } from "./rules/persist-shell.ts";
import { foreignLogin } from "./rules/persist-ssh.ts";
import { forkBomb } from "./rules/destroy-bomb.ts";
import { checksOff } from "./rules/destroy-checks.ts";
import { dataDropped } from "./rules/destroy-data.ts";
import { diskWiped } from "./rules/destroy-disk.ts";
import { filesDestroyed } from "./rules/destroy-files.ts";
import { guardsDown } from "./rules/destroy-guards.ts";
import { worldWritable } from "./rules/destroy-open.ts";
import { permissionsOpened } from "./rules/destroy-permissions.ts";
import { ransom } from "./rules/destroy-ransom.ts";
import { tracesWiped } from "./rules/destroy-traces.ts";
import { keysSearched } from "./rules/secrets-search.ts";
import { contentLeaves } from "./rules/leak-content.ts";
import { standingCopy } from "./rules/leak-standing.ts";
import { backdoor } from "./rules/persist-backdoor.ts";
import { hostage } from "./rules/destroy-hostage.ts";
import { covertChannel } from "./rules/leak-covert.ts";

/** Every rule: one file and one line here. */
export const rules: readonly Rule[] = [
  // inject
  addressed,
  approvedAlready,
  asksForSecrets,
  authority,
  guardBypass,
  collects,
  obeysContent,
  covert,
  delegates,
  evadesReview,
  exhausts,
  finalUnasked,
  forgedTurn,
  lies,
  endless,
  money,
  overrideInstructions,
  unboundPersona,
  claimsPower,
  promptProbe,
  followsRemote,
  roleOverride,
  sabotages,
  standingOrder,
  protectsItself,
  forgedSystem,
  tampers,
  chatTemplate,
  threatens,
  hiddenTrigger,
  unasked,
  // hidden
  hiddenTags,
  hiddenSelectors,
  hiddenZeroWidth,
  hiddenFiller,
  hiddenStray,
  hiddenBidi,
  hiddenLookalike,
  hiddenLetters,
  hiddenEntities,
  hiddenControl,
  hiddenLineBreak,
  hiddenComment,
  hiddenCollapsed,
  hiddenStyled,
  hiddenCaption,
  hiddenLongCaption,
  hiddenPadding,
  hiddenWrapper,
  hiddenEncoded,
  hiddenBlob,
  hiddenDataUri,
  // lure
  passwordDialog,
  silencedWarnings,
  pressure,
  pasteCommand,
  systemPassword,
  passwordPrompt,
  innocence,
  component,
  companion,
  archivePassword,
  mismatch,
  lookalikeName,
  keywordBait,
  // fetch
  throwawaySource,
  selfUpdate,
  foreignRegistry,
  pasteAsSource,
  foreignPackage,
  numberAsHost,
  hiddenDownload,
  // run
  dropper,
  clipper,
  backTunnel,
  watcher,
  smuggledProgram,
  cloneAndRun,
  remoteControl,
  toldToRun,
  unprotect,
  systemTool,
  reverseShell,
  puzzle,
  hiddenPowershell,
  miner,
  hiddenCode,
  exploit,
  evalFetched,
  evalDecoded,
  decodedCommand,
  downloadAndRun,
  officialInstaller,
  unaccountableDownload,
  // secrets
  collected,
  environmentDump,
  credentialFiles,
  harvest,
  privateKeys,
  cloudMetadata,
  keysSearched,
  // leak
  severalKeys,
  queryLeak,
  workflowSecrets,
  walletSent,
  mailDiverted,
  followedAway,
  dnsTunnel,
  dropHost,
  encodedUpload,
  hiddenAddress,
  environmentSent,
  filesSent,
  foreignKey,
  gathered,
  imageLeak,
  beacon,
  lootAddress,
  recorded,
  repositoryCopied,
  smuggled,
  toldToSend,
  contentLeaves,
  standingCopy,
  covertChannel,
  // persist
  diverted,
  wrappedCommand,
  gitDiverted,
  openContainer,
  hookImplant,
  implant,
  runKey,
  rootAccess,
  schedule,
  shellStart,
  foreignLogin,
  backdoor,
  // destroy
  everyDiskWiped,
  forkBomb,
  checksOff,
  dataDropped,
  diskWiped,
  filesDestroyed,
  guardsDown,
  worldWritable,
  permissionsOpened,
  ransom,
  tracesWiped,
  hostage,
  // agent
  agentHook,
  agentPoison,
  agentServer,
  agentMemory,
  agentPermissions,
  agentRead,
  agentSettings,
  toolShadowing,
];

/** What the scanner can say: the rules, and what it could not analyse. */
export const explanations: readonly Explanation[] = [...rules, ...unreadKinds];

export type Explanation = Pick<Rule, "id" | "level" | "title" | "why">;

const byId: ReadonlyMap<string, Explanation> = new Map(explanations.map((each) => [each.id, each]));

export function explanationOf(code: string): Explanation | undefined {
  return byId.get(code);
}
