import type {
  Category,
  FundingStatus,
  PaymentProvider,
  TargetAudience,
  TeamSize,
} from '../../model/vocabulary.ts';

/**
 * A startup as an import takes it: the detail record without its computed and recorded fields, plus `active`. What each field means is in `startupFields`. Fields that may be null may
 * also be left out.
 */
export interface ImportRecord {
  name: string;
  slug: string;
  icon: string | null;
  description: string | null;
  website: string | null;
  country: string | null;
  /** ISO 8601. */
  foundedDate: string | null;
  category: Category | null;
  paymentProvider: PaymentProvider;
  targetAudience: TargetAudience | null;
  /** US cents. */
  revenue: { last30Days: number; mrr: number; total: number };
  customers: number;
  activeSubscriptions: number;
  /** US cents. */
  askingPrice: number | null;
  /** Percentage, 0 to 100. */
  profitMarginLast30Days: number | null;
  /** Percentage: 24 means 24 %. */
  growth30d: number | null;
  /** Percentage: 24 means 24 %. */
  growthMRR30d: number | null;
  visitorsLast30Days: number | null;
  googleSearchImpressionsLast30Days: number | null;
  onSale: boolean;
  /** ISO 8601. */
  firstListedForSaleAt: string | null;
  xHandle: string | null;
  teamSize: TeamSize | null;
  fundingStatus: FundingStatus | null;
  /** ISO 8601. */
  verifiedAt: string | null;
  techStack: string[];
  cofounders: string[];
  founderName: string | null;
  founderMessage: string | null;
  xFollowerCount: number | null;
  isMerchantOfRecord: boolean | null;
  valueProposition: string | null;
  problemSolved: string | null;
  pricingModel: string | null;
  targetPersona: string | null;
  active: boolean;
}
