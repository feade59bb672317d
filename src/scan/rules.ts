import { faultOf } from "../skill/faults.ts";
import { sourceFaultOf } from "../sources/source-faults.ts";
import { unreadKinds } from "./files.ts";
import type { Rule } from "./rule.ts";
import { agentHook } from "./rules/agent-hook.ts";
import { agentMemory } from "./rules/agent-memory.ts";
import { agentPermissions } from "./rules/agent-permissions.ts";
import { agentPoison } from "./rules/agent-poison.ts";
import { agentRead } from "./rules/agent-read.ts";
import { agentServer } from "./rules/agent-server.ts";
import { agentSettings } from "./rules/agent-settings.ts";
import { toolShadowing } from "./rules/agent-tools.ts";
import { forkBomb } from "./rules/destroy-bomb.ts";
import { checksOff } from "./rules/destroy-checks.ts";
import { dataDropped } from "./rules/destroy-data.ts";
import { diskWiped } from "./rules/destroy-disk.ts";
import { everyDiskWiped } from "./rules/destroy-disks.ts";
import { filesDestroyed } from "./rules/destroy-files.ts";
import { guardsDown } from "./rules/destroy-guards.ts";
import { hostage } from "./rules/destroy-hostage.ts";
import { worldWritable } from "./rules/destroy-open.ts";
import { permissionsOpened } from "./rules/destroy-permissions.ts";
import { ransom } from "./rules/destroy-ransom.ts";
import { tracesWiped } from "./rules/destroy-traces.ts";
import { hiddenDownload } from "./rules/fetch-hidden-file.ts";
import { numberAsHost } from "./rules/fetch-number.ts";
import { foreignPackage } from "./rules/fetch-package.ts";
import { pasteAsSource } from "./rules/fetch-paste.ts";
import { foreignRegistry } from "./rules/fetch-registry.ts";
import { selfUpdate } from "./rules/fetch-self-update.ts";
import { throwawaySource } from "./rules/fetch-throwaway.ts";
import { hiddenBidi } from "./rules/hidden-bidi.ts";
import { hiddenBlob } from "./rules/hidden-blob.ts";
import { hiddenCaption } from "./rules/hidden-caption.ts";
import { hiddenCollapsed } from "./rules/hidden-collapsed.ts";
import { hiddenComment } from "./rules/hidden-comment.ts";
import { hiddenControl } from "./rules/hidden-control.ts";
import { hiddenDataUri } from "./rules/hidden-data-uri.ts";
import { hiddenEncoded } from "./rules/hidden-encoded.ts";
import { hiddenEntities } from "./rules/hidden-entities.ts";
import { hiddenFiller } from "./rules/hidden-filler.ts";
import { hiddenLetters } from "./rules/hidden-letters.ts";
import { hiddenLineBreak } from "./rules/hidden-line-break.ts";
import { hiddenLongCaption } from "./rules/hidden-long-caption.ts";
import { hiddenLookalike } from "./rules/hidden-lookalike.ts";
import { hiddenPadding } from "./rules/hidden-padding.ts";
import { hiddenSelectors } from "./rules/hidden-selectors.ts";
import { hiddenStray } from "./rules/hidden-stray.ts";
import { hiddenStyled } from "./rules/hidden-styled.ts";
import { hiddenTags } from "./rules/hidden-tags.ts";
import { hiddenWrapper } from "./rules/hidden-wrapper.ts";
import { hiddenZeroWidth } from "./rules/hidden-zero-width.ts";
import { addressed } from "./rules/inject-addressed.ts";
import { approvedAlready } from "./rules/inject-approved.ts";
import { asksForSecrets } from "./rules/inject-ask.ts";
import { authority } from "./rules/inject-authority.ts";
import { guardBypass } from "./rules/inject-bypass.ts";
import { collects } from "./rules/inject-collect.ts";
import { obeysContent } from "./rules/inject-content.ts";
import { covert } from "./rules/inject-covert.ts";
import { delegates } from "./rules/inject-delegate.ts";
import { evadesReview } from "./rules/inject-evade.ts";
import { exhausts } from "./rules/inject-exhaust.ts";
import { finalUnasked } from "./rules/inject-final.ts";
import { forgedTurn } from "./rules/inject-forged.ts";
import { lies } from "./rules/inject-lie.ts";
import { endless } from "./rules/inject-loop.ts";
import { money } from "./rules/inject-money.ts";
import { overrideInstructions } from "./rules/inject-override.ts";
import { unboundPersona } from "./rules/inject-persona.ts";
import { claimsPower } from "./rules/inject-power.ts";
import { promptProbe } from "./rules/inject-probe.ts";
import { followsRemote } from "./rules/inject-remote.ts";
import { roleOverride } from "./rules/inject-role.ts";
import { sabotages } from "./rules/inject-sabotage.ts";
import { standingOrder } from "./rules/inject-standing.ts";
import { protectsItself } from "./rules/inject-stay.ts";
import { forgedSystem } from "./rules/inject-system.ts";
import { tampers } from "./rules/inject-tamper.ts";
import { chatTemplate } from "./rules/inject-template.ts";
import { threatens } from "./rules/inject-threat.ts";
import { hiddenTrigger } from "./rules/inject-trigger.ts";
import { unasked } from "./rules/inject-unasked.ts";
import { contentLeaves } from "./rules/leak-content.ts";
import { covertChannel } from "./rules/leak-covert.ts";
import { dnsTunnel } from "./rules/leak-dns.ts";
import { dropHost } from "./rules/leak-drop.ts";
import { encodedUpload } from "./rules/leak-encoded.ts";
import { hiddenAddress } from "./rules/leak-endpoint.ts";
import { environmentSent } from "./rules/leak-environment.ts";
import { filesSent } from "./rules/leak-files.ts";
import { followedAway } from "./rules/leak-followed.ts";
import { foreignKey } from "./rules/leak-foreign.ts";
import { gathered } from "./rules/leak-gathered.ts";
import { imageLeak } from "./rules/leak-image.ts";
import { beacon } from "./rules/leak-machine.ts";
import { mailDiverted } from "./rules/leak-mail.ts";
import { lootAddress } from "./rules/leak-named.ts";
import { queryLeak } from "./rules/leak-query.ts";
import { recorded } from "./rules/leak-recording.ts";
import { repositoryCopied } from "./rules/leak-repository.ts";
import { severalKeys } from "./rules/leak-several.ts";
import { standingCopy } from "./rules/leak-standing.ts";
import { smuggled } from "./rules/leak-tools.ts";
import { walletSent } from "./rules/leak-wallet.ts";
import { toldToSend } from "./rules/leak-words.ts";
import { workflowSecrets } from "./rules/leak-workflow.ts";
import { archivePassword } from "./rules/lure-archive-password.ts";
import { companion } from "./rules/lure-companion.ts";
import { component } from "./rules/lure-component.ts";
import { passwordDialog } from "./rules/lure-dialog.ts";
import { innocence } from "./rules/lure-innocence.ts";
import { keywordBait } from "./rules/lure-keywords.ts";
import { lookalikeName } from "./rules/lure-lookalike.ts";
import { mismatch } from "./rules/lure-mismatch.ts";
import { systemPassword } from "./rules/lure-password.ts";
import { pasteCommand } from "./rules/lure-paste-command.ts";
import { pressure } from "./rules/lure-pressure.ts";
import { passwordPrompt } from "./rules/lure-sudo.ts";
import { silencedWarnings } from "./rules/lure-warnings.ts";
import { backdoor } from "./rules/persist-backdoor.ts";
import { openContainer } from "./rules/persist-container.ts";
import { diverted } from "./rules/persist-divert.ts";
import { gitDiverted } from "./rules/persist-git.ts";
import { hookImplant } from "./rules/persist-hook.ts";
import { implant } from "./rules/persist-implant.ts";
import { runKey } from "./rules/persist-registry.ts";
import { rootAccess } from "./rules/persist-root.ts";
import { schedule } from "./rules/persist-schedule.ts";
import { shellStart } from "./rules/persist-shell.ts";
import { foreignLogin } from "./rules/persist-ssh.ts";
import { wrappedCommand } from "./rules/persist-wrapper.ts";
import { clipper } from "./rules/run-clipper.ts";
import { cloneAndRun } from "./rules/run-clone.ts";
import { decodedCommand } from "./rules/run-decoded.ts";
import { downloadAndRun } from "./rules/run-download.ts";
import { dropper } from "./rules/run-dropper.ts";
import { evalDecoded } from "./rules/run-eval-decoded.ts";
import { evalFetched } from "./rules/run-eval-fetched.ts";
import { exploit } from "./rules/run-exploit.ts";
import { hiddenCode } from "./rules/run-hidden-code.ts";
import { officialInstaller } from "./rules/run-installer.ts";
import { miner } from "./rules/run-miner.ts";
import { hiddenPowershell } from "./rules/run-powershell.ts";
import { puzzle } from "./rules/run-puzzle.ts";
import { remoteControl } from "./rules/run-remote-control.ts";
import { reverseShell } from "./rules/run-reverse-shell.ts";
import { smuggledProgram } from "./rules/run-smuggled.ts";
import { systemTool } from "./rules/run-system-tool.ts";
import { toldToRun } from "./rules/run-told.ts";
import { backTunnel } from "./rules/run-tunnel.ts";
import { unaccountableDownload } from "./rules/run-unaccountable.ts";
import { unprotect } from "./rules/run-unprotect.ts";
import { watcher } from "./rules/run-watcher.ts";
import { collected } from "./rules/secrets-collect.ts";
import { environmentDump } from "./rules/secrets-environment.ts";
import { credentialFiles } from "./rules/secrets-files.ts";
import { harvest } from "./rules/secrets-harvest.ts";
import { privateKeys } from "./rules/secrets-keys.ts";
import { cloudMetadata } from "./rules/secrets-metadata.ts";
import { keysSearched } from "./rules/secrets-search.ts";
import { reviewFaultOf } from "./scan-faults.ts";

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

type Explanation = Pick<Rule, "id" | "level" | "title" | "why">;

const byId: ReadonlyMap<string, Explanation> = new Map(explanations.map((each) => [each.id, each]));

/** Why a finding matters and what to do about it (RV-6); undefined for what is not about a bundle or its source. */
export function whyOf(code: string): string | undefined {
  return (byId.get(code) ?? faultOf(code) ?? sourceFaultOf(code) ?? reviewFaultOf(code))?.why;
}
