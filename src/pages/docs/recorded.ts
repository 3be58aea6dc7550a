import { readFileSync } from 'node:fs';
import type { SampleId } from './sample-requests.ts';

/** The recorded response to a sample. */
export interface RecordedResponse {
  readonly status: number;
  /** Those of the OpenAPI document. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there is none. */
  readonly body?: unknown;
}

/** The responses to each sample, over REST and over GraphQL. */
export type RecordedResponses = Readonly<
  Record<SampleId, { readonly rest?: RecordedResponse; readonly graphql?: RecordedResponse }>
>;

/** Reads what `test/pages/docs/responses.test.ts` recorded. */
export function readRecordedResponses(): RecordedResponses {
  return JSON.parse(
    readFileSync(new URL('../../../assets/recorded/responses.json', import.meta.url), 'utf8'),
  );
}
