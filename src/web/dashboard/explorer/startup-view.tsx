import { labelOfField } from '../../../startups/model/field-labels.ts';
import { describeOwn, type OwnField, ownPath } from '../../../startups/model/own-fields.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { columnOf, paybackText, readField, showOwnField } from '../../parts/startups/columns.tsx';
import type { ShownStartup } from '../../parts/startups/documents.ts';
import { factGroups, factTexts } from '../../parts/startups/fact-groups.ts';
import { CodeBlock } from '../../shared/code-blocks.tsx';
import { Badge } from '../../shared/components.tsx';
import { times } from '../../shared/figures.tsx';
import type { Content } from '../../shared/jsx.ts';
import { isStale, time } from '../../shared/time.tsx';

/** What stands below the name of a startup: how its figures are verified, how it is for sale, and what it does. */
export function startupSummary(record: ShownStartup, now: number): Content {
  const { onSale, multiple, verifiedAt } = record;
  const description = readField(record, 'description');
  const verified = typeof verifiedAt === 'string' ? new Date(verifiedAt) : undefined;
  const payback = paybackText(record);
  return [
    <p class="actions badges">
      <Badge tone={verified !== undefined && isStale(verified, now) ? 'warn' : 'good'}>
        ✓ Verified by {labelOf(String(record.paymentProvider))}
        {verified !== undefined && <>, {time(verified)}</>}
      </Badge>
      {onSale && (
        <Badge tone="good">
          For sale
          {typeof multiple === 'number' && <> · {times(multiple)} revenue</>}
          {payback !== undefined && ` · payback ${payback}`}
        </Badge>
      )}
    </p>,
    typeof description === 'string' && <p class="lead">{description}</p>,
  ];
}

/** Where a startup and its founder are. */
export const startupLinks = ({ website, xHandle }: ShownStartup): Content =>
  Object.entries({
    Website: /^https?:\/\//i.test(String(website)) && website,
    [`@${xHandle} on X`]: typeof xHandle === 'string' && `https://x.com/${xHandle}`,
  }).map(
    ([label, url]) =>
      typeof url === 'string' && (
        <a class="button second" href={url} rel="noopener nofollow">
          {label}
        </a>
      ),
  );

/**
 * Everything else that is known of a startup, in groups, the declared fields last.
 *
 * @param drawn what the chart above shows.
 */
export function startupFacts(
  record: ShownStartup,
  drawn: readonly string[],
  own: readonly OwnField[],
  now: number,
): Content {
  const above = new Set<string>([
    'paymentProvider',
    'verifiedAt',
    'xHandle',
    'onSale',
    ...drawn,
    ...(record.onSale ? ['multiple'] : []),
  ]);
  const isKnown = (path: string): boolean => readField(record, path) !== null;
  const { founderMessage } = record;
  const knownOwn = own.filter(({ name }) => isKnown(ownPath(name)));
  const ownFacts = knownOwn.filter(({ kind }) => kind !== 'text');
  const ownTexts = knownOwn.filter(({ kind }) => kind === 'text');
  return [
    <div class="card all-facts">
      {factGroups.map(({ title, fields }) => {
        const known = fields.filter(({ path }) => !above.has(path) && isKnown(path));
        return (
          known.length > 0 && (
            <section>
              <h2>{title}</h2>
              <dl class="facts">
                {known.map(({ path, description }) => [
                  <dt title={description}>{labelOfField(path)}</dt>,
                  <dd>{columnOf(path).cell(record, now)}</dd>,
                ])}
              </dl>
            </section>
          )
        );
      })}
      {ownFacts.length > 0 && (
        <section>
          <h2>More</h2>
          <dl class="facts">
            {ownFacts.map((field) => [
              <dt title={describeOwn(field)}>{field.label}</dt>,
              <dd>{showOwnField(record, field)}</dd>,
            ])}
          </dl>
        </section>
      )}
    </div>,
    (['founderMessage', ...factTexts].some(isKnown) || ownTexts.length > 0) && (
      <section class="card about">
        <h2>About</h2>
        {factTexts.filter(isKnown).map((path) => (
          <p>
            <strong>{labelOfField(path)}:</strong> {String(record[path])}
          </p>
        ))}
        {ownTexts.map((field) => (
          <p>
            <strong>{field.label}:</strong> {showOwnField(record, field)}
          </p>
        ))}
        {isKnown('founderMessage') && (
          <blockquote>
            <p>{String(founderMessage)}</p>
            <footer class="soft small">{String(readField(record, 'founderName') ?? 'The founder')}</footer>
          </blockquote>
        )}
      </section>
    ),
  ];
}

/** The badge of a startup, with what to paste into a README or a page. */
export function startupBadge(origin: string, slug: string): Content {
  const path = `/badge/${slug}.svg`;
  const snippets = {
    Markdown: `![revenue](${origin}${path})`,
    HTML: `<img src="${origin}${path}" alt="revenue" height="20">`,
  };
  return [
    <p class="soft small">
      <img src={path} alt="Badge with the revenue of the last 30 days" height={20} /> Everyone can load this
      badge. Add <code>?figure=mrr</code> or <code>?figure=growth</code> for another figure.
    </p>,
    Object.entries(snippets).map(([language, text]) => (
      <CodeBlock id={`badge-${language.toLowerCase()}`} label={language} title={language}>
        {text}
      </CodeBlock>
    )),
  ];
}
