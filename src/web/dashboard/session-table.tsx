import type { ListedSession } from '../../access/accounts/sessions.ts';
import type { Visitor } from '../../access/accounts/sign-in/visitor.ts';
import { Badge, ListTable } from '../shared/components.tsx';
import type { Html } from '../shared/jsx.ts';
import { time } from '../shared/time.tsx';
import { ButtonForm } from './forms.tsx';

/** Where an account is signed in, and how to end that. */
export function sessionTable(sessions: readonly ListedSession[], visitor: Visitor): Html {
  const end = (session: string, label: string): Html => (
    <ButtonForm action="/dashboard/account/sessions" hidden={{ session }}>
      {label}
    </ButtonForm>
  );
  return (
    <section>
      <div class="heading sub">
        <h2>Where you are signed in</h2>
        {sessions.length > 1 && end('others', 'End all others')}
      </div>
      <ListTable
        caption="Your sessions"
        isCaptionHidden
        columns={[
          ['Browser', ({ userAgent }) => describeBrowser(userAgent ?? '')],
          ['Address', ({ ipAddress }) => ipAddress || '–'],
          ['Signed in', ({ createdAt }) => time(createdAt, 'minute')],
          [
            <span class="hidden">End it</span>,
            ({ id }) => (id === visitor.sessionId ? <Badge tone="good">This device</Badge> : end(id, 'End')),
            'end',
          ],
        ]}
        rows={sessions}
      />
    </section>
  );
}

/** The browser and the operating system, by their common names. */
function describeBrowser(userAgent: string): string {
  const first = (names: readonly string[]): string[] =>
    names.filter((name) => userAgent.includes(name)).slice(0, 1);
  const browser = first(['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl']);
  const system = first(['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux']);
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  return [...browser, ...system].map((name) => names[name] ?? name).join(' on ') || 'Unknown';
}
