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
  const usual: Option[] = [
    ['', 'Green'],
    ['currentColor', 'Text color'],
  ];
  if (accent === undefined) {
    return usual;
  }
  const { light, dark } = accent;
  return [[light === dark ? light : `light-dark(${light}, ${dark})`, `Color of ${name}`], ...usual];
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
export const shownPaths = (shape: Shape, attributes: Attributes): string[] =>
  attributes[attributeOf[shape]]?.split(',') ?? [];

/** What can be chosen: boxes to check, or the one line of a chart; theme and accent. */
export function controls(
  { shape, choices }: EmbedSubject,
  attributes: Attributes,
  service: Service,
): readonly Html[] {
  const shown = shownPaths(shape, attributes);
  const lines = choices.map(({ path, label }): Option => [path, label]);
  return [
    shape === 'chart' ? (
      select('value', 'Line', lines, shown[0])
    ) : (
      <fieldset class="boxes">
        <legend>{shape === 'list' ? 'Columns' : 'Figures'}</legend>
        {lines.map(([path, label]) => (
          <label class="choice">
            <input
              type="checkbox"
              name={`show.${path}`}
              value={path}
              data-attribute={attributeOf[shape]}
              checked={shown.includes(path)}
            />
            {label}
          </label>
        ))}
      </fieldset>
    ),
    <div class="looks">
      {select('theme', 'Theme', themes, attributes.theme)}
      {select('accent', 'Accent', accents(service), attributes.accent)}
    </div>,
  ];
}

const select = (name: string, label: string, options: readonly Option[], chosen = ''): Html => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name} data-attribute={name}>
      {options.map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </div>
);
