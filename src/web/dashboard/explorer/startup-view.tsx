import { labelOfField, shortLabelOf } from '../../../startups/model/field-labels.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { Badge, monogram } from '../../shared/components.tsx';
import { count, times } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { isStale, time } from '../../shared/time.tsx';
import { cellOf, paybackText } from './columns.tsx';
import { factGroups } from './facts.ts';
import { hasValue } from './fields.tsx';
import { EXPLORER_PATH } from './query.ts';
import { detailFields, type ShownStartup } from './requests.ts';

const texts = ['valueProposition', 'problemSolved'] as const;

/** What stands below the name of a startup: how its figures are verified, its price, and what it does. */
export function startupSummary(record: ShownStartup, now: number): Html {
  const { onSale, askingPrice, multiple, description, verifiedAt } = record;
  const verified = typeof verifiedAt === 'string' ? new Date(verifiedAt) : undefined;
  const payback = paybackText(record);
  return (
    <>
      <p class="actions badges">
        <Badge tone={verified !== undefined && isStale(verified, now) ? 'warn' : 'good'}>
          ✓ Verified by {labelOf(String(record.paymentProvider))}
          {verified !== undefined && <>, {time(verified)}</>}
        </Badge>
        {onSale && (
          <Badge>
            For sale
            {typeof askingPrice === 'number' && <> · {cellOf('askingPrice')(record, now)}</>}
            {typeof multiple === 'number' && <> · {times(multiple)}</>}
            {payback !== undefined && ` · payback ${payback}`}
          </Badge>
        )}
      </p>
      {typeof description === 'string' && <p class="lead">{description}</p>}
    </>
  );
}

/** Where a startup and its founder are. */
export function startupLinks({ website, xHandle }: ShownStartup): Html {
  return (
    <>
      {typeof website === 'string' && /^https?:\/\//i.test(website) && (
        <a class="button second" href={website} rel="noopener nofollow">
          Visit website
        </a>
      )}
      {typeof xHandle === 'string' && (
        <a class="button second" href={`https://x.com/${xHandle}`} rel="noopener nofollow">
          @{xHandle} on X
        </a>
      )}
    </>
  );
}

/** What the heading of a startup shows. */
const headed = (record: ShownStartup): readonly StartupFieldPath[] => [
  ...(['paymentProvider', 'verifiedAt', 'xHandle', 'onSale'] as const),
  ...(record.onSale ? (['askingPrice', 'multiple'] as const) : []),
];

/** Everything else that is known of a startup, in groups. @param drawn what the chart above shows. */
export function startupFacts(record: ShownStartup, drawn: readonly string[], now: number): Html {
  const above = new Set<string>([...headed(record), ...drawn]);
  const groups = factGroups.map(({ title, fields }) => ({
    title,
    known: fields.filter(({ path }) => !above.has(path) && hasValue(record, path)),
  }));
  const { founderMessage, founderName } = record;
  return (
    <>
      <div class="card all-facts">
        {groups
          .filter(({ known }) => known.length > 0)
          .map(({ title, known }) => (
            <section>
              <h2>{title}</h2>
              <dl class="facts">
                {known.map(({ path, description }) => (
                  <>
                    <dt title={description}>{labelOfField(path)}</dt>
                    <dd>{cellOf(path)(record, now)}</dd>
                  </>
                ))}
              </dl>
            </section>
          ))}
      </div>
      {(typeof founderMessage === 'string' || texts.some((path) => hasValue(record, path))) && (
        <section class="card about">
          <h2>About</h2>
          {texts.map(
            (path) =>
              hasValue(record, path) && (
                <p>
                  <strong>{labelOfField(path)}:</strong> {String(record[path])}
                </p>
              ),
          )}
          {typeof founderMessage === 'string' && (
            <blockquote>
              <p>{founderMessage}</p>
              <footer class="soft small">
                {typeof founderName === 'string' ? founderName : 'The founder'}
              </footer>
            </blockquote>
          )}
        </section>
      )}
    </>
  );
}

/** Startups that are like it, as cards. */
export function similarStartups(
  startups: readonly ShownStartup[],
  category: string,
  compare: (slugs: readonly string[]) => string,
  now: number,
): Html | null {
  return startups.length === 0 ? null : (
    <section class="card">
      <div class="heading sub">
        <h2>Similar in {category}</h2>
        <a href={compare(startups.map((one) => one.slug))}>Compare</a>
      </div>
      <ul class="bare similar">
        {startups.map((startup) => (
          <li>
            <strong>
              {monogram(startup.name)}
              <a href={`${EXPLORER_PATH}/${startup.slug}`}>{startup.name}</a>
            </strong>
            <dl>
              {similarFields.map(
                (path) =>
                  hasValue(startup, path) && (
                    <div>
                      <dt>{shortLabelOf(path)}</dt>
                      <dd>{cellOf(path)(startup, now)}</dd>
                    </div>
                  ),
              )}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}

const similarFields: readonly StartupFieldPath[] = ['revenue.mrr', 'growth30d', 'askingPrice'];

/** What each field means, for those who read them by the API. */
export function fieldsHelp(): Html {
  return (
    <details class="help">
      <summary>What the {count(detailFields.length)} fields mean in the API</summary>
      <dl class="columns small">
        {detailFields.map(({ path, description }) => (
          <div>
            <dt>
              {labelOfField(path)} <code>{path}</code>
            </dt>
            <dd class="soft">{description}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
