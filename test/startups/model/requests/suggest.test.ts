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
    ['AI', categories, 'ai'],
    ['ai', categories, undefined],
    ['revenue.mrr', fields, undefined],
    ['Developer Tools', categories, 'developer-tools'],
    ['DEVELOPER_TOOLS', categories, 'developer-tools'],
    ['E-Commerce', categories, 'ecommerce'],
    ['Health & Fitness', categories, 'health-fitness'],
    ['sass', categories, 'saas'],
    ['Stripe ', paymentProviders, 'stripe'],
    ['Lemon Squeezy', paymentProviders, 'lemonsqueezy'],
    ['App Store', paymentProviders, 'appstore'],
    ['B2C', targetAudiences, 'b2c'],
    ['Consumers', targetAudiences, 'b2c'],
    ['51 ', teamSizes, '51+'],
    ['2 – 5', teamSizes, '2-5'],
    ['VC funded', fundingStatuses, 'vc-funded'],
    ['REVENUE_DESC', startupSorts, 'revenue-desc'],
    ['minrevenue', parameters, 'minRevenue'],
    ['catgory', parameters, 'category'],
    ['x_handle', parameters, 'xHandle'],
    ['webiste', fields, 'website'],
    ['mrr', fields, 'revenue.mrr'],
    ['revenue.mmr', fields, 'revenue.mrr'],
    // Not close, or close to several.
    ['founders', parameters, undefined],
    ['id', fields, undefined],
    ['banking', categories, undefined],
    ['b2x', targetAudiences, undefined],
    ['7', teamSizes, undefined],
    ['25', teamSizes, undefined],
    ['', categories, undefined],
    ['$', categories, undefined],
    ['x'.repeat(1_000_000), categories, undefined],
  ])('for %j among %o is %j', (text, candidates, suggestion) => {
    expect(createSuggester(candidates)(text)).toBe(suggestion);
  });

  test('leads from every value and every label to the value, in any case', () => {
    for (const values of [categories, paymentProviders, targetAudiences, teamSizes, fundingStatuses]) {
      const suggest = createSuggester(values);
      for (const value of values) {
        expect(suggest(` ${value.toUpperCase()} `)).toBe(value);
        expect(suggest(labelOf(value)?.toUpperCase() ?? '')).toBe(value);
      }
    }
  });
});
