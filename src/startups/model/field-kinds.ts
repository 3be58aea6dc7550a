/** What a field's value is, wherever it appears. */
export type StartupFieldKind =
  | 'string' // Free text, at most `maxLength` UTF-16 units.
  | 'slug' // Lower-case words of letters and digits joined by single dashes.
  | 'url' // An absolute http or https address.
  | 'country' // An ISO 3166-1 alpha-2 code.
  | 'date' // An instant, ISO 8601 in UTC with milliseconds.
  | 'choice' // One of `values`.
  | 'handle' // A social network's user name without the leading @.
  | 'texts' // A list of texts, empty where there is none.
  | 'handles' // A list of handles, empty where there is none.
  | 'cents' // An integer amount of US cents.
  | 'count' // An integer.
  | 'percent' // A number where 24 means 24%.
  | 'ratio' // A number without a unit, or of cents per something.
  | 'boolean';
