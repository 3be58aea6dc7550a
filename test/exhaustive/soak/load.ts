import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type SampleRandom, sampleRandom } from '../../../src/startups/import/sample-random.ts';
import {
  type Answer,
  type Ask,
  type Fixed,
  type HeldKey,
  other,
  restList,
  WALK_COST,
  walkPage,
} from './asks.ts';
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

interface LoadOptions {
  readonly model: Model;
  readonly nodes: readonly SoakNode[];
  readonly fixed: Fixed;
  /** Those that actions have created. */
  readonly keys: readonly HeldKey[];
  readonly report: Report;
  readonly seed: number;
}

/** Requests everything from the nodes, and checks every answer. */
export class Load {
  readonly #with: LoadOptions;
  /** The newest moment of the model that each node has certainly shown. */
  readonly #shown = new Map<SoakNode, number>();
  /** What was spent of the windows of metered keys. */
  readonly #spent = new Map<string, number>();
  readonly #kept: { ask: Ask; answer: Answer }[] = [];
  #isOver = false;

  constructor(options: LoadOptions) {
    this.#with = options;
  }

  /** Sends requests until it is stopped. */
  async run(): Promise<void> {
    const { nodes, seed } = this.#with;
    const client = async (index: number): Promise<void> => {
      const random = sampleRandom(seed + 1, index);
      while (!this.#isOver) {
        await this.#once(random, random.pick(nodes));
        await wait(random.below(PAUSE_MS));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  }

  stop(): void {
    this.#isOver = true;
  }

  /** One request, or several that belong together. */
  async #once(random: SampleRandom, node: SoakNode): Promise<void> {
    const { nodes, fixed, keys } = this.#with;
    const turn = random.below(35);
    if (turn < 12) {
      await this.#list(random, node);
    } else if (turn < 15) {
      await this.#walk(random);
    } else if (turn < 22) {
      const key = random.pick(keys);
      await this.#send(node, { ...restList(random, key), keyId: key.id });
    } else if (turn < 24) {
      const key = random.pick(fixed.metered);
      const ask = random.chance(0.6) ? restList(random, key) : walkPage(key, 'LISTED_DESC', null);
      // At once, on all nodes.
      await Promise.all(nodes.map((one) => this.#send(one, { ...ask, isMetered: true })));
    } else {
      await this.#send(node, other(random, fixed));
    }
  }

  /** A list, often one that was requested before, by its tag: a 304 has to be right where the kept answer would be. */
  async #list(random: SampleRandom, node: SoakNode): Promise<void> {
    const { ask, answer: kept } = (random.chance(0.5) ? random.pick(this.#kept) : undefined) ?? {
      ask: restList(random, this.#with.fixed.main),
      answer: undefined,
    };
    const sent = await this.#send(node, {
      ...ask,
      headers: { ...ask.headers, ...(kept && { 'if-none-match': kept.headers.etag ?? '' }) },
      judge: (answer, dataset) => ask.judge(answer.status === 304 && kept ? kept : answer, dataset),
    });
    if (sent?.answer.status === 200) {
      this.#kept.push({ ask, answer: sent.answer });
      this.#kept.splice(0, this.#kept.length - KEPT);
    }
  }

  /** A whole list by its cursors, each page from any node: no startup twice, and none missing that stayed. */
  async #walk(random: SampleRandom): Promise<void> {
    const { fixed, nodes, report } = this.#with;
    const sort = random.pick(['LISTED_DESC', 'GROWTH_ASC']);
    const datasets = new Set<Dataset>();
    const slugs = new Set<string>();
    for (let after: string | null = null, isLast = false; !isLast; ) {
      const sent = await this.#send(random.pick(nodes), walkPage(fixed.main, sort, after));
      if (sent === undefined || this.#isOver) {
        return;
      }
      const { answer, dataset } = sent;
      datasets.add(dataset);
      const { nodes: found, pageInfo } = answer.json.data.startups;
      for (const { slug } of found) {
        if (slugs.has(slug)) {
          report.violation(`a walk by ${sort} found ${slug} twice`);
        }
        slugs.add(slug);
      }
      after = pageInfo.endCursor;
      isLast = !pageInfo.hasNextPage;
    }
    const [first, ...others] = datasets;
    for (const { slug } of first?.records ?? []) {
      if (!slugs.has(slug) && others.every(({ bySlug }) => bySlug.has(slug))) {
        report.violation(`a walk by ${sort} missed ${slug}`);
      }
    }
  }

  /** @returns the answer and the dataset that it is from; undefined for none, a 429, a 503 or a key that is refused. */
  async #send(node: SoakNode, ask: Ask): Promise<{ answer: Answer; dataset: Dataset } | undefined> {
    const { report } = this.#with;
    const process = `${node.name} ${node.starts}`;
    const floor = this.#shown.get(node) ?? 0;
    const sentAt = Date.now();
    const answer = await call(node, ask);
    const receivedAt = Date.now();
    report.answered(answer.status);
    const found =
      this.#judgeLimit(process, ask, answer, receivedAt) ??
      this.#judge(node, ask, answer, sentAt, receivedAt, floor);
    if (typeof found === 'string') {
      const times = `sent at ${sentAt}, received at ${receivedAt}`;
      report.violation(`node ${process}, ${times}: ${found}\n${JSON.stringify({ ask, answer })}`);
    }
    return typeof found === 'object' ? { answer, dataset: found } : undefined;
  }

