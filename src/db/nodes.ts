import type { PrismaClient } from './generated/client/client.ts';

/** The name under which PostgreSQL lists the connections of a node: a database may hold another revgate's schema too. */
export const nodeName = (node: string, schema: string): string => `revgate ${schema} node ${node}`;

export interface ConnectedNode {
  readonly name: string;
  /** Seconds since it last sent a statement; nodes send several each second. */
  readonly silence: number;
}

/** So many seconds without a statement, and a node does not answer. */
const SILENCE_MAX = 10;

export const isSilent = ({ silence }: ConnectedNode): boolean => silence > SILENCE_MAX;

/**
 * The nodes that are connected to the PostgreSQL server, by name. A connection pooler can hide some of them; and of nodes
 * that sign in to the database as other users, nothing is known.
 */
export async function listNodes(prisma: Pick<PrismaClient, '$queryRaw'>): Promise<ConnectedNode[]> {
  return prisma.$queryRaw<ConnectedNode[]>`
    SELECT substr(application_name, length(prefix) + 1) AS name,
      extract(epoch FROM clock_timestamp() - max(state_change))::float8 AS silence
    FROM pg_stat_activity, concat('revgate ', current_schema(), ' node ') AS prefix
    WHERE datname = current_database() AND starts_with(application_name, prefix) AND state_change IS NOT NULL
    GROUP BY 1 ORDER BY 1`;
}
