import type { ClientBase } from 'pg';
import type { CatalogueRow } from '../../../src/startups/catalogue/row.ts';

/** Stores rows under the ids they have; what a catalogue does not know of them is made up. */
export async function insertRows(client: ClientBase, rows: readonly CatalogueRow[]): Promise<void> {
  const json = JSON.stringify(
    rows.map((row) => ({
      id: row.id,
      slug: `startup-${row.id}`,
      name: `Startup ${row.id}`,
      country: row.country,
      category: row.category,
      payment_provider: row.paymentProvider,
      target_audience: row.targetAudience,
      revenue_last_30_days: Number(row.revenueLast30Days),
      revenue_mrr: Number(row.revenueMrr),
      revenue_total: Number(row.revenueTotal),
      customers: 1,
      active_subscriptions: 1,
      asking_price: row.askingPrice === null ? null : Number(row.askingPrice),
      profit_margin_last_30_days: row.profitMarginLast30Days,
      // As JSON has no -0.
      growth_30d: Object.is(row.growth30d, -0) ? '-0' : row.growth30d,
      on_sale: row.onSale,
      first_listed_for_sale_at: row.firstListedForSaleAt,
      x_handle: row.xHandle,
      team_size: row.teamSize,
      funding_status: row.fundingStatus,
      active: row.active,
      sample: false,
      revision: 0,
    })),
  );
  await client.query(
    'INSERT INTO startups SELECT * FROM jsonb_populate_recordset(NULL::startups, $1::jsonb)',
    [json],
  );
}
