import { describe, expect, test } from 'vitest';
import { startupFieldList } from '../../../../src/startups/model/fields.ts';
import { listParameters } from '../../../../src/startups/model/requests/list-parameters.ts';
import { createSuggester } from '../../../../src/startups/model/requests/suggest.ts';
import {
  categories,
  fundingStatuses,
  labelOf,
  paymentProviders,
  startupSorts,
  targetAudiences,
  teamSizes,
} from '../../../../src/startups/model/vocabulary.ts';

const parameters = Object.keys(listParameters);
const fields = startupFieldList.map(({ path }) => path);

describe('a suggestion', () => {
  test.each<[text: string, candidates: readonly string[], suggestion: string | undefined]>([
    ['Artificial Intelligence', categories, 'ai'],
    ['artificial inteligence', categories, 'ai'],
    ['ai', categories, undefined],
    ['revenue.mrr', fields, undefined],
    ['DEVELOPER_TOOLS', categories, 'developer-tools'],
    ['sass', categories, 'saas'],
    ['Stripe ', paymentProviders, 'stripe'],
    ['App Store', paymentProviders, 'appstore'],
    ['Consumers', targetAudiences, 'b2c'],
    ['51 ', teamSizes, '51+'],
    ['2 – 5', teamSizes, '2-5'],
    ['REVENUE_DESC', startupSorts, 'revenue-desc'],
    ['x_handle', parameters, 'xHandle'],
    ['webiste', fields, 'website'],
    ['revenue.mmr', fields, 'revenue.mrr'],
    // Not close, or close to several.
    ['founders', parameters, undefined],
    ['banking', categories, undefined],
    ['7', teamSizes, undefined],
    ['', categories, undefined],
    ['x'.repeat(1_000_000), categories, undefined],
  ])('case %# is what is close, or none', (text, candidates, suggestion) => {
    expect(createSuggester(candidates)(text)).toBe(suggestion);
  });

  test.each(Object.entries({ categories, paymentProviders, targetAudiences, teamSizes, fundingStatuses }))(
    'leads from every value and every label of %s to the value, in any case',
    (_, values) => {
      const suggest = createSuggester(values);
      for (const value of values) {
        expect(suggest(` ${value.toUpperCase()} `)).toBe(value);
        expect(suggest(labelOf(value)?.toUpperCase() ?? '')).toBe(value);
      }
    },
  );
});
