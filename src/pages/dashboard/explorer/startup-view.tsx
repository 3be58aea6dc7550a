import type { NamedStartupField, StartupFieldPath } from '../../../startups/fields.ts';
import { labelOf } from '../../../startups/vocabulary.ts';
import { Badge, monogram } from '../../shared/components.tsx';
import { count, money, times, wordsOf } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { isStale, sinceText } from '../../shared/time.tsx';
import { fieldHeading, paybackText } from './columns.tsx';
import { hasValue, showField } from './fields.tsx';
import { EXPLORER_PATH } from './query.ts';
import { detailFields, type ShownStartup } from './requests.ts';

/** The facts in their groups. What is in none of them is in the last one. */
const groups: readonly (readonly [title: string, ...fields: StartupFieldPath[]])[] = [
  [
    'Revenue',
    'revenue.last30Days',
    'revenue.mrr',
    'revenue.total',
    'growth30d',
    'growthMRR30d',
    'profitMarginLast30Days',
    'rank',
    'paymentProvider',
    'isMerchantOfRecord',
    'verifiedAt',
  ],
  [
    'Customers',
    'customers',
    'activeSubscriptions',
    'targetAudience',
    'targetPersona',
    'pricingModel',
    'visitorsLast30Days',
    'revenuePerVisitor',
    'googleSearchImpressionsLast30Days',
  ],
  ['Sale', 'askingPrice', 'previousAskingPrice', 'askingPriceChangedAt', 'multiple', 'firstListedForSaleAt'],
  ['Company'],
];

/** What the heading of the page and the texts below it show. */
const apart = ['name', 'slug', 'icon', 'description', 'website', 'onSale', 'founderMessage'];
const texts = ['valueProposition', 'problemSolved'] as const;

const labels: Readonly<Partial<Record<StartupFieldPath, string>>> = {
  'revenue.last30Days': 'Revenue, 30 days',
  'revenue.mrr': 'MRR',
  'revenue.total': 'Total revenue',
  growth30d: 'Revenue growth, 30 days',
  growthMRR30d: 'MRR growth, 30 days',
  profitMarginLast30Days: 'Profit margin, 30 days',
  paymentProvider: 'Verified by',
  isMerchantOfRecord: 'Merchant of record',
  verifiedAt: 'Last verified',
  visitorsLast30Days: 'Visitors, 30 days',
  googleSearchImpressionsLast30Days: 'Google impressions, 30 days',
  askingPriceChangedAt: 'Price changed',
  firstListedForSaleAt: 'First for sale',
  fundingStatus: 'Funding',
  foundedDate: 'Founded',
  xHandle: 'Founder on X',
  xFollowerCount: 'Followers on X',
  founderName: 'Founder',
};

/** What a field is called. */
export const labelOfField = (path: StartupFieldPath): string => labels[path] ?? wordsOf(path);
const fieldOf = new Map<string, NamedStartupField>(detailFields.map((field) => [field.path, field]));

/** What stands below the name of a startup: how its figures are verified, its price, and what it does. */
export function startupSummary(record: ShownStartup, now: number): Html {
  const { onSale, askingPrice, multiple, description, verifiedAt } = record;
  const provider = labelOf(String(record.paymentProvider));
  const payback = paybackText(record);
  const before = Number(record.previousAskingPrice ?? 0);
  return (
    <>
      <p class="actions badges">
        <Badge tone={typeof verifiedAt === 'string' && isStale(new Date(verifiedAt), now) ? 'warn' : 'good'}>
          ✓ Verified by {provider}
          {typeof verifiedAt === 'string' && `, ${sinceText(new Date(verifiedAt), now)}`}
        </Badge>
        {onSale && (
          <Badge>
            For sale
            {typeof askingPrice === 'number' && (
              <>
                {' · '}
                {before > askingPrice && (
                  <>
                    <s>{money(before)}</s>{' '}
                  </>
                )}
                {money(askingPrice)}
              </>
            )}
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

/** Everything else that is known of a startup, in groups. */
export function startupFacts(record: ShownStartup): Html {
  const grouped = new Set<string>([...apart, ...texts, ...groups.flatMap(([, ...paths]) => paths)]);
  const others = detailFields.filter(({ path }) => !grouped.has(path)).map(({ path }) => path);
  const { founderMessage } = record;
  return (
    <>
      <div class="card all-facts">
        {groups.map(([title, ...paths]) => (
          <FactGroup
            title={title}
            record={record}
            paths={title === 'Company' ? [...others, 'website'] : paths}
          />
        ))}
      </div>
      {(typeof founderMessage === 'string' || texts.some((path) => hasValue(record, path))) && (
        <section class="card text">
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
                {typeof record.founderName === 'string' ? record.founderName : 'The founder'}
              </footer>
            </blockquote>
          )}
        </section>
      )}
    </>
  );
}

function FactGroup({
  title,
  record,
  paths,
}: {
  readonly title: string;
  readonly record: ShownStartup;
  readonly paths: readonly StartupFieldPath[];
}): Html | null {
  const known = paths.flatMap((path) => {
    const field = fieldOf.get(path);
    return field !== undefined && hasValue(record, path) ? [field] : [];
  });
  return known.length === 0 ? null : (
    <section>
      <h2>{title}</h2>
      <dl class="facts">
        {known.map((field) => (
          <>
            <dt title={field.description}>{labelOfField(field.path)}</dt>
            <dd>{showField(record, field)}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

/** Startups that are like it, as cards. */
export function similarStartups(
  startups: readonly ShownStartup[],
  category: string,
  compare: (slugs: readonly string[]) => string,
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
              {similarFields.map((path) => {
                const field = fieldOf.get(path);
                return (
                  field !== undefined &&
                  hasValue(startup, path) && (
                    <div>
                      <dt>{fieldHeading(path)}</dt>
                      <dd>{showField(startup, field)}</dd>
                    </div>
                  )
                );
              })}
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
              {wordsOf(path)} <code>{path}</code>
            </dt>
            <dd class="soft">{description}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
