import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/access/limits/tiers.ts';
import { openApiDocument } from '../../../src/api/rest/openapi.ts';
import {
  type RecordedResponse,
  requestsOf,
  SAMPLE_ORIGIN,
  type Sample,
} from '../../../src/web/docs/sample-requests.ts';
import type { SampleRequest } from '../../../src/web/shared/code-samples.ts';
import { allSamples, openSampleGateway, withoutDatabase } from './sample-gateway.ts';

/** Every response has another one. */
const REQUEST_ID = '5f0c2a4e-8d1b-4c3a-9e6f-7a2b1c0d9e8f';
const shownHeaders = Object.keys(openApiDocument(DEFAULT_LIMITS).components.headers);

const gateway = await openSampleGateway(() => SAMPLE_ORIGIN);

async function send({ path, headers = {}, body }: SampleRequest, key: string | undefined) {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return gateway.call(path, {
    method: body === undefined ? 'GET' : 'POST',
    key,
    headers: { ...type, ...lower },
    body: body === undefined ? '' : JSON.stringify(body),
  });
}

async function record(request: SampleRequest, sample: Sample): Promise<RecordedResponse> {
  const key = sample.isAnonymous ? undefined : await gateway.sampleKey(sample);
  const { status, headers, text } = await send(request, key);
  const own = text.replaceAll(headers['x-request-id'] ?? '', REQUEST_ID);
  const body = withoutDatabase(own);
  const shown = shownHeaders.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined || (name === 'ETag' && body !== own)
      ? []
      : [[name, name === 'X-Request-Id' ? REQUEST_ID : value]];
  });
  return {
    status,
    headers: Object.fromEntries(shown),
    ...(body === '' ? {} : { body: JSON.parse(body) }),
  };
}

// Where they differ: npm run generate
it('the responses of the reference are what the gateway gives on the sample data', async () => {
  const recorded: Record<string, { rest?: RecordedResponse; graphql?: RecordedResponse }> = {};
  const etagOf = (id: string): string => recorded[id]?.rest?.headers.ETag ?? '';
  for (const sample of allSamples) {
    const { id, status = 200 } = sample;
    const { rest, graphql } = requestsOf(sample, etagOf);
    const responses = {
      ...(rest === undefined ? {} : { rest: await record(rest, sample) }),
      ...(graphql === undefined ? {} : { graphql: await record(graphql, sample) }),
    };
    recorded[id] = responses;
    expect(responses.rest?.status ?? status, id).toBe(status);
    // Errors of the operation come with 200 to clients of plain JSON.
    expect(responses.graphql?.status ?? status, id).toBe(status === 400 ? 200 : status);
    // What is shown exists.
    if (status === 200) {
      expect(JSON.stringify(responses), id).not.toMatch(/"errors"|"(data|nodes|page|edges)":(null|\[\])/);
    }
  }
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot(
    '../../../assets/recorded/responses.json',
  );
});
