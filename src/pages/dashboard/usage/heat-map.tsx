import type { WeekHour } from '../../../usage/read.ts';
import { count } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { HEAT_DAYS, heatSince, weekdayOf, weekdays } from './buckets.ts';

const HOUR_MS = 3_600_000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** The shades of a cell with requests, from the lightest. */
const SHADES = 4;

/**
 * How busy each hour of the week is: a table whose cells are shaded. Shades compare with the busiest hour.
 *
 * @param now ms since 1970.
 * @param path of the page that shows the requests of an hour of the week.
 */
export function heatMap(rows: readonly WeekHour[], now: number, path: string): Html {
  const means = meansOf(rows, now);
  const cells = weekdays.flatMap((day, row) =>
    HOURS.map((hour) => ({ day, hour, mean: means[row * 24 + hour] ?? 0 })),
  );
  const busiest = cells.reduce((one, other) => (other.mean > one.mean ? other : one));
  const top = busiest.mean;
  const link = ({ day, hour }: { day: string; hour: number }): string =>
    `${path}?at=${day}-${hourText(hour).slice(0, 2)}`;
  return (
    <section class="card">
      <h2>Busy hours</h2>
      {top === 0 ? (
        <p class="soft">No requests in the last {HEAT_DAYS} days.</p>
      ) : (
        <>
          <p class="soft">
            Requests an hour in the last {HEAT_DAYS} days, on average; times are in UTC. Busiest:{' '}
            <a href={link(busiest)}>
              {busiest.day} {hourText(busiest.hour)}
            </a>
            , with {meanText(top)} an hour.
          </p>
          <p class="legend">
            0
            {Array.from({ length: SHADES + 1 }, (_, shade) => (
              <i class={`key shade-${shade}`} />
            ))}
            {meanText(top)} an hour
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
                        {mean === 0 ? (
                          <span class="hidden">0</span>
                        ) : (
                          <a href={link({ day, hour })}>
                            <span class="hidden">{meanText(mean)}</span>
                          </a>
                        )}
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
  const first = heatSince(now);
  const hours = new Array<number>(7 * 24).fill(0);
  for (let at = first; at <= now; at += HOUR_MS) {
    const place = weekdayOf(at) * 24 + new Date(at).getUTCHours();
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
