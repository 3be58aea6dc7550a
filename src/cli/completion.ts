import { Argument, type Command } from 'commander';
import type { RevgateCommand } from './revgate-command.ts';

/** A word that can follow a command, with what it is for. */
interface Word {
  readonly name: string;
  readonly about: string;
  /** Whether a value follows it. */
  readonly takesValue: boolean;
}

/** The words that can follow each command, by its path such as `/keys/list`. */
type Words = ReadonlyMap<string, readonly Word[]>;

/** Adds `completion`: prints a script that completes the commands and options of the program. */
export function addCompletion(program: RevgateCommand): void {
  program
    .command('completion')
    .description('print a shell script that completes commands and options')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(scripts)))
    .examples(
      'source <(revgate completion bash)',
      'source <(revgate completion zsh)',
      'revgate completion fish | source',
    )
    .action((shell: keyof typeof scripts) => {
      program.environment.stdout.write(scripts[shell](wordsOf(program)));
    });
}

function wordsOf(command: Command, path = ''): Words {
  const help = command.createHelp();
  const commands = help
    .visibleCommands(command)
    .map((one) => ({ name: one.name(), about: one.summary() || one.description(), takesValue: false }));
  const options = help.visibleOptions(command).map((option) => ({
    name: option.long ?? option.flags,
    about: option.description,
    takesValue: option.required,
  }));
  const children = command.commands.flatMap((child) => [...wordsOf(child, `${path}/${child.name()}`)]);
  return new Map([[path, [...commands, ...options]], ...children]);
}

const scripts = {
  bash: (words: Words): string => `_revgate() {
  local at="" word candidates=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
      ${paths(words).join('|')}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${[...words].map(([path, list]) => `    ${path || '""'}) candidates="${list.map(({ name }) => name).join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _revgate revgate
`,
  zsh: (words: Words): string => `#compdef revgate
_revgate() {
  local at="" word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
      (${paths(words).join('|')}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${[...words].map(([path, list]) => `    (${path || '""'}) candidates=(${list.map(({ name, about }) => quote(`${name}:${about.replaceAll(':', '\\:')}`)).join(' ')}) ;;`).join('\n')}
  esac
  _describe revgate candidates || _files
}
if [ "$funcstack[1]" = _revgate ]; then _revgate "$@"; else compdef _revgate revgate; fi
`,
  fish: (words: Words): string => `function __revgate_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    if contains -- "$at/$word" ${paths(words).join(' ')}
      set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
${[...words].flatMap(([path, list]) => list.map((word) => fishLine(path, word))).join('\n')}
`,
};

/** All but that of the program itself. */
function paths(words: Words): string[] {
  return [...words.keys()].filter((path) => path !== '');
}

function fishLine(path: string, { name, about, takesValue }: Word): string {
  const word = name.startsWith('--') ? `-l ${name.slice(2)}${takesValue ? ' -r' : ''}` : `-f -a ${name}`;
  return `complete -c revgate -n '__revgate_at "${path}"' ${word} -d ${quote(about, "\\'")}`;
}

/** Quotes a word for a shell. */
function quote(text: string, escapedQuote = "'\\''"): string {
  return `'${text.replaceAll("'", escapedQuote)}'`;
}
