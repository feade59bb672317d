import { several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const runKey: Rule = {
  id: "persist.registry",
  level: "high",
  title: "adds a program to the start of Windows",
  why: "Run keys, logon scripts and image hijacks start a program with every sign-in without the user seeing it. An installer may do that; a skill has no reason to.",
  match: several(
    ["run", "runonce", "winlogon", "execution", "userinitmprlogonscript"],
    /\b(?:reg(?:\.exe)?\sadd|(?:new|set)-itemproperty|openkey\(|createkey\()[^\n]{0,160}currentversion\\{1,4}(?:run|runonce|winlogon|image\sfile\sexecution\soptions)\b/,
    /\b(?:reg(?:\.exe)?\sadd|(?:new|set)-itemproperty)[^\n]{0,160}userinitmprlogonscript/,
  ),
  hostile: [
    "```bat\nreg add HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v Upd /d C:\\u.exe\n```",
    "```powershell\nNew-ItemProperty -Path 'HKCU:\\Software\\Microsoft\\Windows\\CurrentVersion\\Run' -Name x -Value y\n```",
    '```python\nk = winreg.OpenKey(winreg.HKEY_CURRENT_USER, r"Software\\Microsoft\\Windows\\CurrentVersion\\Run", 0, winreg.KEY_SET_VALUE)\nwinreg.SetValueEx(k, "x", 0, winreg.REG_SZ, path)\n```',
  ],
  benign: [
    "```powershell\nGet-ItemProperty 'HKLM:\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\*'\n```",
    "```bat\nreg query HKCU\\Environment\n```",
    "Run the current version of the tool.",
  ],
};
