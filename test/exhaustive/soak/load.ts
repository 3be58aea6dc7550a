import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type SampleRandom, sampleRandom } from '../../../src/startups/sample/sample-random.ts';
import type { Answer } from '../../support/gateway.ts';
import { type Ask, type Fixed, type HeldKey, hasSlug, other, restList, walkPage } from './asks.ts';
import { type Dataset, isExplained, type Model } from './model.ts';
import type { SoakNode } from './nodes.ts';
import type { Report } from './report.ts';

/** Clients, and the longest pause of each between two requests, in ms. */
const CLIENTS = 6;
const PAUSE_MS = 250;
/** The database is waited for at most three seconds; a busy machine adds to it. */
const PATIENCE_MS = 8_000;
/** Answers that are kept, to be requested again by their tags. */
const KEPT = 100;

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
export function startLoad(model: Model, nodes: SoakNode[], fixed: Fixed, keys: HeldKey[], report: Report) {
  /** The newest moment of the model that each node has certainly shown. */
  const shown = new Map<SoakNode, number>();
  const kept: { ask: Ask; answer: Answer }[] = [];
  let isOver = false;

  /** One request, or several that belong together. */
  async function once(random: SampleRandom, node: SoakNode): Promise<void> {
    const turn = random.below(33);
    if (turn < 12) {
      await list(random, node);
    } else if (turn < 15) {
      await walk(random);
    } else if (turn < 22) {
      const key = random.pick(keys);
      await send(node, { ...restList(random, key), keyId: key.id });
    } else {
      await send(node, other(random, fixed));
    }
  }

  /** A list, often one that was requested before, by its tag: a 304 has to be right where the kept answer would be. */
  async function list(random: SampleRandom, node: SoakNode): Promise<void> {
    const { ask, answer: before } = (random.chance(0.5) ? random.pick(kept) : undefined) ?? {
      ask: restList(random, fixed.main),
      answer: undefined,
    };
    const sent = await send(node, {
      ...ask,
      headers: { ...ask.headers, ...(before && { 'if-none-match': before.headers.etag ?? '' }) },
      judge: (answer, dataset) => ask.judge(answer.status === 304 && before ? before : answer, dataset),
    });
    if (sent?.answer.status === 200) {
      kept.push({ ask, answer: sent.answer });
      kept.splice(0, kept.length - KEPT);
    }
  }

  /** A whole list by its cursors, each page from any node: no startup twice, and none missing that stayed. */
  async function walk(random: SampleRandom): Promise<void> {
    const sort = random.pick(['LISTED_DESC', 'GROWTH_ASC']);
    const datasets = new Set<Dataset>();
    const slugs: string[] = [];
    for (let after: string | null = null, isLast = false; !isLast; ) {
      const sent = await send(random.pick(nodes), walkPage(fixed.main, sort, after));
      if (sent === undefined || isOver) {
        return;
      }
      datasets.add(sent.dataset);
      const { nodes: found, pageInfo } = sent.answer.json.data.startups;
      slugs.push(...found.map(({ slug }: { slug: string }) => slug));
      after = pageInfo.endCursor;
      isLast = !pageInfo.hasNextPage;
    }
    const [first, ...others] = datasets;
    const missed = first?.records.filter(
      ({ slug }) => !slugs.includes(slug) && others.every(({ records }) => records.some(hasSlug(slug))),
    );
    if (new Set(slugs).size < slugs.length || missed?.length !== 0) {
      report.violation(`a walk by ${sort} found ${slugs}, but not ${missed?.map(({ slug }) => slug)}`);
    }
  }

  /** @returns the answer and the dataset that it is from; undefined for none, a 429, a 503 or a key that is refused. */
  async function send(node: SoakNode, ask: Ask): Promise<{ answer: Answer; dataset: Dataset } | undefined> {
    const process = node.process();
    const floor = shown.get(node) ?? 0;
    const sentAt = Date.now();
    const answer = await call(node, ask);
    const exchange = { ask, answer, sentAt, receivedAt: Date.now(), floor };
    report.answered(answer.status);
    const found = judge(node, exchange);
    if (typeof found === 'string') {
      report.violation(`node ${process}: ${found}\n${JSON.stringify(exchange)}`);
    }
    return typeof found === 'object' ? { answer, dataset: found } : undefined;
  }

  /** @returns what is wrong, or the dataset that the answer is from; undefined for another answer that is right. */
  function judge(node: SoakNode, exchange: Exchange): string | Dataset | undefined {
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
      return found.world.dataset;
    }
    return fitting.length > 0
      ? 'the node has shown later data before'
      : judged.map(({ moment, problem }) => `v${moment.world.dataset.version}: ${problem}`).join();
  }

  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const random = sampleRandom(model.seed + 1, index);
    while (!isOver) {
      await once(random, random.pick(nodes));
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
export async function call(node: SoakNode, { method = 'GET', path, headers, body }: Ask): Promise<Answer> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  try {
    const response = await fetch(`${node.url()}${path}`, {
      method,
      headers: { ...headers, 'x-forwarded-for': address },
      body: body ?? null,
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
