import type { StartupFieldKind } from '../../model/field-kinds.ts';
import type { OwnValues } from '../../model/own-fields.ts';
import type { StartupRecord } from '../../model/record.ts';
import type { CatalogueData } from '../edition-data.ts';
import { names, type Terms, values } from './codes.ts';
import { type DetailColumn, detailFields, type TextColumn, textColumns, WHOLE } from './columns.ts';
import { NOTHING } from './texts.ts';

const text = Object.fromEntries(textColumns.map((name, index) => [name, index])) as Record<
  TextColumn,
  number
>;

type Details = Pick<StartupRecord, DetailColumn>;
type Plain = Omit<StartupRecord, DetailColumn | 'fullDescription' | 'own'>;

/**
 * A record of plain properties, as a compiled operation reads each of them three times. The compiler defines none before it
 * is assigned, which would take a third of the time of a record (`useDefineForClassFields`).
 */
class PlainRecord implements Plain {
  readonly id: Plain['id'];
  readonly createdAt: Plain['createdAt'];
  readonly updatedAt: Plain['updatedAt'];
  readonly country: Plain['country'];
  readonly foundedDate: Plain['foundedDate'];
  readonly category: Plain['category'];
  readonly paymentProvider: Plain['paymentProvider'];
  readonly targetAudience: Plain['targetAudience'];
  readonly revenue: Plain['revenue'];
  readonly customers: Plain['customers'];
  readonly activeSubscriptions: Plain['activeSubscriptions'];
  readonly askingPrice: Plain['askingPrice'];
  readonly profitMarginLast30Days: Plain['profitMarginLast30Days'];
  readonly growth30d: Plain['growth30d'];
  readonly growthMRR30d: Plain['growthMRR30d'];
  readonly multiple: Plain['multiple'];
  readonly rank: Plain['rank'];
  readonly visitorsLast30Days: Plain['visitorsLast30Days'];
  readonly googleSearchImpressionsLast30Days: Plain['googleSearchImpressionsLast30Days'];
  readonly revenuePerVisitor: Plain['revenuePerVisitor'];
  readonly onSale: Plain['onSale'];
  readonly firstListedForSaleAt: Plain['firstListedForSaleAt'];
  readonly teamSize: Plain['teamSize'];
  readonly fundingStatus: Plain['fundingStatus'];
  readonly active: Plain['active'];
  readonly verifiedAt: Plain['verifiedAt'];
  readonly name: Plain['name'];
  readonly slug: Plain['slug'];
  readonly icon: Plain['icon'];
  readonly website: Plain['website'];
  readonly xHandle: Plain['xHandle'];
  readonly description: Plain['description'];
  readonly #data: CatalogueData;
  readonly #position: number;
  /** Read when one of them is first read: lists have none. */
  #details: readonly unknown[] | undefined;
  #own: OwnValues | undefined;
  readonly #fullDescription: string | null;

  /** @param terms how enumeration values are written. */
  constructor(data: CatalogueData, at: number, terms: Terms = names) {
    const { columns, ranks, texts } = data;
    const last30Days = columns.revenueLast30Days[at] as number;
    const visitors = columns.visitorsLast30Days[at] as number;
    this.id = columns.id[at] as number;
    this.createdAt = columns.createdAt[at] as number;
    this.updatedAt = columns.updatedAt[at] as number;
    this.country = values.country[columns.country[at] as number] as string | null;
    this.foundedDate = numberOrNull(columns.foundedDate[at] as number);
    this.category = terms.category[columns.category[at] as number] as string | null;
    this.paymentProvider = terms.paymentProvider[columns.paymentProvider[at] as number] as string;
    this.targetAudience = terms.targetAudience[columns.targetAudience[at] as number] as string | null;
    this.revenue = {
      last30Days,
      mrr: columns.revenueMrr[at] as number,
      total: columns.revenueTotal[at] as number,
    };
    this.customers = columns.customers[at] as number;
    this.activeSubscriptions = columns.activeSubscriptions[at] as number;
    this.askingPrice = numberOrNull(columns.askingPrice[at] as number);
    this.profitMarginLast30Days = numberOrNull(columns.profitMarginLast30Days[at] as number);
    this.growth30d = numberOrNull(columns.growth30d[at] as number);
    this.growthMRR30d = numberOrNull(columns.growthMRR30d[at] as number);
    this.multiple = numberOrNull(columns.multiple[at] as number);
    this.rank = (ranks[at] as number) || null;
    this.visitorsLast30Days = numberOrNull(visitors);
    this.googleSearchImpressionsLast30Days = numberOrNull(
      columns.googleSearchImpressionsLast30Days[at] as number,
    );
    this.revenuePerVisitor = visitors > 0 ? last30Days / visitors : null;
    this.onSale = columns.onSale[at] === 1;
    this.firstListedForSaleAt = numberOrNull(columns.firstListedForSaleAt[at] as number);
    this.teamSize = terms.teamSize[columns.teamSize[at] as number] as string | null;
    this.fundingStatus = terms.fundingStatus[columns.fundingStatus[at] as number] as string | null;
    this.active = columns.active[at] === 1;
    this.verifiedAt = numberOrNull(columns.verifiedAt[at] as number);
    this.#data = data;
    this.#position = at;
    const read = texts.read(columns.texts[at] as number);
    this.name = read[text.name] as string;
    this.slug = read[text.slug] as string;
    this.icon = read[text.icon] as string | null;
    this.website = read[text.website] as string | null;
    this.xHandle = read[text.xHandle] as string | null;
    const whole = read[text.description] as string | null;
    const cut = columns.descriptionCut[at] as number;
    this.#fullDescription = whole;
    this.description = whole !== null && cut !== WHOLE ? whole.slice(0, cut) : whole;
  }

  /** The description as it is stored: that of a snapshot, from which an import restores it. */
  get fullDescription(): string | null {
    return this.#fullDescription;
  }

  get own(): OwnValues {
    this.#own ??= this.#data.readOwn(this.#position);
    return this.#own;
  }

  static {
    for (const [index, { property }] of detailFields.entries()) {
      Object.defineProperty(PlainRecord.prototype, property, {
        get(this: PlainRecord) {
          this.#details ??= readDetails(this.#data, this.#position);
          return this.#details[index];
        },
      });
    }
  }
}

/** A record with its details, which are read by getters. */
export type PackedRecord = PlainRecord & Details;
export const PackedRecord = PlainRecord as new (
  ...of: ConstructorParameters<typeof PlainRecord>
) => PackedRecord;

/** The records at some positions. */
export function recordsAt(data: CatalogueData, positions: Uint32Array, terms?: Terms): StartupRecord[] {
  const records: StartupRecord[] = [];
  for (const position of positions) {
    records.push(new PackedRecord(data, position, terms));
  }
  return records;
}

/** The details of a record, in the order in which they are packed. */
function readDetails({ columns, details }: CatalogueData, at: number): readonly unknown[] {
  const unit = columns.details[at] as number;
  const texts = unit === NOTHING ? undefined : details.read(unit);
  return detailFields.map(({ kind }, index) => readDetail(kind, texts?.[index] ?? null));
}

/** A detail from its text. */
function readDetail(kind: StartupFieldKind, text: string | null): unknown {
  switch (kind) {
    case 'texts':
    case 'handles':
      return listOf(text);
    case 'cents':
    case 'count':
    case 'date':
      return text === null ? null : Number(text);
    case 'boolean':
      return text === null ? null : text === 'true';
    default:
      return text;
  }
}

/** The texts of a packed list. */
export function listOf(packed: string | null): string[] {
  return packed === null || packed === '' ? [] : packed.split(',');
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
