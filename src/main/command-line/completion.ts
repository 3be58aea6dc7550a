import { Argument, type Command } from 'commander';
import { documentModes } from '../../access/keys/change.ts';
import { tiers } from '../../access/limits/tiers.ts';
import { decimalMarks } from '../../startups/import/numbers.ts';
import type { RevgateCommand } from './revgate-command.ts';

/** A word that can follow a command, with what it is for. */
interface Word {
  readonly name: string;
  readonly about: string;
}

/** The values of an option or an argument: all of them, any file, or others that nobody can list. */
type Values = readonly string[] | 'file' | 'other';

/** An option; `values` is undefined if no value follows it. */
interface OptionWord extends Word {
  readonly values: Values | undefined;
}

/** What can follow a command. */
interface Place {
  readonly commands: readonly Word[];
  readonly options: readonly OptionWord[];
  readonly values: Values;
}

/** What can follow each command, by its path such as `/keys/list`. */
type Places = ReadonlyMap<string, Place>;

const shells = ['bash', 'zsh', 'fish'] as const;

/** The values that a name in angle brackets stands for. */
const valuesByName: Readonly<Record<string, Values>> = {
  tier: tiers,
  mode: documentModes,
  mark: decimalMarks,
  shell: shells,
  file: 'file',
  directory: 'file',
};

/** Adds `completion`: prints a script that completes the commands and options of the program. */
export function addCompletion(program: RevgateCommand): void {
  program
    .command('completion')
    .description('print a shell script that completes commands and options')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(shells))
    .examples(
      'source <(revgate completion bash)',
      'source <(revgate completion zsh)',
      'revgate completion fish | source',
    )
    .action((shell: (typeof shells)[number]) => {
      program.environment.stdout.write(scripts[shell](placesOf(program)));
    });
}

function placesOf(command: Command, path = ''): Places {
  const help = command.createHelp();
  const commands = help
    .visibleCommands(command)
    .map((one) => ({ name: one.name(), about: one.summary() || one.description() }));
  const options = help.visibleOptions(command).map((option) => ({
    name: option.long ?? option.flags,
    about: option.description,
    values: option.required ? (valuesByName[/<(\w+)/.exec(option.flags)?.[1] ?? ''] ?? 'other') : undefined,
  }));
  const known = command.registeredArguments.map((one) => valuesByName[one.name()]);
  const values = known.find((one) => one !== undefined) ?? 'other';
  const children = command.commands.flatMap((child) => [...placesOf(child, `${path}/${child.name()}`)]);
  return new Map([[path, { commands, options, values }], ...children]);
}

/** The options that a value follows, by the values: the same name means the same everywhere. */
function optionsByValues(places: Places): [values: Values, names: string[]][] {
  const options = new Map<string, Values>();
  for (const { name, values } of [...places.values()].flatMap((place) => place.options)) {
    if (values !== undefined) {
      options.set(name, values);
    }
  }
  return [...new Set(options.values())].map((values) => [
    values,
    [...options.keys()].filter((name) => options.get(name) === values),
  ]);
}

const scripts = {
  bash: (places: Places): string => `_revgate() {
  local at="" word candidates="" options=""
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  # Without candidates, bash offers files.
  case "$previous" in
${optionsByValues(places)
  .map(([values, names]) => {
    const give =
      values === 'file'
        ? ''
        : values === 'other'
          ? 'compopt +o default 2>/dev/null; '
          : `COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$current")); `;
    return `    ${names.join('|')}) ${give}return ;;`;
  })
  .join('\n')}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
      ${paths(places).join('|')}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${[...places]
  .map(
    ([path, place]) =>
      `    ${path || '""'}) candidates="${firstWords(place).join(' ')}"; options="${place.options.map(({ name }) => name).join(' ')}" ;;`,
  )
  .join('\n')}
  esac
  case "$current" in
    -*) candidates="$options" ;;
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _revgate revgate
`,
  zsh: (places: Places): string => `#compdef revgate
_revgate() {
  local at="" word current="$words[CURRENT]"
  local -a candidates options
  case "$words[CURRENT-1]" in
${optionsByValues(places)
  .map(([values, names]) => {
    const give =
      values === 'file'
        ? '_files; '
        : values === 'other'
          ? ''
          : `candidates=(${values.join(' ')}); _describe revgate candidates; `;
    return `    (${names.join('|')}) ${give}return ;;`;
  })
  .join('\n')}
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
      (${paths(places).join('|')}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${[...places]
  .map(([path, { commands, options, values }]) => {
    const described = (words: readonly Word[]): string =>
      words.map(({ name, about }) => quote(`${name}:${about.replaceAll(':', '\\:')}`)).join(' ');
    const others = typeof values === 'string' ? '' : ` ${values.join(' ')}`;
    return `    (${path || '""'}) candidates=(${described(commands)}${others}); options=(${described(options)}) ;;`;
  })
  .join('\n')}
  esac
  case "$current" in
    (-*) candidates=($options) ;;
  esac
  if (( $#candidates )); then _describe revgate candidates; else _files; fi
}
if [ "$funcstack[1]" = _revgate ]; then _revgate "$@"; else compdef _revgate revgate; fi
`,
  fish: (places: Places): string => `function __revgate_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    if contains -- "$at/$word" ${paths(places).join(' ')}
      set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
${[...places].flatMap(([path, place]) => fishLines(path, place)).join('\n')}
`,
};

/** The words that can follow a command, other than its options. */
function firstWords({ commands, values }: Place): string[] {
  return [...commands.map(({ name }) => name), ...(typeof values === 'string' ? [] : values)];
}

/** All but that of the program itself. */
function paths(places: Places): string[] {
  return [...places.keys()].filter((path) => path !== '');
}

function fishLines(path: string, { commands, options, values }: Place): string[] {
  const line = (rest: string): string => `complete -c revgate -n '__revgate_at "${path}"' ${rest}`;
  const about = (text: string): string => `-d ${quote(text, "\\'")}`;
  return [
    ...(values === 'file' ? [] : [line('-f')]),
    ...(typeof values === 'string' ? [] : [line(`-f -a '${values.join(' ')}'`)]),
    ...commands.map((word) => line(`-f -a ${word.name} ${about(word.about)}`)),
    ...options.map((option) => {
      const value =
        option.values === undefined
          ? ''
          : option.values === 'file'
            ? ' -r -F'
            : option.values === 'other'
              ? ' -x'
              : ` -x -a '${option.values.join(' ')}'`;
      return line(`-l ${option.name.slice(2)}${value} ${about(option.about)}`);
    }),
  ];
}

/** Quotes a word for a shell. */
function quote(text: string, escapedQuote = "'\\''"): string {
  return `'${text.replaceAll("'", escapedQuote)}'`;
}
