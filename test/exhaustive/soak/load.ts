import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { SampleRandom } from '../../../src/startups/import/sample-random.ts';
import {
  type Answer,
  type Ask,
  changingKey,
  document,
  graphqlDetails,
  graphqlList,
  graphqlNodes,
  invalid,
  metered,
  page,
  restDetail,
  restList,
  type SteadyKeys,
  unauthorized,
  walkPage,
  wrongError,
} from './asks.ts';
import { type Dataset, isExplained, type Model, randomOf, statusOfKey } from './model.ts';
import type { SoakNode } from './nodes.ts';
import type { Operator } from './operator.ts';
import type { Report } from './report.ts';

/** Clients, and the longest pause of each between two requests, in ms: some 40 requests a second. */
const CLIENTS = 6;
const PAUSE_MS = 250;
/** The database is waited for at most three seconds; a busy machine adds to it. */
const PATIENCE_MS = 8_000;

/** Limits of the nodes: one that no key reaches, and one that is soon reached. */
export const LIMITS = { premium: 1_000_000, standard: 10 };
const NODES = 2;

export interface LoadOptions {
  readonly model: Model;
  readonly nodes: readonly SoakNode[];
  readonly operator: Operator;
  readonly keys: SteadyKeys;
  /** Of the document that is published for the main and the embed key. */
  readonly documentId: string;
  readonly report: Report;
  readonly seed: number;
}

/** Asks the nodes for everything that they answer, and checks every answer. */
export class Load {
  readonly #with: LoadOptions;
  /** The newest world that each node has certainly shown. */
  readonly #shown = new Map<SoakNode, number>();
  /** When requests like one were last answered, see {@link like}. */
  readonly #answeredAt = new Map<string, number>();
  /** What was spent of the windows of metered keys. */
  readonly #spent = new Map<string, number>();
  /** Lists that were answered, to be asked for again by their tags. */
  readonly #kept: { ask: Ask; answer: Answer }[] = [];
  #isOver = false;

  constructor(options: LoadOptions) {
    this.#with = options;
  }

  /** Asks until it is told to stop. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, (_, i) => this.#client(i)));
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Checks that every node answers from what the database holds now, and by the whole limit. */
  async expectRecovered(): Promise<void> {
    const { keys, model, nodes, operator, report } = this.#with;
    const { world } = model.current;
    const random = randomOf(0, 'recovered');
    const all: Ask[] = [
      { ...page(random), path: '/ready', judge: ({ status }) => (status === 200 ? undefined : 'not ready') },
      ...Array.from({ length: 20 }, () => graphqlList(random, keys.main)),
    ];
    for (const node of nodes) {
      for (const ask of all) {
        const answer = await call(node, ask, '10.0.0.1');
        const problem = ask.judge(answer, world.dataset);
        const limit = answer.headers['x-ratelimit-limit'];
        if (problem !== undefined || (limit !== undefined && limit !== String(LIMITS.premium))) {
          report.violation(`${describe(node, ask)}: ${problem}\n  ${brief(answer)}`);
        }
      }
      for (const key of operator.keys) {
        const answer = await call(node, changingKey(random, key), '10.0.0.1');
        if (answer.status !== 429 && answer.status !== statusOfKey(world.keys.get(key.id))) {
          report.violation(`key ${key.id} at the end, of node ${node.name}: ${brief(answer)}`);
        }
      }
    }
  }

