import type { Service } from '../../../lib/text/service.ts';
import type { Html } from '../../shared/jsx.ts';
import type { Form } from '../page.ts';
import type { EmbedSubject, Shape } from './embed-subjects.ts';

/** The attribute of an element that names what it shows. */
const attributeOf = { list: 'columns', figures: 'figures', chart: 'value' } as const;

/** The rows that a list has room for without the attribute. */
export const USUAL_ROWS = 10;

/** A value of an attribute, and its label. */
type Option = readonly [value: string, label: string];

/** The attributes of an element that say what it shows, and how. None is empty. */
export type Attributes = Readonly<Record<string, string>>;

const themes: readonly Option[] = [
  ['', 'As the page'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** The first is that of the operator's service, if it has one. */
function accents({ name, accent }: Service): readonly Option[] {
  const own: Option[] =
    accent === undefined
      ? []
      : [
          [
            accent.light === accent.dark ? accent.light : `light-dark(${accent.light}, ${accent.dark})`,
            `Color of ${name}`,
          ],
        ];
  return [...own, ['', 'Green'], ['currentColor', 'Text color']];
}

/** The option with a value, or the first. */
const optionOf = (options: readonly Option[], value = options[0]?.[0]): string =>
  options.some(([one]) => one === value) ? (value ?? '') : '';

/**
 * Reads the attributes from the form; before it is sent, they are the usual ones. What is unknown is not used, as it becomes
 * a part of the snippet.
 */
export function readAttributes(form: Form, subject: EmbedSubject, service: Service): Attributes {
  const { choices, shape, usual, rows } = subject;
  const { theme, accent } = form;
  const chosen = choices
    .map(({ path }) => path)
    .filter((path) => (shape === 'chart' ? form.value === path : form[`show.${path}`] !== undefined));
  const attributes = {
    rows: rows === undefined || rows === USUAL_ROWS ? '' : String(rows),
    [attributeOf[shape]]: (chosen.length === 0 ? usual : chosen).join(','),
    theme: optionOf(themes, theme),
    accent: optionOf(accents(service), accent),
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

/** What an element with these attributes shows. */
export function chosenPaths(shape: Shape, attributes: Attributes): string[] {
  return attributes[attributeOf[shape]]?.split(',') ?? [];
}

/** What is shown: boxes to check, or the one line of a chart. */
export function choiceControls({ shape, choices }: EmbedSubject, attributes: Attributes): Html {
  const chosen = chosenPaths(shape, attributes);
  return shape === 'chart' ? (
    <div class="field">
      <label for="value">Line</label>
      {select(
        'value',
        choices.map(({ path, label }): Option => [path, label]),
        chosen[0],
      )}
    </div>
  ) : (
    <fieldset class="boxes">
      <legend>{shape === 'list' ? 'Columns' : 'Figures'}</legend>
      {choices.map(({ path, label }) => (
        <label class="choice">
          <input
            type="checkbox"
            name={`show.${path}`}
            value={path}
            data-attribute={attributeOf[shape]}
            checked={chosen.includes(path)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** Theme and accent. */
export function lookControls(service: Service, { theme, accent }: Attributes): Html {
  return (
    <div class="looks">
      <div class="field">
        <label for="theme">Theme</label>
        {select('theme', themes, theme)}
      </div>
      <div class="field">
        <label for="accent">Accent</label>
        {select('accent', accents(service), accent)}
      </div>
    </div>
  );
}

function select(name: string, options: readonly Option[], chosen = ''): Html {
  return (
    <select id={name} name={name} data-attribute={name}>
      {options.map(([value, label]) => (
        <option value={value} selected={value === chosen}>
          {label}
        </option>
      ))}
    </select>
  );
}