  /** @returns what is wrong, or the dataset that the answer is from; undefined for another answer that is right. */
  #judge(
    node: SoakNode,
    ask: Ask,
    answer: Answer,
    sentAt: number,
    receivedAt: number,
    floor: number,
  ): string | Dataset | undefined {
    const { model } = this.#with;
    if (answer.status === 429) {
      return ask.isMetered === true ? undefined : 'it is over no limit';
    }
    if (answer.status === 0 || answer.status === 503) {
      const ofNode = answer.status === 0 ? node.outages : node.drains;
      const outages = answer.status === 0 || ask.path === '/ready' ? ofNode : model.databaseOutages;
      return isExplained(outages, sentAt, receivedAt) ? undefined : 'nothing that it needs is away';
    }
    const moments = model.moments(sentAt, receivedAt);
    if (ask.keyId !== undefined) {
      const { keyId } = ask;
      const wanted = moments.map(({ world }) => world.keys.get(keyId) ?? 401);
      const isRefusal = answer.status === 401 || answer.status === 403;
      if (!wanted.some((status) => status === (isRefusal ? answer.status : 200))) {
        return `the key has the status ${wanted}`;
      }
      if (isRefusal) {
        return undefined;
      }
    }
    // Several can fit: restored data is a later moment with the same data.
    const judged = moments.map((moment) => ({ moment, problem: judge(ask, answer, moment.world.dataset) }));
    const fitting = judged.filter(({ problem }) => problem === undefined);
    const shown = fitting.filter(({ moment }) => moment.index >= floor).at(-1)?.moment;
    if (shown !== undefined) {
      this.#shown.set(node, Math.max(this.#shown.get(node) ?? 0, shown.index));
      return shown.world.dataset;
    }
    return fitting.length > 0
      ? 'the node has shown later data before'
      : judged.map(({ moment, problem }) => `v${moment.world.dataset.version}: ${problem}`).join();
  }

  /** Adds up what is spent of a window: that in Redis, or that in the memory of a process. */
  #judgeLimit(process: string, ask: Ask, answer: Answer, receivedAt: number): string | undefined {
    if (ask.isMetered !== true || [0, 429, 503].includes(answer.status)) {
      return undefined;
    }
    const limit = Number(answer.headers['x-ratelimit-limit']);
    const reset = Number(answer.headers['x-ratelimit-reset']);
    const keeper = limit === LIMITS.standard ? 'Redis' : process;
    const window = `${ask.headers?.authorization} ${keeper} ${reset}`;
    const spent = (this.#spent.get(window) ?? 0) + (ask.method === 'POST' ? WALK_COST : 1);
    this.#spent.set(window, spent);
    // A Redis that lost its windows learns of them from each node with that node's next request.
    const isLost = isExplained(this.#with.model.redisOutages, (reset - 60) * 1_000, receivedAt);
    const most = isLost && keeper === 'Redis' ? 2 * limit : limit;
    return spent <= most ? undefined : `${spent} of ${limit} were spent of a window of ${keeper}`;
  }
}

function judge(ask: Ask, answer: Answer, dataset: Dataset): string | undefined {
  try {
    return ask.judge(answer, dataset);
  } catch (error) {
    // A part of the answer is missing.
    return String(error);
  }
}

/** Sends a request, from an address of its own: requests without a valid key are limited by address. */
export async function call(node: SoakNode, { method = 'GET', path, headers, body }: Ask): Promise<Answer> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  try {
    const response = await fetch(`http://127.0.0.1:${node.port}${path}`, {
      method,
      headers: { ...headers, 'x-forwarded-for': address },
      body: body ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const json = /^[{[]/.test(text) ? JSON.parse(text) : undefined;
    return { status: response.status, headers: Object.fromEntries(response.headers), text, json };
  } catch (error) {
    return { status: 0, headers: {}, text: String(error), json: undefined };
  }
}
