import type { NamedStartupField } from '../../../startups/fields.ts';
import { Figures } from '../../shared/components.tsx';
import { wordsOf } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { columns } from './columns.tsx';
import { showField } from './fields.tsx';
import { detailFields, type ShownStartup } from './requests.ts';

/** The fields that are shown in the heading of the page and the text below it. */
const apart = new Set<string>(['name', 'description']);
const above = columns.filter(({ fields, isText, isChosen }) => fields.length === 1 && !isText && !isChosen);
const shownAbove = new Set<string>(above.flatMap(({ fields }) => fields));

/** All fields of the detail record, with their descriptions. */
export function startupDetails(record: ShownStartup): Html {
  const description = detailFields.find(({ path }) => path === 'description') as NamedStartupField;
  const others = detailFields.filter(({ path }) => !apart.has(path) && !shownAbove.has(path));
  return (
    <>
      {record.description != null && <p class="lead">{showField(record, description)}</p>}
      <Figures figures={above.map(({ heading, cell }) => [heading, cell(record, 0)])} />
      <section class="card">
        <h2>All fields</h2>
        <dl class="facts">
          {others.map((field) => (
            <>
              <dt title={field.description}>{wordsOf(field.path)}</dt>
              <dd>{showField(record, field)}</dd>
            </>
          ))}
        </dl>
        <details class="help">
          <summary>What the fields mean</summary>
          <dl class="columns small">
            {detailFields.map(({ path, description }) => (
              <div>
                <dt>
                  {wordsOf(path)} <code>{path}</code>
                </dt>
                <dd class="soft">{description}</dd>
              </div>
            ))}
          </dl>
        </details>
      </section>
    </>
  );
}
