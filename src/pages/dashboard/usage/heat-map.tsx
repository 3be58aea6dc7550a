import type { WeekHour } from '../../../usage/read.ts';
import { count } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';

const HOUR_MS = 3_600_000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** The days that it shows. */
export const HEAT_DAYS = 90;
/** The shades of a cell with requests, from the lightest. */
const SHADES = 4;

/** The first hour that it shows. */
export const heatSince = (now: number): Date =>
  new Date(now - (now % HOUR_MS) - (HEAT_DAYS * 24 - 1) * HOUR_MS);

/**
 * How busy each hour of the week is: a table whose cells are shaded. Shades compare with the busiest hour.
 *
 * @param now ms since 1970.
 */
export function heatMap(rows: readonly WeekHour[], now: number): Html {
  const means = meansOf(rows, now);
  const cells = weekdays.flatMap((day, row) =>
    HOURS.map((hour) => ({ day, hour, mean: means[row * 24 + hour] ?? 0 })),
  );
  const busiest = cells.reduce((one, other) => (other.mean > one.mean ? other : one));
  const top = busiest.mean;
  return (
    <section class="card">
      <h2>Busy hours</h2>
      {top === 0 ? (
        <p class="soft">No requests in the last {HEAT_DAYS} days.</p>
      ) : (
        <>
          <p class="soft">
            Requests an hour in the last {HEAT_DAYS} days, on average. Darker is busier; times are in UTC.
            Busiest: {busiest.day} {hourText(busiest.hour)}, with {top < 1 ? 'less than 1' : meanText(top)} an
            hour.
          </p>
          <table class="heat">
            <caption class="hidden">Requests an hour by weekday and hour in UTC, on average</caption>
            <thead>
              <tr>
                <td />
                {HOURS.map((hour) => (
                  <th scope="col">
                    <span class={hour % 6 === 0 ? undefined : 'hidden'}>{hourText(hour)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weekdays.map((day) => (
                <tr>
                  <th scope="row">{day}</th>
                  {cells
                    .filter((cell) => cell.day === day)
                    .map(({ hour, mean }) => (
                      <td
                        class={mean === 0 ? undefined : `shade-${Math.ceil((mean / top) * SHADES)}`}
                        title={`${day} ${hourText(hour)} UTC: ${meanText(mean)}`}
                      >
                        <span class="hidden">{meanText(mean)}</span>
                      </td>
                    ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

/** The mean of each hour of the week. The days of the period are no whole weeks. */
function meansOf(rows: readonly WeekHour[], now: number): number[] {
  const first = heatSince(now).getTime();
  const hours = new Array<number>(7 * 24).fill(0);
  for (let at = first; at <= now; at += HOUR_MS) {
    const date = new Date(at);
    const place = ((date.getUTCDay() + 6) % 7) * 24 + date.getUTCHours();
    hours[place] = (hours[place] ?? 0) + 1;
  }
  const means = new Array<number>(7 * 24).fill(0);
  for (const { weekday, hour, requests } of rows) {
    const place = (weekday - 1) * 24 + hour;
    means[place] = requests / (hours[place] || 1);
  }
  return means;
}

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

function meanText(mean: number): string {
  return mean > 0 && mean < 1 ? '< 1' : count(Math.round(mean));
}
