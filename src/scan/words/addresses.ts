/** A web address in a text: without what stands before the host, so that `https://known@other` is `other`. */
export interface Address {
  readonly host: string;
  /** Host and path. */
  readonly place: string;
  readonly isEncrypted: boolean;
}

const written =
  /\b(https?|ftp):\/\/(?:[^\s/?#@"'`<>]{0,80}@)?(\[[0-9a-f:.]{2,60}\]|[^\s/?#:@"'`<>()|,;\\]{1,120})(?::\d{1,5})?([^\s"'`<>()|\\]{0,300})/g;
/** As `curl` takes it: `curl example.com/x`. */
const bare =
  /[\s"']([a-z0-9-][a-z0-9.-]{0,80}\.(?:[a-z]{2,12}|\d{1,3}))(?::\d{1,5})?(\/[^\s"'`<>()|\\]{0,300})?(?=[\s"'`)|;&]|$)/g;

/** The addresses in a stretch of lower-case text; those without a scheme only where there is no other. */
export function addressesIn(stretch: string): readonly Address[] {
  const full = Array.from(stretch.matchAll(written), ([, scheme, host = "", path = ""]) =>
    addressAt(host, path, scheme === "https"),
  );
  if (full.length > 0) return full;
  return Array.from(stretch.matchAll(bare), ([, host = "", path = ""]) => addressAt(host, path, true)).filter(
    ({ host }) => !/\d$/.test(host) || number.test(host),
  );
}

function addressAt(host: string, path: string, isEncrypted: boolean): Address {
  return { host, place: host + path, isEncrypted };
}

/** Whether it is one of these hosts or under one; entries with a slash are the beginning of a place. */
function isOf({ host, place }: Address, list: readonly string[]): boolean {
  return list.some((entry) =>
    entry.includes("/") ? place.startsWith(entry) : host === entry || host.endsWith(`.${entry}`),
  );
}

/** Where a well-known project hands out its own installer. */
export function isOfficial(address: Address): boolean {
  return address.isEncrypted && isOf(address, officialInstallers);
}

export function isRegistry(address: Address): boolean {
  return isOf(address, packageRegistries);
}

export function isForge(address: Address): boolean {
  return isOf(address, codeForges);
}

export function isPaste(address: Address): boolean {
  return isOf(address, pasteHosts);
}

export function isShortened(address: Address): boolean {
  return isOf(address, shorteners);
}

export function isFileHost(address: Address): boolean {
  return isOf(address, fileHosts);
}

/** A host that anybody has for the asking and that is gone tomorrow: tunnels, dynamic names, workers. */
export function isDynamic(address: Address): boolean {
  return isOf(address, dynamicHosts);
}

/** This machine or the network around it. */
export function isNearby({ host }: Address): boolean {
  return nearby.test(host);
}

const nearby =
  /^(?:localhost|.{0,80}\.(?:local|localhost|lan|internal|home)|(?:127|10)\.[\d.]{1,12}|0\.0\.0\.0|192\.168\.[\d.]{1,8}|172\.(?:1[6-9]|2\d|3[01])\.[\d.]{1,8}|169\.254\.[\d.]{1,8}|100\.(?:6[4-9]|[789]\d|1[01]\d|12[0-7])\.[\d.]{1,8}|\[(?:::1|f[cde][0-9a-f:]{1,50})\])$/;

/** A public number in place of a name, in any form that is resolved: dotted, one number, hexadecimal, IPv6. */
export function isNumber(address: Address): boolean {
  return number.test(address.host) && !isNearby(address);
}

const number = /^(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\d{8,10}|0x[0-9a-f]{8}|\[[0-9a-f:.]{2,60}\])$/;

/** Nobody who is known answers for what comes from there. */
export function isUnaccountable(address: Address): boolean {
  return isNumber(address) || isPaste(address) || isShortened(address) || isFileHost(address) || isDynamic(address);
}

/**
 * Names that rules share. Hosts are matched with everything under them; an entry with a slash is the beginning of a
 * host and path. General knowledge only, no campaigns and no authors.
 */

/** Where well-known projects hand out the installer that their own documentation tells people to run. */
export const officialInstallers = words(`
  astral.sh sh.rustup.rs rustup.rs static.rust-lang.org get.docker.com bun.sh bun.com deno.land/install deno.land/x/install/ deno.com
  get.pnpm.io deb.nodesource.com rpm.nodesource.com fnm.vercel.app get.volta.sh mise.run mise.jdx.dev pixi.sh
  pyenv.run bootstrap.pypa.io install.python-poetry.org pdm-project.org repo.anaconda.com micro.mamba.pm
  get.sdkman.io get-ghcup.haskell.org get.haskellstack.org getcomposer.org get.rvm.io nixos.org
  install.determinate.systems get.helm.sh dl.k8s.io get.k3s.io istio.io run.linkerd.io tailscale.com ollama.com
  ollama.ai cli.github.com claude.ai opencode.ai cursor.com zed.dev awscli.amazonaws.com sdk.cloud.google.com
  dl.google.com packages.microsoft.com dot.net aka.ms get.scoop.sh chocolatey.org starship.rs fly.io railway.com
   cli.doppler.com get.pulumi.com releases.hashicorp.com apt.releases.hashicorp.com install.duckdb.org
  release.anza.xyz release.solana.com foundry.paradigm.xyz install.meteor.com code-server.dev get.acme.sh sentry.io
  install.datadoghq.com get.jetify.com setup.atuin.sh just.systems ohmyz.sh brew.sh temporal.download dl.dagger.io
  trunk.io raw.githubusercontent.com/homebrew/ raw.githubusercontent.com/nvm-sh/ raw.githubusercontent.com/ohmyzsh/
  raw.githubusercontent.com/helm/ raw.githubusercontent.com/pyenv/ raw.githubusercontent.com/rbenv/
  raw.githubusercontent.com/k3d-io/ raw.githubusercontent.com/babashka/ raw.githubusercontent.com/scoopinstaller/
  raw.githubusercontent.com/golangci/ raw.githubusercontent.com/anchore/ raw.githubusercontent.com/aquasecurity/
  raw.githubusercontent.com/leanprover/ docker.com nodejs.org python.org git-scm.com go.dev
  mozilla.org microsoft.com visualstudio.com apple.com adobe.com blender.org jetbrains.com ffmpeg.org videolan.org
  libreoffice.org obsidian.md lmstudio.ai
`);

/** Sites where anybody puts text without a name. */
export const pasteHosts = words(`
  pastebin.com glot.io rentry.co rentry.org hastebin.com toptal.com/developers/hastebin ghostbin.com ghostbin.co
  paste.ee dpaste.com dpaste.org paste.rs ix.io sprunge.us termbin.com controlc.com justpaste.it privatebin.net
  0bin.net bpa.st paste.mozilla.org paste.debian.net pastes.io pastery.net ideone.com telegra.ph write.as
  textbin.net pst.klgrth.io gist.githubusercontent.com
`);

/** They show another address than the one that is opened. */
export const shorteners = words(`
  bit.ly tinyurl.com t.co goo.gl is.gd v.gd cutt.ly ow.ly rb.gy rebrand.ly shorturl.at t.ly tiny.cc bl.ink s.id
  lnkd.in buff.ly clck.ru u.to short.io dub.sh
`);

/** Free file hosts, and places where a chat or a page hands out files. */
export const fileHosts = words(`
  transfer.sh file.io 0x0.st gofile.io mediafire.com mega.nz mega.io anonfiles.com catbox.moe tmpfiles.org temp.sh
  filebin.net wetransfer.com we.tl sendspace.com zippyshare.com uploadfiles.io ufile.io pixeldrain.com
  bashupload.com oshi.at cdn.discordapp.com/attachments media.discordapp.net/attachments dropboxusercontent.com
  dropbox.com/s/ dropbox.com/scl/ drive.google.com/uc docs.google.com/uc api.telegram.org/file
`);

/** Names that anybody has in a minute without saying who he is: tunnels, dynamic names, throw-away pages. */
export const dynamicHosts = words(`
  ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt localtunnel.me serveo.net
  localhost.run lhr.life pagekite.me bore.pub tunnelto.dev duckdns.org no-ip.org no-ip.com ddns.net hopto.org
  zapto.org sytes.net dynu.net dyndns.org myftp.org nip.io sslip.io onion onion.ws onion.to
`);

/** Where packages are commonly installed from: the public registries, their mirrors and those of vendors. */
const packageRegistries = words(`
  pypi.org pythonhosted.org registry.npmjs.org registry.yarnpkg.com registry.npmmirror.com npm.pkg.github.com
  npm.jsr.io jsr.io download.pytorch.org pypi.nvidia.com pypi.ngc.nvidia.com pypi.anaconda.org anaconda.org
  wheels.vllm.ai storage.googleapis.com/jax-releases data.pyg.org abetlen.github.io flashinfer.ai
  pypi.tuna.tsinghua.edu.cn mirrors.aliyun.com pypi.douban.com mirrors.cloud.tencent.com repo.huaweicloud.com
  pkgs.dev.azure.com pkg.dev rubygems.org crates.io proxy.golang.org repo.maven.apache.org
  repo1.maven.org
`);

/** Where code lies under the name of the account that wrote it. */
const codeForges = words(`
  github.com codeload.github.com gitlab.com bitbucket.org codeberg.org git.sr.ht huggingface.co gitee.com
  dev.azure.com googlesource.com
`);

/** Names that people trust when they see them in the name of a skill. */
export const knownNames = words(`
  anthropic claude openai chatgpt gemini copilot github gitlab bitbucket google microsoft amazon facebook instagram
  youtube twitter linkedin whatsapp telegram discord spotify dropbox salesforce shopify wordpress atlassian airtable
  zapier twilio sendgrid mailchimp hubspot zendesk intercom paypal stripe coinbase binance metamask phantom polymarket
  uniswap solana ethereum bitcoin vercel netlify cloudflare supabase firebase heroku digitalocean huggingface docker
  kubernetes terraform ansible jenkins grafana datadog postgres postgresql mongodb snowflake databricks playwright
  puppeteer selenium tensorflow pytorch numpy pandas obsidian notion figma trading browser calendar assistant security
  deployment automation
`);

/** Words of their own that are one letter away from one of these. */
export const ordinaryWords = words(`
  motion nation finance openapi notify potion option locker rocker pocket discard strike striped strips clause cloud goggle boogle brower
  browse browsers trailing grading zapper tencent tracing trawling raiding reading assistance assistants posters
  security surety calendars calender panda panels amazons phantoms claudes geminis slate solano solar stripe
`);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
