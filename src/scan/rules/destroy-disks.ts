import { near, several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

const every = several(
  [],
  /\bfor\s\w{1,20}\sin\s[^\n]{0,40}(?:\/dev\/(?:[svh]d|nvme|disk|mmcblk)[?*[$]|\$\(\s?(?:sudo\s)?(?:lsblk|diskutil|fdisk|blkid)\b)/,
  /\b(?:lsblk|blkid|fdisk\s-l|diskutil\slist)\b[^\n]{0,80}\|\s?(?:while\sread|xargs)\b/,
  /\bget-(?:disk|physicaldisk|volume)\s?\|/,
  /\bglob(?:\.glob)?\(["']\/dev\/(?:[svh]d|nvme|disk)/,
  /\bfindmnt\b[^\n]{0,30}\s\/\s?[)"']|\bdf\s[^\n]{0,20}\/\s?\|/,
);
const wipes = several(
  [],
  /\bdd\b[^\n]{0,40}\bif=\/dev\/(?:zero|u?random)\b/,
  /\b(?:wipefs|blkdiscard|sgdisk|shred|mkfs(?:\.\w{2,6})?)\s[^\n]{0,40}["']?(?:\$|\/dev\/|\{\})/,
  /\b(?:clear-disk|format-volume|remove-partition|initialize-disk)\b/,
  /\bdiskutil\s(?:erasedisk|zerodisk|securedisk)\b|\bopen\(\s?\w{1,20},\s?["'](?:w|r\+)b/,
);

export const everyDiskWiped: Rule = {
  id: "destroy.disks",
  level: "critical",
  title: "wipes every disk of the machine",
  why: "It goes over all disks, or takes the one that the system runs from, and overwrites them. Nobody who prepares a stick or a new disk does that: they name one device. Refuse the skill.",
  match: near(every, wipes, 160),
  hostile: [
    "```bash\nfor d in $(lsblk -dno NAME); do dd if=/dev/zero of=/dev/$d bs=4M; done\n```",
    '```bash\nfor d in /dev/sd? /dev/nvme?n1; do\n  sudo wipefs -af "$d"\ndone\n```',
    "```powershell\nGet-Disk | Clear-Disk -RemoveData -RemoveOEM -Confirm:$false\n```",
    '```bash\nROOT=$(findmnt -no SOURCE /)\nsudo dd if=/dev/urandom of="$ROOT" bs=1M\n```',
  ],
  benign: [
    "```bash\nfor d in $(lsblk -dno NAME); do smartctl -H /dev/$d; done\n```",
    "Find the stick with `lsblk`, then write it: `sudo dd if=debian.iso of=/dev/sdX bs=4M`.",
    "```powershell\nGet-Disk | Select-Object Number, FriendlyName\n```",
  ],
};
