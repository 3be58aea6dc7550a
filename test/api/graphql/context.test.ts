import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GraphQLContext } from '../../../src/api/graphql/execution/context.ts';

/** The context of an operation whose client disconnects when `disconnect` is aborted. */
function openContext() {
  const disconnect = new AbortController();
  const request = {
    id: 'a request',
    get isDisconnected() {
      return disconnect.signal.aborted;
    },
    disconnected: () => disconnect.signal,
  };
  const context = new GraphQLContext(
    {
      cost: 1,
      totals: new Set<string>(),
      requests: new Map(),
      plannedAt: 0,
      coerced: {},
      prepared: undefined,
      params: { variables: {} },
    },
    { ownerId: 'a key' },
    request,
    {} as never,
    {} as never,
  );
  return { context, disconnect };
}

describe('reads of the database by one operation', () => {
  it('begin one after another, and none after one has failed', async () => {
    const { context } = openContext();
    const begun: number[] = [];
    let running = 0;
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map((number) =>
        context.read(async () => {
          begun.push(number);
          running += 1;
          expect(running).toBe(1);
          await new Promise(setImmediate);
          running -= 1;
          return number < 3 ? number : Promise.reject(new Error(`no ${number}`));
        }),
      ),
    );
    expect(begun).toEqual([1, 2, 3]);
    const failed = { status: 'rejected', reason: new Error('no 3') };
    expect(results).toMatchObject([{ value: 1 }, { value: 2 }, failed, failed]);
  });

  it.each<[string, (opened: ReturnType<typeof openContext>) => void, string]>([
    ['the client disconnects', ({ disconnect }) => disconnect.abort(), 'This operation was aborted'],
    ['the operation ends', ({ context }) => context.end(), 'The operation has ended'],
  ])('end at once when %s, and none begins that waited for others', async (_when, end, message) => {
    const opened = openContext();
    let begun = 0;
    const read = (): Promise<never> =>
      opened.context.read(() => {
        begun += 1;
        return new Promise(() => {});
      });
    const results = Promise.allSettled([read(), read()]);
    await new Promise(setImmediate);
    end(opened);
    const rejection = { status: 'rejected', reason: { name: 'AbortError', message } };
    expect(await results).toMatchObject([rejection, rejection]);
    await expect(read()).rejects.toThrow(message);
    expect(begun).toBe(1);
  });
});

describe('work of an operation that waits for its turn', () => {
  it('ends with the operation, which has no catalogue any more', () => {
    const { context } = openContext();
    expect(() => context.throwIfAborted()).not.toThrow();
    context.end();
    const error = expect.objectContaining({ name: 'AbortError', message: 'The operation has ended' });
    expect(() => context.catalogue).toThrow(error);
    expect(() => context.throwIfAborted()).toThrow(error);
  });

  it('ends when the client disconnects', () => {
    const { context, disconnect } = openContext();
    disconnect.abort();
    expect(() => context.throwIfAborted()).toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it('ends three seconds after the operation began', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { context } = openContext();
    vi.advanceTimersByTime(3_000);
    expect(() => context.throwIfAborted()).not.toThrow();
    vi.advanceTimersByTime(1);
    expect(() => context.throwIfAborted()).toThrow(expect.objectContaining({ name: 'TimeoutError' }));
  });
});
