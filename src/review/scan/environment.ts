import { several } from "./several.ts";
import { any, seen } from "./matchers.ts";

/** Commands and calls that hand over every variable of the environment at once. */
export const environmentDumps = any(
  seen(
    /(?:^|[\n`;&|(]|\$\()\s{0,4}(?:env|printenv|export\s-p|declare\s-x)[ \t]{0,3}(?:\|(?!\|)|>{1,2}|\))/,
    "env",
    "printenv",
    "export",
    "declare",
  ),
  several(
    ["environ"],
    /\bdict\(os\.environ\)|\bstr\(os\.environ\)|\bos\.environ\.items\(\)|\{\s?\*\*os\.environ\s?\}/,
    /\bjson\.dumps\([^\n]{0,60}os\.environ\b(?!\[|\.get)/,
    /\/proc\/(?:self|\d{1,7}|\*|\$\w{1,20})\/environ\b/,
  ),
  several(
    ["env"],
    /\bjson\.stringify\([^\n]{0,60}\bprocess\.env\b(?![.[])/,
    /\bobject\.(?:entries|fromentries|assign)\([^\n]{0,30}\bprocess\.env\b(?![.[])/,
    /\benv["']?:\s?process\.env\s{0,2}\}/,
    /\b(?:get-childitem|gci|dir|ls)\senv:|\benv\.(?:to_h|to_a|select|filter|map|each|sort|inspect|to_json)\b/,
    /\bobject\.(?:keys|values)\(\s?process\.env\s?\)|\bin\sprocess\.env\s?\)|\$_env\b(?!\[)/,
  ),
  seen(
    /\bgetenvironmentvariables\(\)|\b(?:system\.)?getenv\(\)|\bos\.environ\(\)|\benv::vars\(\)/,
    "getenvironmentvariables",
    "getenv",
    "environ",
    "vars",
  ),
);

/** Copies of it: what a program hands on to another one that it starts. */
export const environmentCopies = several(
  ["environ", "env"],
  /=\s{0,3}os\.environ(?:\.copy\(\))?\s{0,3}\n/,
  /\{\s?\.{3}process\.env\b/,
);
