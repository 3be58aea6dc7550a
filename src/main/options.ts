import type { Logger } from 'pino';
import type { Policy } from '../access/keys/policy.ts';
import type { TierLimits } from '../access/limits/tiers.ts';
import type { BadgeSettings } from '../api/feeds/badges.ts';
import type { ImportBounds } from '../api/import-http/route.ts';
import type { Database } from '../db/open.ts';
import type { Lifecycle } from '../lib/http/lifecycle.ts';
import type { Schedule } from '../lib/loop/schedule.ts';
import type { Service } from '../lib/text/service.ts';
import type { DashboardSettings } from '../web/dashboard/open.ts';
import type { openWeb } from '../web/open.ts';

export interface AppOptions {
  readonly database: Database;
  readonly policy: Policy;
  /** What the service shows of itself; the name of the program by default. */
  readonly service?: Service | undefined;
  readonly limits: TierLimits;
  /** The limit of all clients of an embed key together, per window. */
  readonly embedLimit?: number | undefined;
  readonly redisUrl?: string | undefined;
  /** The token that allows reading the metrics from anywhere; undefined: only this machine may. */
  readonly metricsToken?: string | undefined;
  readonly web?: typeof openWeb | undefined;
  readonly dashboard?: DashboardSettings | undefined;
  readonly logger: Logger;
  /** The number of lines that the log has dropped; none by default. */
  readonly droppedLogLines?: () => number;
  readonly now: () => number;
  /** Seconds for which known keys and startups are served while the database does not answer; 600 by default. */
  readonly maxStaleness?: number | undefined;
  /** Days for which the history of startups is kept; 730 by default. */
  readonly historyDays?: number | undefined;
  /** Shows figures of startups, except of these slugs, to everyone; without it, there are no badges. */
  readonly badges?: BadgeSettings | undefined;
  /** Where the bodies of imports wait; the directory of the system for temporary files by default. */
  readonly stagingDirectory?: string | undefined;
  /** Other bounds of imports over HTTP than usual. */
  readonly importBounds?: Partial<ImportBounds> | undefined;
  readonly isStarting?: () => boolean;
  readonly isDraining?: () => boolean;
  /** Whether only this machine can reach the gateway, so that metrics need no token; true by default. */
  readonly isPrivate?: boolean;
  readonly isHttps?: boolean;
  /** ms of a monotonic clock, for intervals. Default: that of this process. */
  readonly monotonic?: (() => number) | undefined;
  /** How the poll of the database waits between two queries. Default: the timers of this process. */
  readonly schedule?: Schedule | undefined;
  readonly lifecycle: Lifecycle;
}
