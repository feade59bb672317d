import { any, seen, unless } from "../matchers.ts";
import type { Rule } from "../rule.ts";

/** Somebody writes a stick or a card, and says which. */
const careful = seen(
  /\b(?:usb|sd[ -]?card|flash drive|thumb drive|removable|memory stick|the stick|dd if=[^\n]{1,60}\.(?:iso|img))\b/,
  ..."usb sd sdcard flash thumb removable memory stick iso img".split(" "),
);

export const diskWiped: Rule = {
  id: "destroy.disk",
  level: "high",
  title: "overwrites a disk",
  why: "A whole device is overwritten or formatted: what was on it is gone. Only a tool for exactly that may do it, on a device that the user named.",
  match: any(
    unless(
      any(
        seen(/\bmkfs(?:\.\w{2,6})?\b[^\n]{0,40}\/dev\/(?:[svh]d[a-z]|nvme\d|disk\d|mmcblk\d)/, "mkfs"),
        seen(
          /\b(?:shred|wipefs|blkdiscard|sgdisk --zap-all)\b[^\n]{0,40}\/dev\/(?:(?!sdx\b)[svh]d[a-z]|nvme\d|disk\d|\$\w)/,
          "shred",
          "wipefs",
          "blkdiscard",
          "sgdisk",
        ),
        seen(/>\s{0,2}\/dev\/(?!sdx\b)(?:[svh]d[a-z]|nvme\dn\d)\b/, "dev"),
        seen(
          /\bopen\(\s?f?["']\/dev\/(?:[svh]d[a-z]|nvme\d|disk\d|\{)[^\n]{0,20}["'],\s?["'](?:w|r\+)|\bos\.open\(\s?["']\/dev\/(?:[svh]d[a-z]|nvme\d)[^\n]{0,20}o_(?:wronly|rdwr)/,
          "dev",
        ),
        seen(
          /\bclean(?:\sall)?\b[^\n]{0,20}\|\s?diskpart\b|\bdiskpart\b[^\n]{0,40}\bclean\b|\bselect\sdisk\s0\b[^`]{0,40}\bclean\b/,
          "diskpart",
          "disk",
        ),
        seen(
          /\bformat-volume\b[^\n]{0,60}-driveletter\s["']?c\b|\bhdparm\b[^\n]{0,40}--security-erase|\bnvme\sformat\s[^\n]{0,20}\/dev\/nvme|\bcryptsetup\s(?:luks)?erase\b/,
          "volume",
          "hdparm",
          "nvme",
          "cryptsetup",
        ),
        seen(
          /\bformat\s{1,2}c:|\bclear-disk\b[^\n]{0,60}-removedata|\bdiskutil (?:erasedisk|securedisk|zerodisk)\b|\bcipher \/w:c/,
          "format",
          "disk",
          "diskutil",
          "cipher",
        ),
      ),
      careful,
      300,
    ),
    seen(
      /\bdd\b[^\n]{0,40}\bif=\/dev\/(?:zero|u?random)\b[^\n]{0,60}\bof=["']?(?:\/dev\/(?:(?!sdx\b)[svh]d[a-z]|nvme\d|r?disk\d|mmcblk\d|\$)|\$\{?(?:d|dev|disk|device|drive|root|rootdev|target|part)\b)/,
      "dd",
    ),
  ),
  hostile: [
    "```bash\nsudo dd if=/dev/zero of=/dev/sda bs=1M\n```",
    "```bash\nmkfs.ext4 -F /dev/nvme0n1\n```",
    "```bash\ncat /dev/urandom > /dev/sda\n```",
    "```bat\nformat c: /y\n```",
  ],
  benign: [
    "Check with `lsblk` that it is the USB stick and ask. To use the stick for files again: `sudo wipefs -a /dev/sdb`.",
    "```bash\ndd if=/dev/urandom of=key.bin bs=32 count=1\n```",
    "```bash\nlsblk -f /dev/sda\n```",
    "Format C++ code with `clang-format`.",
  ],
};