  async #client(index: number): Promise<void> {
    const { nodes, seed } = this.#with;
    const random = randomOf(seed, `client ${index}`);
    while (!this.#isOver) {
      await this.#once(random, random.pick(nodes));
      await wait(random.below(PAUSE_MS));
    }
  }

  /** One request, or several that belong together. */
  async #once(random: SampleRandom, node: SoakNode): Promise<void> {
    const { keys, model, operator, documentId, nodes } = this.#with;
    const { main } = keys;
    const some: [number, () => Promise<unknown>][] = [
      [5, () => this.#list(random, node)],
      [3, () => this.#send(node, restDetail(random, main, model), random)],
      [4, () => this.#send(node, graphqlList(random, main), random)],
      [3, () => this.#send(node, graphqlDetails(random, main, model), random)],
      [1, () => this.#nodesById(random, node)],
      [1, () => this.#walk(random)],
      [2, () => this.#send(node, document('document', main, documentId), random)],
      [2, () => this.#send(node, document('embed', keys.embed, documentId), random)],
      [3, () => this.#send(node, invalid(random, keys), random)],
      [3, () => this.#send(node, unauthorized(random), random)],
      [6, () => this.#send(node, changingKey(random, random.pick(operator.keys)), random)],
      [3, () => this.#send(node, page(random), random)],
      // Several at once, on all nodes.
      [
        1,
        () =>
          Promise.all(
            nodes.map((one) => this.#send(one, metered(random, random.pick(keys.metered)), random)),
          ),
      ],
    ];
    let turn = random.below(some.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, ask] of some) {
      turn -= weight;
      if (turn < 0) {
        await ask();
        return;
      }
    }
  }

  /** A list, often one that was asked for before, by its tag. */
  async #list(random: SampleRandom, node: SoakNode): Promise<void> {
    const kept = this.#kept.length > 20 && random.chance(0.5) ? random.pick(this.#kept) : undefined;
    const ask = kept?.ask ?? restList(random, this.#with.keys.main);
    const sent = await this.#send(
      node,
      kept === undefined ? ask : conditional(kept.ask, kept.answer),
      random,
    );
    if (sent?.answer.status === 200) {
      this.#kept.push({ ask, answer: sent.answer });
      this.#kept.splice(0, this.#kept.length - 100);
    }
  }

  async #nodesById(random: SampleRandom, node: SoakNode): Promise<void> {
    const { main } = this.#with.keys;
    const given = await this.#send(node, graphqlDetails(random, main, this.#with.model), random);
    const found: ({ id: string; slug: string } | null)[] = given?.answer.json?.data?.startupsBySlug ?? [];
    const known = found.flatMap((one) => {
      const birth = given?.dataset?.bySlug.get(one?.slug ?? '')?.birth;
      return one === null || birth === undefined ? [] : [{ id: one.id, birth }];
    });
    if (known.length > 0) {
      await this.#send(random.pick(this.#with.nodes), graphqlNodes(main, known), random);
    }
  }

  /** A whole list by its cursors, each page from any node. */
  async #walk(random: SampleRandom): Promise<void> {
    const { keys, nodes, report } = this.#with;
    const sort = random.pick(['listed-desc', 'growth-asc'] as const);
    const datasets = new Set<Dataset>();
    const births = new Set<number>();
    for (let after: string | null = null; ; ) {
      const ask = walkPage(keys.main, sort, after);
      const { answer, dataset } = (await this.#send(random.pick(nodes), ask, random)) ?? {};
      if (answer === undefined || dataset === undefined || this.#isOver) {
        return;
      }
      datasets.add(dataset);
      const { nodes: found, pageInfo } = answer.json.data.startups;
      for (const { slug } of found) {
        const birth = dataset.bySlug.get(slug)?.birth ?? 0;
        if (births.has(birth)) {
          report.violation(`a walk by ${sort} met ${slug} twice`);
        }
        births.add(birth);
      }
      if (!pageInfo.hasNextPage) {
        break;
      }
      after = pageInfo.endCursor;
    }
    const [first, ...others] = datasets;
    const missed = first?.stored.filter(
      ({ record, birth }) =>
        !births.has(birth) && others.every(({ bySlug }) => bySlug.get(record.slug)?.birth === birth),
    );
    if (missed !== undefined && missed.length > 0) {
      report.violation(`a walk by ${sort} missed ${missed.map(({ record }) => record.slug)}`);
    }
  }

  /** @returns the answer and the data that it is from; undefined where it had to be none, or a 429 or 503. */
  async #send(
    node: SoakNode,
    ask: Ask,
    random: SampleRandom,
  ): Promise<{ answer: Answer; dataset: Dataset } | undefined> {
    const { report } = this.#with;
    const { starts } = node;
    const floor = this.#shown.get(node) ?? 0;
    const sentAt = Date.now();
    let answer: Answer;
    try {
      // Each from an address of its own, as limits count what comes without a key by address.
      const address = Array.from({ length: 3 }, () => random.below(256)).join('.');
      answer = await call(node, ask, `10.${address}`);
    } catch (error) {
      report.count(ask.kind, 'none');
      if (!isExplained(node.outages, sentAt, Date.now())) {
        report.violation(`${describe(node, ask)}: ${error}`);
      }
      return undefined;
    }
    const time = { sentAt, receivedAt: Date.now() };
    report.count(ask.kind, String(answer.status), time.receivedAt - sentAt);
    let problem = wrongForm(node, ask, answer, time) ?? this.#judgeShare(answer, time);
    let dataset: Dataset | undefined;
    if (problem === undefined && answer.status === 503) {
      problem = this.#judgeUnavailable(node, ask, answer, time);
    } else if (problem === undefined && answer.status === 429) {
      problem = ask.isMetered === true ? undefined : 'it is over no limit';
    } else if (problem === undefined) {
      const judged = this.#judge(node, ask, answer, { ...time, floor });
      ({ problem, dataset } = judged);
      this.#answeredAt.set(like(node, starts, ask), sentAt);
    }
    problem ??= ask.isMetered === true ? this.#judgeLimit(node, ask, answer, time) : undefined;
    if (problem !== undefined) {
      report.violation(`${describe(node, ask)} for ${JSON.stringify(time)}: ${problem}\n  ${brief(answer)}`);
    }
    return dataset === undefined ? undefined : { answer, dataset };
  }

  /** Finds the world that an answer is from. */
  #judge(
    node: SoakNode,
    { keyId, judge }: Ask,
    answer: Answer,
    { sentAt, receivedAt, floor }: Time & { floor: number },
  ): { problem?: string | undefined; dataset?: Dataset } {
    const moments = [...this.#with.model.moments(sentAt, receivedAt)];
    if (keyId !== undefined) {
      const states = moments.map(({ world }) => statusOfKey(world.keys.get(keyId)));
      const state = states.find(
        (status) => status === (answer.status === 401 || answer.status === 403 ? answer.status : 200),
      );
      if (state === undefined) {
        return { problem: `the key is of status ${[...new Set(states)].join(' or ')}` };
      }
      if (state !== 200) {
        return { problem: wrongError(answer, state, state === 401 ? 'UNAUTHENTICATED' : 'ACCESS_DISABLED') };
      }
    }
    const problems = new Map(
      moments.map(({ world: { dataset } }) => [dataset, safely(judge, answer, dataset)]),
    );
    const fitting = moments.filter(({ world }) => problems.get(world.dataset) === undefined);
    // Restored data is a later moment with the same data.
    const shown = fitting.filter(({ index }) => index >= floor).at(-1);
    if (shown !== undefined) {
      this.#shown.set(node, Math.max(this.#shown.get(node) ?? 0, shown.index));
      return { dataset: shown.world.dataset };
    }
    if (fitting.length > 0) {
      return {
        problem: `the node has shown version ${moments[0]?.world.dataset.version} or a later one before`,
      };
    }
    return {
      problem: [...problems].map(([{ version }, text]) => `version ${version}: ${text}`).join('\n  '),
    };
  }

  #judgeUnavailable(
    node: SoakNode,
    ask: Ask,
    answer: Answer,
    { sentAt, receivedAt }: Time,
  ): string | undefined {
    const { model } = this.#with;
    if (ask.path === '/ready') {
      return isExplained(node.drains, sentAt, receivedAt) ? undefined : 'it should be ready';
    }
    if (!isExplained(model.databaseOutages, sentAt, receivedAt)) {
      return 'the database is there';
    }
    const answeredAt = this.#answeredAt.get(like(node, node.starts, ask));
    if (ask.isFromMemory === true && answeredAt !== undefined && model.isSettled(answeredAt, receivedAt)) {
      return `the node has answered such a request at ${answeredAt}, and nothing has changed since`;
    }
    return (
      wrongError(answer, 503, 'SERVICE_UNAVAILABLE') ??
      (answer.headers['retry-after'] === '5' ? undefined : 'Retry-After')
    );
  }

  /** Whose limit an answer tells: Redis has the whole of it, a node without Redis its share. */
  #judgeShare({ status, headers }: Answer, { sentAt, receivedAt }: Time): string | undefined {
    const limit = Number(headers['x-ratelimit-limit'] ?? Number.NaN);
    const isWhole = Object.values(LIMITS).includes(limit);
    const { redisOutages } = this.#with.model;
    // A refusal and a 503 ask nobody.
    if (isWhole && status !== 429 && status !== 503) {
      const isAway = redisOutages.some(({ from, to }) => from < sentAt && receivedAt < to);
      return isAway ? 'it counts by the whole limit, and Redis is away' : undefined;
    }
    if (!isWhole && !Number.isNaN(limit) && !isExplained(redisOutages, sentAt, receivedAt)) {
      // Redis has 90 ms to answer, which a machine that is too busy may not give it.
      this.#with.report.count('Redis too slow', String(status));
    }
    return undefined;
  }

  /** Adds up what is spent of a window: that in Redis, or that of a node's own process. */
  #judgeLimit(
    node: SoakNode,
    ask: Ask,
    { status, headers }: Answer,
    { receivedAt }: Time,
  ): string | undefined {
    if (status === 429 || status === 503) {
      return undefined;
    }
    const [limit, reset] = [Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-reset'])];
    const keeper = limit === LIMITS.standard ? 'Redis' : `${node.name} ${node.starts}`;
    const window = `${ask.headers?.authorization} ${keeper} ${reset}`;
    const spent = (this.#spent.get(window) ?? 0) + (ask.method === 'POST' ? 3 : 1);
    this.#spent.set(window, spent);
    // A Redis that lost its windows hears of them from each node with that node's next question.
    const isLost = isExplained(this.#with.model.redisOutages, (reset - 60) * 1_000, receivedAt);
    const most = isLost && keeper === 'Redis' ? 2 * limit : limit;
    return spent <= most ? undefined : `${spent} of ${limit} were spent of a window of ${keeper}`;
  }
}

interface Time {
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Sends a request. */
export async function call(
  node: SoakNode,
  { method = 'GET', path, headers, body }: Ask,
  address: string,
): Promise<Answer> {
  const sent = request({
    ...{ host: '127.0.0.1', port: node.port, agent: node.agent, method, path },
    headers: { ...headers, 'x-forwarded-for': address },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response?.setEncoding('utf8') ?? []) {
    text += chunk;
  }
  const names = Object.entries(response?.headers ?? {}).map(([name, value]) => [name, String(value)]);
  const isJson = /json/.test(response?.headers['content-type'] ?? '');
  return {
    ...{ status: response?.statusCode ?? 0, headers: Object.fromEntries(names), text },
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** A request that its client need not be answered in full. */
function conditional(ask: Ask, kept: Answer): Ask {
  const etag = kept.headers.etag ?? '';
  return {
    ...ask,
    headers: { ...ask.headers, 'if-none-match': etag },
    judge(answer, dataset) {
      const isSame = answer.status === 304;
      if (isSame && (answer.text !== '' || answer.headers.etag !== etag)) {
        return 'it is no proper 304';
      }
      return ask.judge(isSame ? kept : answer, dataset);
    },
  };
}

/** What every answer of the API has, whatever it says. */
function wrongForm(
  { clockOffsets }: SoakNode,
  ask: Ask,
  { status, headers, json }: Answer,
  { sentAt, receivedAt }: Time,
): string | undefined {
  if (headers['x-request-id'] === undefined) {
    return 'X-Request-Id is missing';
  }
  if (status === 500) {
    return 'an internal error';
  }
  const isREST = ask.path.startsWith('/api/');
  if (!isREST && !ask.path.startsWith('/graphql')) {
    return undefined;
  }
  const [error] = json?.errors ?? [json?.error];
  if (
    status >= 400 &&
    (typeof error?.message !== 'string' || (isREST && error.requestId !== headers['x-request-id']))
  ) {
    return 'the error has another form';
  }
  const read = (name: string): number => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN);
  const [limit, remaining, reset] = [read('limit'), read('remaining'), read('reset')];
  // A 503 may come before anybody knows whose request it is.
  const tiers = Object.values(LIMITS).filter((own) => status === 503 || own === LIMITS[tierOf(ask, status)]);
  const isIn = (value: number, least: number, most: number) => value >= least && value <= most;
  if (!tiers.some((own) => [own, own / NODES].includes(limit)) || !isIn(remaining, 0, limit)) {
    return `the limit is none of ${tiers}, or what remains is more`;
  }
  // Without Redis a node counts by its own clock, by which a window that was open may end later.
  const isSoon = (offset: number): boolean =>
    isIn(reset, Math.floor((sentAt + offset) / 1_000), Math.ceil((receivedAt + offset) / 1_000) + 61);
  if (![...clockOffsets].some(isSoon)) {
    return 'X-RateLimit-Reset is not within a minute';
  }
  if (
    headers['ratelimit-policy'] !== `"default";q=${limit};w=60` ||
    !headers.ratelimit?.startsWith(`"default";r=${remaining};t=`)
  ) {
    return 'the fields of the IETF differ';
  }
  const reported = json?.extensions?.rateLimit;
  if (
    reported !== undefined &&
    (reported.limit !== limit ||
      reported.remaining !== remaining ||
      Date.parse(reported.resetAt) !== reset * 1_000)
  ) {
    return 'extensions.rateLimit differs from the headers';
  }
  return status === 429 && !isIn(Number(headers['retry-after']), 1, 60)
    ? 'Retry-After is missing, or longer than a window'
    : undefined;
}

/** Requests that a process can answer from memory, once it has answered one of them. */
function like({ name }: SoakNode, starts: number, { kind, headers }: Ask): string {
  return `${name} ${starts} ${kind} ${headers?.authorization}`;
}

/** Where a part of the answer is missing that is compared. */
function safely(judge: Ask['judge'], answer: Answer, dataset: Dataset): string | undefined {
  try {
    return judge(answer, dataset);
  } catch (error) {
    return String(error);
  }
}

/** Requests without a valid key draw on the standard tier's limit, by address. */
function tierOf({ isMetered }: Ask, status: number): keyof typeof LIMITS {
  return isMetered === true || status === 401 ? 'standard' : 'premium';
}

function describe({ name }: SoakNode, { kind, method = 'GET', path, headers, body }: Ask): string {
  return `${kind}: ${method} ${path} ${JSON.stringify(headers ?? {})} ${body ?? ''} to node ${name}`;
}

function brief({ status, headers, text }: Answer): string {
  return `${status} ${JSON.stringify(headers)} ${text.slice(0, 1_000)}`;
}
