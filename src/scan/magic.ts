/** What a file is that is no text. */
export type Group = "media" | "document" | "archive" | "program";

export interface BinaryKind {
  /** "PNG", "ELF", … */
  readonly name: string;
  readonly group: Group;
}

/** First bytes in hex, from `at` on. `..` is any byte. */
type Magic = readonly [group: Group, name: string, hex: string, at?: number];

const magics: readonly Magic[] = [
  ["media", "PNG", "89504e470d0a1a0a"],
  ["media", "JPEG", "ffd8ff"],
  ["media", "GIF", "47494638"],
  ["media", "WebP", "52494646........57454250"],
  ["media", "WAV", "52494646........57415645"],
  ["media", "AVI", "52494646........41564920"],
  ["media", "an icon", "00000100"],
  ["media", "a cursor", "00000200"],
  ["media", "BMP", "424d........00000000"],
  ["media", "TIFF", "49492a00"],
  ["media", "TIFF", "4d4d002a"],
  ["media", "MP4 or a kin of it", "66747970", 4],
  ["media", "MP3", "494433"],
  ["media", "MP3", "fffb"],
  ["media", "MP3", "fff3"],
  ["media", "AAC", "fff1"],
  ["media", "Ogg", "4f676753"],
  ["media", "FLAC", "664c6143"],
  ["media", "Matroska", "1a45dfa3"],
  ["media", "WOFF", "774f4646"],
  ["media", "WOFF2", "774f4632"],
  ["media", "TrueType", "00010000"],
  ["media", "OpenType", "4f54544f"],
  ["media", "a font collection", "74746366"],
  ["media", "PSD", "38425053"],
  ["document", "PDF", "255044462d"],
  ["document", "an OLE document", "d0cf11e0a1b11ae1"],
  ["document", "SQLite", "53514c69746520666f726d6174203300"],
  ["archive", "zip", "504b0304"],
  ["archive", "zip", "504b0506"],
  ["archive", "zip", "504b0708"],
  ["archive", "gzip", "1f8b08"],
  ["archive", "xz", "fd377a585a00"],
  ["archive", "bzip2", "425a68"],
  ["archive", "7z", "377abcaf271c"],
  ["archive", "rar", "526172211a07"],
  ["archive", "zstd", "28b52ffd"],
  ["archive", "lz4", "04224d18"],
  ["archive", "tar", "7573746172", 257],
  ["archive", "cab", "4d534346"],
  ["archive", "ar", "213c617263683e0a"],
  ["archive", "rpm", "edabeedb"],
  ["program", "ELF", "7f454c46"],
  ["program", "a Windows program", "4d5a"],
  ["program", "Mach-O", "feedface"],
  ["program", "Mach-O", "feedfacf"],
  ["program", "Mach-O", "cefaedfe"],
  ["program", "Mach-O", "cffaedfe"],
  ["program", "Java or Mach-O", "cafebabe"],
  ["program", "WebAssembly", "0061736d"],
  ["program", "compiled Python", "....0d0a"],
  ["program", "compiled Lua", "1b4c7561"],
  ["program", "Dalvik", "6465780a"],
  ["program", "LLVM", "4243c0de"],
];

/** By the first bytes alone. Only for bytes that are no text: some of these are letters. */
export function kindOfBytes(bytes: Uint8Array): BinaryKind | undefined {
  const found = magics.find(([, , hex, at = 0]) => matches(bytes, hex, at));
  return found === undefined ? undefined : { group: found[0], name: found[1] };
}

function matches(bytes: Uint8Array, hex: string, at: number): boolean {
  for (let index = 0; index * 2 < hex.length; index++) {
    const byte = hex.slice(index * 2, index * 2 + 2);
    if (byte !== ".." && bytes[at + index] !== Number.parseInt(byte, 16)) return false;
  }
  return true;
}

/** Whether a zip stands behind other bytes: readers of zips begin at the end of a file. */
export function endsAsZip(bytes: Uint8Array): boolean {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(-(64 * 1024 + 22));
  return tail.includes("PK\u0005\u0006", 0, "latin1") && tail.includes("PK\u0001\u0002", 0, "latin1");
}

const endings: Readonly<Record<Group | "text", string>> = {
  media:
    "png apng jpg jpeg gif webp ico cur bmp tif tiff avif heic heif psd mp3 wav ogg oga ogv opus flac m4a aac mp4 m4v mov webm mkv avi woff woff2 ttf otf ttc eot",
  document: "pdf doc docx docm xls xlsx xlsm ppt pptx pptm odt ods odp epub sqlite sqlite3 db",
  archive:
    "zip tar gz tgz xz txz bz2 tbz tbz2 7z rar jar war ear whl egg apk ipa zst lz4 cab deb rpm nupkg vsix crx xpi skill",
  program: "exe dll so dylib node pyc pyo pyd class wasm o scr msi dex",
  text: "md mdx markdown txt rst adoc py pyi js mjs cjs ts mts cts tsx jsx vue svelte sh bash zsh fish ps1 psm1 bat cmd rb pl php go rs java c h cc cpp hpp cs kt swift lua r sql json jsonl json5 yaml yml toml xml html htm css scss less svg csv tsv ini cfg conf env lock tex bib diff patch log",
};

const groups: ReadonlyMap<string, Group | "text"> = new Map(
  (["media", "document", "archive", "program", "text"] as const).flatMap((group) =>
    endings[group].split(" ").map((ending) => [ending, group] as const),
  ),
);

/** What a file is by its name; undefined when that says nothing. */
export function groupOfName(path: string): Group | "text" | undefined {
  return groups.get(endingOf(path));
}

/** Documents and installers that are containers: what the bytes are is not what the file is for. */
const containers: Readonly<Record<string, string>> = {
  zip: "docx docm xlsx xlsm pptx pptm odt ods odp epub",
  "an OLE document": "msi",
};

/** Whether the bytes are those that a file with this name has. */
export function isAsNamed(path: string, { group, name }: BinaryKind): boolean {
  const named = groupOfName(path);
  return named === undefined || named === group || (containers[name]?.split(" ").includes(endingOf(path)) ?? false);
}

function endingOf(path: string): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
