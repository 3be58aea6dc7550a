/**
 * What a field's value is, wherever it appears:
 * - `string`: free text, at most `maxLength` UTF-16 units;
 * - `slug`: lower-case words of letters and digits joined by single dashes;
 * - `url`: an absolute http or https address;
 * - `country`: an ISO 3166-1 alpha-2 code;
 * - `date`: an instant, ISO 8601 in UTC with milliseconds;
 * - `choice`: one of `values`;
 * - `handle`: a social network's user name without the leading @;
 * - `texts` and `handles`: a list of them, empty where there is none;
 * - `cents`: an integer amount of US cents;
 * - `count`: an integer;
 * - `percent`: a number where 24 means 24%;
 * - `ratio`: a number without a unit, or of cents per something;
 * - `boolean`.
 */
export type StartupFieldKind =
  | 'string'
  | 'slug'
  | 'url'
  | 'country'
  | 'date'
  | 'choice'
  | 'handle'
  | 'texts'
  | 'handles'
  | 'cents'
  | 'count'
  | 'percent'
  | 'ratio'
  | 'boolean';
