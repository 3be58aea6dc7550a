import type { Service } from '../../../service/service.ts';
import type { Html } from '../../shared/jsx.ts';
import type { Form } from '../page.ts';
import type { EmbedSubject } from './embed-subjects.ts';

/** The attribute of an element that names what it shows. */
const attributeOf = { list: 'columns', figures: 'figures', chart: 'value' } as const;

/** What can be set of an element's look, each an attribute, with its values and their labels. */
type Option = readonly [value: string, label: string];

/** The look of an element, and what it shows. */
export interface EmbedSettings {
  readonly chosen: readonly string[];
  readonly theme: string;
  readonly accent: string;
  /** Pixels; empty: as wide as its place. */
  readonly width: string;
}

const themes: readonly Option[] = [
  ['', 'Colors of your page'],
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
  return [...own, ['', 'Green'], ['currentColor', 'Color of the text']];
}

const has = (options: readonly Option[], value: string): boolean => options.some(([one]) => one === value);

/** Reads the settings from the form that was sent. What is unknown is not used, as it becomes a part of the snippet. */
export function readSettings(form: Form, subject: EmbedSubject, service: Service): EmbedSettings {
  const { choices, shape, usual } = subject;
  const { theme = '', accent = '', width = '' } = form;
  const chosen = choices
    .map(({ path }) => path)
    .filter((path) => (shape === 'chart' ? form.value === path : form[`show.${path}`] !== undefined));
  return {
    chosen: chosen.length === 0 ? usual : chosen,
    theme: has(themes, theme) ? theme : '',
    accent: has(accents(service), accent) ? accent : '',
    width: /^\d{3,4}$/.test(width) ? width : '',
  };
}

/** The settings until people change them. */
export function usualSettings({ usual }: EmbedSubject, service: Service): EmbedSettings {
  return { chosen: usual, theme: '', accent: accents(service)[0]?.[0] ?? '', width: '' };
}

/** The attributes of an element with these settings. */
export function attributesOf(
  { shape, rows }: Pick<EmbedSubject, 'shape' | 'rows'>,
  { chosen, theme, accent, width }: EmbedSettings,
): Readonly<Record<string, string>> {
  const attributes = {
    rows: rows === undefined || rows === 10 ? '' : String(rows),
    [attributeOf[shape]]: chosen.join(','),
    theme,
    accent,
    width,
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

/** What is shown: boxes to check, or the one line of a chart. */
export function choiceControls({ shape, choices }: EmbedSubject, { chosen }: EmbedSettings): Html {
  return shape === 'chart' ? (
    <div class="field">
      <label for="value">Line</label>
      {select(
        'value',
        choices.map(({ path, label }): Option => [path, label]),
        chosen[0] ?? '',
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

/** Theme, accent and width. */
export function lookControls(service: Service, { theme, accent, width }: EmbedSettings): Html {
  return (
    <>
      <div class="field">
        <label for="theme">Theme</label>
        {select('theme', themes, theme)}
      </div>
      <div class="field">
        <label for="accent">Accent</label>
        {select('accent', accents(service), accent)}
      </div>
      <div class="field">
        <label for="width">Width in pixels</label>
        <input
          id="width"
          name="width"
          data-attribute="width"
          type="number"
          min="100"
          max="4000"
          placeholder="That of its place"
          value={width}
        />
      </div>
    </>
  );
}

function select(name: string, options: readonly Option[], chosen: string): Html {
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
