import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type SampleRandom, sampleRandom } from '../../../src/startups/sample/sample-random.ts';
import type { Answer } from '../../support/gateway.ts';
import { type Ask, type HeldKey, other, restList } from './asks.ts';
import { type Dataset, isExplained, type Model } from './model.ts';
import type { SoakNode } from './nodes.ts';
import type { Report } from './report.ts';

/** Clients, and the longest pause of each between two requests, in ms. */
const CLIENTS = 6;
const PAUSE_MS = 250;
/** The database is waited for at most three seconds; a busy machine adds to it. */
const PATIENCE_MS = 8_000;

/** Limits of the nodes: one that no key reaches, and one that is soon reached. */
export const LIMITS = { premium: 1_000_000, standard: 10 };

/** A request and its answer. */
interface Exchange {
  readonly ask: Ask;
  readonly answer: Answer;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The newest moment of the model that its node had certainly shown before. */
  readonly floor: number;
}

/** Requests everything from the nodes, and checks every answer. Returns what stops it. */
export function startLoad(model: Model, nodes: SoakNode[], main: HeldKey, keys: HeldKey[], report: Report) {
  /** The newest moment of the model that each node has certainly shown. */
  const shown = new Map<SoakNode, number>();
  let isOver = false;

  /** One request: half of them with the key that no action changes. */
  function next(random: SampleRandom): Ask {
    const turn = random.below(30);
    if (turn < 15) {
      return restList(random, main);
    }
    const key = random.pick(keys);
    return turn < 22 ? { ...restList(random, key), keyId: key.id } : other(random);
  }

  async function send(node: SoakNode, ask: Ask): Promise<void> {
    const process = node.process();
    const floor = shown.get(node) ?? 0;
    const sentAt = Date.now();
    const answer = await call(node, ask);
    const exchange = { ask, answer, sentAt, receivedAt: Date.now(), floor };
    report.answered(answer.status);
    const problem = judge(node, exchange);
    if (problem !== undefined) {
      report.violation(`node ${process}: ${problem}\n${JSON.stringify(exchange)}`);
    }
  }

  /** @returns what is wrong. */
  function judge(node: SoakNode, exchange: Exchange): string | undefined {
    const { ask, answer, sentAt, receivedAt, floor } = exchange;
    const { status } = answer;
    if (status === 429) {
      return 'it is over no limit';
    }
    if (status === 0 || status === 503) {
      const ofReady = ask.path === '/ready' ? node.drains : model.databaseOutages;
      const outages = status === 0 ? node.outages : ofReady;
      return isExplained(outages, sentAt, receivedAt) ? undefined : 'nothing that it needs is away';
    }
    const moments = model.moments(sentAt, receivedAt);
    if (ask.keyId !== undefined) {
      const { keyId } = ask;
      const wanted = moments.map(({ world }) => world.keys.get(keyId) ?? 401);
      const isRefusal = status === 401 || status === 403;
      if (!wanted.some((one) => one === (isRefusal ? status : 200))) {
        return `the key has the status ${wanted}`;
      }
      if (isRefusal) {
        return undefined;
      }
    }
    // Several can fit: restored data is a later moment with the same data.
    const judged = moments.map((moment) => ({ moment, problem: problemOf(exchange, moment.world.dataset) }));
    const fitting = judged.filter(({ problem }) => problem === undefined);
    const found = fitting.filter(({ moment }) => moment.index >= floor).at(-1)?.moment;
    if (found !== undefined) {
      shown.set(node, Math.max(shown.get(node) ?? 0, found.index));
      return undefined;
    }
    return fitting.length > 0
      ? 'the node has shown later data before'
      : judged.map(({ moment, problem }) => `v${moment.world.dataset.version}: ${problem}`).join();
  }

  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const random = sampleRandom(model.seed + 1, index);
    while (!isOver) {
      await send(random.pick(nodes), next(random));
      await wait(random.below(PAUSE_MS));
    }
  });
  const stop = (): Promise<unknown> => {
    isOver = true;
    return Promise.all(clients);
  };
  onTestFinished(async () => void (await stop()));
  return stop;
}

function problemOf({ ask, answer }: Exchange, dataset: Dataset): string | undefined {
  try {
    return ask.judge(answer, dataset);
  } catch (error) {
    // A part of the answer is missing.
    return String(error);
  }
}

/** Sends a request, from an address of its own, as addresses have limits, too. Status 0 is no answer. */
export async function call(node: SoakNode, { path, headers }: Ask): Promise<Answer> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  try {
    const response = await fetch(`${node.url()}${path}`, {
      headers: { ...headers, 'x-forwarded-for': address },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const json = /^[{[]/.test(text) ? JSON.parse(text) : undefined;
    const { status, headers: found } = response;
    return { status, headers: Object.fromEntries(found), cookies: [], text, json };
  } catch (error) {
    return { status: 0, headers: {}, cookies: [], text: String(error), json: undefined };
  }
}
