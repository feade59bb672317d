import { type Call, type ExitCode, exit } from "../features/command/command.ts";
import type { Output } from "../features/command/output.ts";
import { type Shell, shells } from "./shells.ts";

/**
 * The scripts ask `skillward complete` at every Tab and pass the words as they are: nothing that was typed is
 * evaluated, and no shell extension is needed.
 */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `_skillward() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ":paths" ]]; then compopt -o default
    else COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(skillward complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _skillward skillward`,

  zsh: `#compdef skillward
_skillward() {
  local line paths=0
  local -a candidates
  for line in "\${(@f)$(skillward complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ":paths" ]]; then paths=1
    elif [[ -n $line ]]; then candidates+=("\${line/$'\\t'/:}")
    fi
  done
  (( $#candidates )) && _describe skillward candidates
  (( paths )) && _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _skillward "$@"; else compdef _skillward skillward; fi`,

  fish: `function __skillward_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (skillward complete -- $words[2..-1] 2>/dev/null)
    if test "$line" = ":paths"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c skillward -f -a "(__skillward_complete)"`,
};

export function run({ args: [shell], options }: Call, output: Output): ExitCode {
  const script = scripts[shells.find((known) => known === shell) ?? "bash"];
  output.print(options["json"] === true ? JSON.stringify({ shell, script }, null, 2) : script);
  return exit.fine;
}
