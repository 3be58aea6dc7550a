// Written from the tables of the API by: npm run generate

export type Category = "ai" | "saas" | "developer-tools" | "fintech" | "marketing" | "ecommerce" | "productivity" | "design-tools" | "no-code" | "analytics" | "crypto-web3" | "education" | "health-fitness" | "social-media" | "content-creation" | "sales" | "customer-support" | "recruiting" | "real-estate" | "travel" | "legal" | "security" | "iot-hardware" | "green-tech" | "entertainment" | "games" | "community" | "news-magazines" | "utilities" | "marketplace" | "mobile-apps";

export type PaymentProvider = "stripe" | "lemonsqueezy" | "polar" | "revenuecat" | "dodopayment" | "paddle" | "superwall" | "appstore" | "creem" | "whop" | "shopify";

export type TargetAudience = "b2b" | "b2c" | "both";

export type TeamSize = "1" | "2-5" | "6-10" | "11-25" | "26-50" | "51+";

export type FundingStatus = "bootstrapped" | "vc-funded";

export type ChangeKind = "created" | "updated" | "removed";

export type ErrorCode = "BAD_USER_INPUT" | "GRAPHQL_PARSE_FAILED" | "GRAPHQL_VALIDATION_FAILED" | "OPERATION_TOO_COMPLEX" | "UNAUTHENTICATED" | "ACCESS_DISABLED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL_SERVER_ERROR" | "DOCUMENT_NOT_FOUND" | "DOCUMENT_NOT_TRUSTED" | "ORIGIN_NOT_ALLOWED" | "SERVICE_UNAVAILABLE" | "REQUEST_TIMEOUT" | "EXPECTATION_FAILED" | "CURSOR_EXPIRED" | "CSRF_TOKEN_INVALID" | "POLICY_NOT_ACCEPTED" | "SNAPSHOT_NOT_ALLOWED";

export type StartupSort = "revenue-desc" | "revenue-asc" | "price-desc" | "price-asc" | "multiple-asc" | "multiple-desc" | "growth-desc" | "growth-asc" | "listed-desc" | "listed-asc" | "best-deal" | "mrr-desc" | "mrr-asc" | "total-desc" | "total-asc" | "customers-desc" | "customers-asc" | "visitors-desc" | "visitors-asc" | "founded-desc" | "founded-asc" | "created-desc" | "created-asc" | "updated-desc" | "updated-asc" | "verified-desc" | "verified-asc" | "name-asc" | "name-desc" | "relevance";

export type StartupGrouping = "category" | "paymentProvider" | "country" | "targetAudience" | "teamSize" | "fundingStatus" | "xHandle" | "techStack";

/** A startup in a list. */
export interface Startup {
  /** Name of the startup. */
  readonly name: string;
  /** URL-friendly identifier, unique among all startups, such as the last part of /startups/{slug}. */
  readonly slug: string;
  /** Address of the icon or logo, http or https. Null when none is known. */
  readonly icon: string | null;
  /** Short description, cut to at most 200 UTF-16 units without splitting a character. Null when there is none. */
  readonly description: string | null;
  /** Address of the startup's website, http or https. Null when unknown. */
  readonly website: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as DE. Null when unknown. */
  readonly country: string | null;
  /** Founding date, an ISO 8601 date-time in UTC. Null when unknown. */
  readonly foundedDate: string | null;
  /** Primary category. Null when the startup has not been categorised. */
  readonly category: Category | null;
  /** Payment provider through which the revenue is verified. */
  readonly paymentProvider: PaymentProvider;
  /** The audience that the startup sells to: businesses, consumers or both. Null when unknown. */
  readonly targetAudience: TargetAudience | null;
  /** Revenue as verified through the payment provider, in US cents. */
  readonly revenue: {
    /** Verified revenue of the last 30 days, in US cents. */
    readonly last30Days: number;
    /** Monthly recurring revenue, in US cents. */
    readonly mrr: number;
    /** All revenue known to the payment provider, in US cents. RevenueCat connections over its API have the whole history; its legacy connections begin about 30 days before the startup was connected. */
    readonly total: number;
  };
  /** Total number of customers. */
  readonly customers: number;
  /** Number of subscriptions that are active now. */
  readonly activeSubscriptions: number;
  /** Asking price, in US cents, of a startup listed for sale. Null when none is stated. */
  readonly askingPrice: number | null;
  /** Profit margin over the last 30 days, a percentage from 0 to 100. Null when unknown. */
  readonly profitMarginLast30Days: number | null;
  /** Growth of revenue over 30 days, a percentage: 24 means 24%, and it may be negative. Null when unknown. (The filters minGrowth and maxGrowth are fractions instead: write 0.24, not 24, for 24%.) */
  readonly growth30d: number | null;
  /** Growth of monthly recurring revenue over 30 days, a percentage: 24 means 24%, and it may be negative. Null when unknown. */
  readonly growthMRR30d: number | null;
  /** Asking price divided by twelve times the revenue of the last 30 days, unrounded: the price in years of revenue. Null without an asking price or without revenue. */
  readonly multiple: number | null;
  /** Position by total revenue among all active startups; 1 is the highest, and equal totals share a rank. Null for an inactive startup. */
  readonly rank: number | null;
  /** Visitors of the website in the last 30 days, from a web-analytics provider or from search-console clicks. Null when neither is connected. */
  readonly visitorsLast30Days: number | null;
  /** Times the website appeared in Google search results in the last 30 days. Null without a search-console connection. */
  readonly googleSearchImpressionsLast30Days: number | null;
  /** Revenue of the last 30 days divided by the visitors of the last 30 days, in US cents per visitor, unrounded. Null when the visitors are unknown or none. */
  readonly revenuePerVisitor: number | null;
  /** Whether the startup is listed for sale now. */
  readonly onSale: boolean;
  /** When the startup was first listed for sale, an ISO 8601 date-time in UTC. Null when it never was. */
  readonly firstListedForSaleAt: string | null;
  /** The founder's handle on X, without the leading @. Null when unknown. */
  readonly xHandle: string | null;
}

/** A startup with all its fields. */
export interface StartupDetail {
  /** Name of the startup. */
  readonly name: string;
  /** URL-friendly identifier, unique among all startups, such as the last part of /startups/{slug}. */
  readonly slug: string;
  /** Address of the icon or logo, http or https. Null when none is known. */
  readonly icon: string | null;
  /** Short description, cut to at most 200 UTF-16 units without splitting a character. Null when there is none. */
  readonly description: string | null;
  /** Address of the startup's website, http or https. Null when unknown. */
  readonly website: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as DE. Null when unknown. */
  readonly country: string | null;
  /** Founding date, an ISO 8601 date-time in UTC. Null when unknown. */
  readonly foundedDate: string | null;
  /** Primary category. Null when the startup has not been categorised. */
  readonly category: Category | null;
  /** Payment provider through which the revenue is verified. */
  readonly paymentProvider: PaymentProvider;
  /** The audience that the startup sells to: businesses, consumers or both. Null when unknown. */
  readonly targetAudience: TargetAudience | null;
  /** Revenue as verified through the payment provider, in US cents. */
  readonly revenue: {
    /** Verified revenue of the last 30 days, in US cents. */
    readonly last30Days: number;
    /** Monthly recurring revenue, in US cents. */
    readonly mrr: number;
    /** All revenue known to the payment provider, in US cents. RevenueCat connections over its API have the whole history; its legacy connections begin about 30 days before the startup was connected. */
    readonly total: number;
  };
  /** Total number of customers. */
  readonly customers: number;
  /** Number of subscriptions that are active now. */
  readonly activeSubscriptions: number;
  /** Asking price, in US cents, of a startup listed for sale. Null when none is stated. */
  readonly askingPrice: number | null;
  /** Profit margin over the last 30 days, a percentage from 0 to 100. Null when unknown. */
  readonly profitMarginLast30Days: number | null;
  /** Growth of revenue over 30 days, a percentage: 24 means 24%, and it may be negative. Null when unknown. (The filters minGrowth and maxGrowth are fractions instead: write 0.24, not 24, for 24%.) */
  readonly growth30d: number | null;
  /** Growth of monthly recurring revenue over 30 days, a percentage: 24 means 24%, and it may be negative. Null when unknown. */
  readonly growthMRR30d: number | null;
  /** Asking price divided by twelve times the revenue of the last 30 days, unrounded: the price in years of revenue. Null without an asking price or without revenue. */
  readonly multiple: number | null;
  /** Position by total revenue among all active startups; 1 is the highest, and equal totals share a rank. Null for an inactive startup. */
  readonly rank: number | null;
  /** Visitors of the website in the last 30 days, from a web-analytics provider or from search-console clicks. Null when neither is connected. */
  readonly visitorsLast30Days: number | null;
  /** Times the website appeared in Google search results in the last 30 days. Null without a search-console connection. */
  readonly googleSearchImpressionsLast30Days: number | null;
  /** Revenue of the last 30 days divided by the visitors of the last 30 days, in US cents per visitor, unrounded. Null when the visitors are unknown or none. */
  readonly revenuePerVisitor: number | null;
  /** Whether the startup is listed for sale now. */
  readonly onSale: boolean;
  /** When the startup was first listed for sale, an ISO 8601 date-time in UTC. Null when it never was. */
  readonly firstListedForSaleAt: string | null;
  /** The founder's handle on X, without the leading @. Null when unknown. */
  readonly xHandle: string | null;
  /** Number of people in the team, as a range. Null when unknown. */
  readonly teamSize: TeamSize | null;
  /** Whether the startup is bootstrapped or funded by venture capital. Null when unknown. */
  readonly fundingStatus: FundingStatus | null;
  /** When the payment provider last confirmed the figures, an ISO 8601 date-time in UTC. Null when unknown. */
  readonly verifiedAt: string | null;
  /** The last different asking price of an earlier day, in US cents. Null when there was none. */
  readonly previousAskingPrice: number | null;
  /** When an import changed that price to the present one, an ISO 8601 date-time in UTC. Null when there was none. */
  readonly askingPriceChangedAt: string | null;
  /** Technologies that the startup is built with, such as Next.js; each without commas. Empty when unknown. */
  readonly techStack: string[];
  /** Handles on X of the other founders, each without the leading @. Empty when there is none. */
  readonly cofounders: string[];
  /** Name of the founder. Null when unknown. */
  readonly founderName: string | null;
  /** A message of the founder to readers. Null when there is none. */
  readonly founderMessage: string | null;
  /** Number of followers that the founder has on X. Null when unknown. */
  readonly xFollowerCount: number | null;
  /** Whether the payment provider sells to customers in its own name, as the merchant of record. Null when unknown. */
  readonly isMerchantOfRecord: boolean | null;
  /** What customers gain from the product. Null when unknown. */
  readonly valueProposition: string | null;
  /** The problem that the product solves. Null when unknown. */
  readonly problemSolved: string | null;
  /** How the product is priced, such as a monthly subscription. Null when unknown. */
  readonly pricingModel: string | null;
  /** Who the typical customer is. Null when unknown. */
  readonly targetPersona: string | null;
}

/** A startup for a copy, in a snapshot and in changes: without its rank, and with its whole description. */
export interface SnapshotStartup {
  /** Name of the startup. */
  readonly name: string;
  /** URL-friendly identifier, unique among all startups, such as the last part of /startups/{slug}. */
  readonly slug: string;
  /** Address of the icon or logo, http or https. Null when none is known. */
  readonly icon: string | null;
  /** Short description, not cut. Null when there is none. */
  readonly description: string | null;
  /** Address of the startup's website, http or https. Null when unknown. */
  readonly website: string | null;
  /** Country as an ISO 3166-1 alpha-2 code, such as DE. Null when unknown. */
  readonly country: string | null;
  /** Founding date, an ISO 8601 date-time in UTC. Null when unknown. */
  readonly foundedDate: string | null;
  /** Primary category. Null when the startup has not been categorised. */
  readonly category: Category | null;
  /** Payment provider through which the revenue is verified. */
  readonly paymentProvider: PaymentProvider;
  /** The audience that the startup sells to: businesses, consumers or both. Null when unknown. */
  readonly targetAudience: TargetAudience | null;
  /** Revenue as verified through the payment provider, in US cents. */
  readonly revenue: {
    /** Verified revenue of the last 30 days, in US cents. */
    readonly last30Days: number;
    /** Monthly recurring revenue, in US cents. */
    readonly mrr: number;
    /** All revenue known to the payment provider, in US cents. RevenueCat connections over its API have the whole history; its legacy connections begin about 30 days before the startup was connected. */
    readonly total: number;
  };
  /** Total number of customers. */
  readonly customers: number;
  /** Number of subscriptions that are active now. */
  readonly activeSubscriptions: number;
  /** Asking price, in US cents, of a startup listed for sale. Null when none is stated. */
  readonly askingPrice: number | null;
  /** Profit margin over the last 30 days, a percentage from 0 to 100. Null when unknown. */
  readonly profitMarginLast30Days: number | null;
  /** Growth of revenue over 30 days, a percentage: 24 means 24%, and it may be negative. Null when unknown. (The filters minGrowth and maxGrowth are fractions instead: write 0.24, not 24, for 24%.) */
  readonly growth30d: number | null;
  /** Growth of monthly recurring revenue over 30 days, a percentage: 24 means 24%, and it may be negative. Null when unknown. */
  readonly growthMRR30d: number | null;
  /** Asking price divided by twelve times the revenue of the last 30 days, unrounded: the price in years of revenue. Null without an asking price or without revenue. */
  readonly multiple: number | null;
  /** Visitors of the website in the last 30 days, from a web-analytics provider or from search-console clicks. Null when neither is connected. */
  readonly visitorsLast30Days: number | null;
  /** Times the website appeared in Google search results in the last 30 days. Null without a search-console connection. */
  readonly googleSearchImpressionsLast30Days: number | null;
  /** Revenue of the last 30 days divided by the visitors of the last 30 days, in US cents per visitor, unrounded. Null when the visitors are unknown or none. */
  readonly revenuePerVisitor: number | null;
  /** Whether the startup is listed for sale now. */
  readonly onSale: boolean;
  /** When the startup was first listed for sale, an ISO 8601 date-time in UTC. Null when it never was. */
  readonly firstListedForSaleAt: string | null;
  /** The founder's handle on X, without the leading @. Null when unknown. */
  readonly xHandle: string | null;
  /** Number of people in the team, as a range. Null when unknown. */
  readonly teamSize: TeamSize | null;
  /** Whether the startup is bootstrapped or funded by venture capital. Null when unknown. */
  readonly fundingStatus: FundingStatus | null;
  /** When the payment provider last confirmed the figures, an ISO 8601 date-time in UTC. Null when unknown. */
  readonly verifiedAt: string | null;
  /** The last different asking price of an earlier day, in US cents. Null when there was none. */
  readonly previousAskingPrice: number | null;
  /** When an import changed that price to the present one, an ISO 8601 date-time in UTC. Null when there was none. */
  readonly askingPriceChangedAt: string | null;
  /** Technologies that the startup is built with, such as Next.js; each without commas. Empty when unknown. */
  readonly techStack: string[];
  /** Handles on X of the other founders, each without the leading @. Empty when there is none. */
  readonly cofounders: string[];
  /** Name of the founder. Null when unknown. */
  readonly founderName: string | null;
  /** A message of the founder to readers. Null when there is none. */
  readonly founderMessage: string | null;
  /** Number of followers that the founder has on X. Null when unknown. */
  readonly xFollowerCount: number | null;
  /** Whether the payment provider sells to customers in its own name, as the merchant of record. Null when unknown. */
  readonly isMerchantOfRecord: boolean | null;
  /** What customers gain from the product. Null when unknown. */
  readonly valueProposition: string | null;
  /** The problem that the product solves. Null when unknown. */
  readonly problemSolved: string | null;
  /** How the product is priced, such as a monthly subscription. Null when unknown. */
  readonly pricingModel: string | null;
  /** Who the typical customer is. Null when unknown. */
  readonly targetPersona: string | null;
  /** Whether the startup is ranked. An inactive startup is listed with a null rank. True when an import leaves it out. */
  readonly active: boolean;
}

/** A published document. */
export interface Publication {
  /** The id to request it by: sha256: and the SHA-256 of its text. */
  readonly id: string;
  /** The names of its operations. */
  readonly operations: string[];
  /** Its id in the manifest if clients cannot use it, such as an MD5; otherwise null. */
  readonly replacedId: string | null;
  /** False if it was published before. */
  readonly isNew: boolean;
}

export interface StartupPage {
  readonly data: Startup[];
  readonly meta: {
    /** Count of matching startups over all pages. */
    readonly total: number;
    readonly page: number;
    readonly limit: number;
    /** True when another page follows. */
    readonly hasMore: boolean;
    /** Present only if it is true. True when the search matched only after correcting typing errors in its words. */
    readonly corrected?: boolean | undefined;
  };
}

export interface Summary {
  readonly data: {
    /** Counts by value of all startups that match the filter, not only of this page. */
    readonly facets: {
      /** By primary category. */
      readonly category: {
        /** The value. Null for startups without one. */
        readonly value: string | null;
        /** How many startups have the value. */
        readonly count: number;
      }[];
      /** By payment provider. */
      readonly paymentProvider: {
        /** The value. */
        readonly value: string;
        /** How many startups have the value. */
        readonly count: number;
      }[];
      /** By country. */
      readonly country: {
        /** An ISO 3166-1 alpha-2 code. Null for startups whose country is unknown. */
        readonly value: string | null;
        /** How many startups have the value. */
        readonly count: number;
      }[];
      /** By target audience. */
      readonly targetAudience: {
        /** The value. Null for startups without one. */
        readonly value: string | null;
        /** How many startups have the value. */
        readonly count: number;
      }[];
      /** By team size. */
      readonly teamSize: {
        /** The value. Null for startups without one. */
        readonly value: string | null;
        /** How many startups have the value. */
        readonly count: number;
      }[];
      /** By funding. */
      readonly fundingStatus: {
        /** The value. Null for startups without one. */
        readonly value: string | null;
        /** How many startups have the value. */
        readonly count: number;
      }[];
      /** By whether they are listed for sale. */
      readonly onSale: {
        /** True: listed for sale. */
        readonly value: boolean;
        /** How many startups have the value. */
        readonly count: number;
      }[];
      /** By technology, whatever its case and accents: the 50 most frequent ones, equal ones in the order of their names. A startup counts for each of its technologies. */
      readonly techStack: {
        /** The technology, as the startup that was imported first writes it. Null for startups of which none is known. */
        readonly value: string | null;
        /** How many startups have the value. */
        readonly count: number;
      }[];
      /** By revenue of the last 30 days, in US cents. */
      readonly revenue: {
        /** The minimum of the range. Null: it has none. */
        readonly from: number | null;
        /** The end of the range, which is not part of it. Null: it has none. */
        readonly to: number | null;
        /** How many startups have a value in the range. */
        readonly count: number;
      }[];
      /** By monthly recurring revenue, in US cents. */
      readonly mrr: {
        /** The minimum of the range. Null: it has none. */
        readonly from: number | null;
        /** The end of the range, which is not part of it. Null: it has none. */
        readonly to: number | null;
        /** How many startups have a value in the range. */
        readonly count: number;
      }[];
      /** By asking price, in US cents. Startups without one are not counted. */
      readonly price: {
        /** The minimum of the range. Null: it has none. */
        readonly from: number | null;
        /** The end of the range, which is not part of it. Null: it has none. */
        readonly to: number | null;
        /** How many startups have a value in the range. */
        readonly count: number;
      }[];
      /** By asking price divided by yearly revenue. Startups without a price or revenue are not counted. */
      readonly multiple: {
        /** The minimum of the range. Null: it has none. */
        readonly from: number | null;
        /** The end of the range, which is not part of it. Null: it has none. */
        readonly to: number | null;
        /** How many startups have a value in the range. */
        readonly count: number;
      }[];
      /** By growth of revenue over 30 days, in percent: 24 means 24%. Startups whose growth is unknown are not counted. */
      readonly growth: {
        /** The minimum of the range. Null: it has none. */
        readonly from: number | null;
        /** The end of the range, which is not part of it. Null: it has none. */
        readonly to: number | null;
        /** How many startups have a value in the range. */
        readonly count: number;
      }[];
    };
    /** Figures of all startups that match the filter, not only of this page. */
    readonly stats: {
      /** Revenue of the last 30 days, in US cents. */
      readonly revenue: {
        /** Number of startups that have a value. */
        readonly count: number;
        /** Sum of the values; rounded above 2^53. */
        readonly sum: number;
        /** Minimum. Null when no startup has a value. */
        readonly min: number | null;
        /** The median; of two middle values, the lower one. Null when no startup has a value. */
        readonly median: number | null;
        /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
        readonly p90: number | null;
        /** Maximum. Null when no startup has a value. */
        readonly max: number | null;
      };
      /** Monthly recurring revenue, in US cents. */
      readonly mrr: {
        /** Number of startups that have a value. */
        readonly count: number;
        /** Sum of the values; rounded above 2^53. */
        readonly sum: number;
        /** Minimum. Null when no startup has a value. */
        readonly min: number | null;
        /** The median; of two middle values, the lower one. Null when no startup has a value. */
        readonly median: number | null;
        /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
        readonly p90: number | null;
        /** Maximum. Null when no startup has a value. */
        readonly max: number | null;
      };
      /** Asking price, in US cents. */
      readonly price: {
        /** Number of startups that have a value. */
        readonly count: number;
        /** Sum of the values; rounded above 2^53. */
        readonly sum: number;
        /** Minimum. Null when no startup has a value. */
        readonly min: number | null;
        /** The median; of two middle values, the lower one. Null when no startup has a value. */
        readonly median: number | null;
        /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
        readonly p90: number | null;
        /** Maximum. Null when no startup has a value. */
        readonly max: number | null;
      };
      /** Asking price divided by yearly revenue, a ratio. */
      readonly multiple: {
        /** Number of startups that have a value. */
        readonly count: number;
        /** Sum of the values; rounded above 2^53. */
        readonly sum: number;
        /** Minimum. Null when no startup has a value. */
        readonly min: number | null;
        /** The median; of two middle values, the lower one. Null when no startup has a value. */
        readonly median: number | null;
        /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
        readonly p90: number | null;
        /** Maximum. Null when no startup has a value. */
        readonly max: number | null;
      };
      /** Growth of revenue over 30 days, a percentage: 24 means 24%. */
      readonly growth: {
        /** Number of startups that have a value. */
        readonly count: number;
        /** Sum of the values; rounded above 2^53. */
        readonly sum: number;
        /** Minimum. Null when no startup has a value. */
        readonly min: number | null;
        /** The median; of two middle values, the lower one. Null when no startup has a value. */
        readonly median: number | null;
        /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
        readonly p90: number | null;
        /** Maximum. Null when no startup has a value. */
        readonly max: number | null;
      };
    };
    /** Present with by. All startups that match the filter, not only those of this page, by the values of a field: a group for each value that startups have (of founders and technologies, for the largest: see StartupGrouping), the largest first, equal ones in the order of the facets, and startups without a value last. */
    readonly groups?: {
      /** The value as a filter takes it: the name of a value of an enumeration, the code of a country, a handle, or a technology. Null for startups without one. */
      readonly value: string | null;
      /** Number of startups. */
      readonly count: number;
      /** Number of those that are listed for sale. */
      readonly onSale: number;
      /** Their figures. */
      readonly stats: {
        /** Revenue of the last 30 days, in US cents. */
        readonly revenue: {
          /** Number of startups that have a value. */
          readonly count: number;
          /** Sum of the values; rounded above 2^53. */
          readonly sum: number;
          /** Minimum. Null when no startup has a value. */
          readonly min: number | null;
          /** The median; of two middle values, the lower one. Null when no startup has a value. */
          readonly median: number | null;
          /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
          readonly p90: number | null;
          /** Maximum. Null when no startup has a value. */
          readonly max: number | null;
        };
        /** Monthly recurring revenue, in US cents. */
        readonly mrr: {
          /** Number of startups that have a value. */
          readonly count: number;
          /** Sum of the values; rounded above 2^53. */
          readonly sum: number;
          /** Minimum. Null when no startup has a value. */
          readonly min: number | null;
          /** The median; of two middle values, the lower one. Null when no startup has a value. */
          readonly median: number | null;
          /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
          readonly p90: number | null;
          /** Maximum. Null when no startup has a value. */
          readonly max: number | null;
        };
        /** Asking price, in US cents. */
        readonly price: {
          /** Number of startups that have a value. */
          readonly count: number;
          /** Sum of the values; rounded above 2^53. */
          readonly sum: number;
          /** Minimum. Null when no startup has a value. */
          readonly min: number | null;
          /** The median; of two middle values, the lower one. Null when no startup has a value. */
          readonly median: number | null;
          /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
          readonly p90: number | null;
          /** Maximum. Null when no startup has a value. */
          readonly max: number | null;
        };
        /** Asking price divided by yearly revenue, a ratio. */
        readonly multiple: {
          /** Number of startups that have a value. */
          readonly count: number;
          /** Sum of the values; rounded above 2^53. */
          readonly sum: number;
          /** Minimum. Null when no startup has a value. */
          readonly min: number | null;
          /** The median; of two middle values, the lower one. Null when no startup has a value. */
          readonly median: number | null;
          /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
          readonly p90: number | null;
          /** Maximum. Null when no startup has a value. */
          readonly max: number | null;
        };
        /** Growth of revenue over 30 days, a percentage: 24 means 24%. */
        readonly growth: {
          /** Number of startups that have a value. */
          readonly count: number;
          /** Sum of the values; rounded above 2^53. */
          readonly sum: number;
          /** Minimum. Null when no startup has a value. */
          readonly min: number | null;
          /** The median; of two middle values, the lower one. Null when no startup has a value. */
          readonly median: number | null;
          /** The 90th percentile: the smallest value that at least 90% of the values do not exceed. Null when no startup has a value. */
          readonly p90: number | null;
          /** Maximum. Null when no startup has a value. */
          readonly max: number | null;
        };
      };
    }[] | undefined;
  };
  readonly meta: {
    /** Count of matching startups over all pages. */
    readonly total: number;
    /** Present only if it is true. True when the search matched only after correcting typing errors in its words. */
    readonly corrected?: boolean | undefined;
  };
}

/** The latest change of a startup. */
export interface Change {
  /** Slug of the startup, even if it was removed. */
  readonly slug: string;
  /** What happened to the startup. */
  readonly kind: ChangeKind;
  /** The time of the import that changed the startup. */
  readonly at: string;
  /** The startup as it is now. Null if it was removed. */
  readonly startup: SnapshotStartup | null;
}

export interface ChangePage {
  readonly data: Change[];
  readonly meta: {
    /** The cursor for the next call: pass it as since. Set even when there are no new changes. */
    readonly next: string;
    /** True when more records follow. */
    readonly hasMore: boolean;
  };
}

/** Figures of a startup at the end of a UTC day on which an import changed it. They apply until the next point. */
export interface StartupPoint {
  /** The day, in UTC. */
  readonly day: string;
  /** Verified revenue, in US cents. */
  readonly revenue: {
    /** Verified revenue of the last 30 days, in US cents. */
    readonly last30Days: number;
    /** Monthly recurring revenue, in US cents. */
    readonly mrr: number;
    /** All revenue known to the payment provider, in US cents. RevenueCat connections over its API have the whole history; its legacy connections begin about 30 days before the startup was connected. */
    readonly total: number;
  };
  /** Total number of customers. */
  readonly customers: number;
  /** Number of subscriptions that were active. */
  readonly activeSubscriptions: number;
  /** Asking price, in US cents. Null when none was stated. */
  readonly askingPrice: number | null;
  /** Whether the startup was listed for sale. */
  readonly onSale: boolean;
}

export interface StartupHistory {
  readonly data: StartupPoint[];
  readonly meta: {
    /** First requested day, in UTC. */
    readonly from: string;
    /** Last requested day, in UTC. */
    readonly to: string;
    /** Number of items. */
    readonly count: number;
  };
}

/** Totals and medians of all startups, or of one category, at the end of a day. */
export interface MarketDay {
  /** The day, in UTC. */
  readonly day: string;
  /** Number of startups. */
  readonly count: number;
  /** Number of startups listed for sale. */
  readonly onSale: number;
  /** Revenue of the last 30 days, in US cents. */
  readonly revenue: {
    /** Sum of the amounts; rounded above 2^53. */
    readonly sum: number;
    /** The median; of two middle amounts, the lower one. Null when there are no startups. */
    readonly median: number | null;
  };
  /** Monthly recurring revenue, in US cents. */
  readonly mrr: {
    /** Sum of the amounts; rounded above 2^53. */
    readonly sum: number;
    /** The median; of two middle amounts, the lower one. Null when there are no startups. */
    readonly median: number | null;
  };
}

export interface Market {
  readonly data: MarketDay[];
  readonly meta: {
    /** First requested day, in UTC. */
    readonly from: string;
    /** Last requested day, in UTC. */
    readonly to: string;
    /** Number of items. */
    readonly count: number;
  };
}

export interface Error {
  readonly error: {
    /** The kind of the error, for programs. New codes may be added. */
    readonly code: ErrorCode;
    /** What went wrong, for people. */
    readonly message: string;
    /** Every invalid parameter. */
    readonly details?: {
      /** Name of the invalid parameter. */
      readonly parameter: string;
      /** The value it got, and the allowed values. */
      readonly message: string;
    }[] | undefined;
    /** The same as X-Request-Id. */
    readonly requestId: string;
  };
}

/** Parameters of “List startups”. */
export interface ListStartupsParameters {
  /** Number of the page, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Records per page. */
  readonly limit?: number | undefined;
  /** Order of records. Startups without the sorted value always come last; equal ones are in the order of their first import. Default: relevance with a search, best-deal when onSale is true, otherwise revenue-desc. */
  readonly sort?: StartupSort | undefined;
  /** Only startups that contain words beginning with each of these words, in any order, in their name, slug, handle, website (its host without the last label) or description. Case and accents do not matter, and letters such as ß and ø match ss and o. If no startup contains them, one typing error is corrected in each word of five or more letters without digits. At most 100 characters and 8 words, and at least one letter or digit. */
  readonly search?: string | undefined;
  /** True: only startups listed for sale. False: only those not for sale. */
  readonly onSale?: boolean | undefined;
  /** Only startups of this primary category. */
  readonly category?: Category | readonly Category[] | undefined;
  /** Only startups of the founder with this handle on X. Case does not matter; a leading '@' is ignored. */
  readonly xHandle?: string | undefined;
  /** Only startups with a team of this size. Excludes those whose team size is unknown. */
  readonly teamSize?: TeamSize | readonly TeamSize[] | undefined;
  /** Only startups funded this way. Excludes those whose funding is unknown. */
  readonly fundingStatus?: FundingStatus | readonly FundingStatus[] | undefined;
  /** Only startups of this country, an ISO 3166-1 alpha-2 code in capitals such as DE. */
  readonly country?: string | readonly string[] | undefined;
  /** Only startups verified through this provider. */
  readonly paymentProvider?: PaymentProvider | readonly PaymentProvider[] | undefined;
  /** Only startups with exactly this audience. Those that sell to both audiences have a value of their own. */
  readonly targetAudience?: TargetAudience | readonly TargetAudience[] | undefined;
  /** Only startups with this website, as a URL or a host such as acme.io. Scheme, www., port, query, fragment, case and a final slash are ignored. With a path, only startups whose website has the same path or one above it. */
  readonly website?: string | undefined;
  /** Only startups built with any of these technologies, such as Next.js. Case and accents do not matter. Excludes startups of which none is known. */
  readonly techStack?: string | readonly string[] | undefined;
  /** Only startups with these slugs. */
  readonly slug?: string | readonly string[] | undefined;
  /** True: only startups that take part in the ranking. False: only those that do not. */
  readonly active?: boolean | undefined;
  /** Minimum revenue of the last 30 days, in US cents, inclusive. */
  readonly minRevenue?: number | undefined;
  /** Maximum revenue of the last 30 days, in US cents, inclusive. */
  readonly maxRevenue?: number | undefined;
  /** Minimum monthly recurring revenue, in US cents, inclusive. */
  readonly minMrr?: number | undefined;
  /** Maximum monthly recurring revenue, in US cents, inclusive. */
  readonly maxMrr?: number | undefined;
  /** Minimum 30-day revenue growth, as a fraction: write 0.24, not 24, for 24% (growth30d has 24), inclusive. Excludes startups whose growth is unknown. */
  readonly minGrowth?: number | undefined;
  /** Maximum 30-day revenue growth, as a fraction: write 0.24, not 24, for 24% (growth30d has 24), inclusive. Excludes startups whose growth is unknown. */
  readonly maxGrowth?: number | undefined;
  /** Minimum asking price, in US cents, inclusive. Excludes startups without an asking price. */
  readonly minPrice?: number | undefined;
  /** Maximum asking price, in US cents, inclusive. Excludes startups without an asking price. */
  readonly maxPrice?: number | undefined;
  /** Minimum multiple: the asking price in years of revenue, inclusive. Excludes startups without an asking price or revenue. */
  readonly minMultiple?: number | undefined;
  /** Maximum multiple: the asking price in years of revenue, inclusive. Excludes startups without an asking price or revenue. */
  readonly maxMultiple?: number | undefined;
  /** Minimum number of customers, inclusive. */
  readonly minCustomers?: number | undefined;
  /** Maximum number of customers, inclusive. */
  readonly maxCustomers?: number | undefined;
  /** Minimum total revenue, in US cents, inclusive. */
  readonly minTotal?: number | undefined;
  /** Maximum total revenue, in US cents, inclusive. */
  readonly maxTotal?: number | undefined;
  /** Minimum number of website visitors in the last 30 days, inclusive. Excludes startups whose visitors are unknown. */
  readonly minVisitors?: number | undefined;
  /** Maximum number of website visitors in the last 30 days, inclusive. Excludes startups whose visitors are unknown. */
  readonly maxVisitors?: number | undefined;
  /** Minimum profit margin over the last 30 days, in percent (24 means 24%), inclusive. Excludes startups whose margin is unknown. */
  readonly minMargin?: number | undefined;
  /** Maximum profit margin over the last 30 days, in percent (24 means 24%), inclusive. Excludes startups whose margin is unknown. */
  readonly maxMargin?: number | undefined;
  /** Only startups founded at this time or later, inclusive. Excludes startups whose founding date is unknown. An ISO 8601 date (midnight UTC) or date-time. */
  readonly foundedAfter?: string | undefined;
  /** Only startups founded at this time or earlier, inclusive. Excludes startups whose founding date is unknown. An ISO 8601 date (midnight UTC) or date-time. */
  readonly foundedBefore?: string | undefined;
  /** Only startups created or changed at this time or later, inclusive. An ISO 8601 date (midnight UTC) or date-time. */
  readonly updatedSince?: string | undefined;
  /** Only startups whose asking price was reduced at this time or later, inclusive. Excludes startups whose price rose when it last changed. An ISO 8601 date (midnight UTC) or date-time. */
  readonly priceReducedSince?: string | undefined;
  /** Only startups added to the data at this time or later, inclusive. An ISO 8601 date (midnight UTC) or date-time. */
  readonly createdSince?: string | undefined;
  /** Only startups first listed for sale at this time or later, inclusive. Excludes startups never listed. An ISO 8601 date (midnight UTC) or date-time. */
  readonly listedSince?: string | undefined;
  /** Only startups last verified at this time or later, inclusive. Excludes startups never verified. An ISO 8601 date (midnight UTC) or date-time. */
  readonly verifiedSince?: string | undefined;
}

/** Parameters of “Get a summary of a list”. */
export interface GetSummaryParameters {
  /** Only startups that contain words beginning with each of these words, in any order, in their name, slug, handle, website (its host without the last label) or description. Case and accents do not matter, and letters such as ß and ø match ss and o. If no startup contains them, one typing error is corrected in each word of five or more letters without digits. At most 100 characters and 8 words, and at least one letter or digit. */
  readonly search?: string | undefined;
  /** True: only startups listed for sale. False: only those not for sale. */
  readonly onSale?: boolean | undefined;
  /** Only startups of this primary category. */
  readonly category?: Category | readonly Category[] | undefined;
  /** Only startups of the founder with this handle on X. Case does not matter; a leading '@' is ignored. */
  readonly xHandle?: string | undefined;
  /** Only startups with a team of this size. Excludes those whose team size is unknown. */
  readonly teamSize?: TeamSize | readonly TeamSize[] | undefined;
  /** Only startups funded this way. Excludes those whose funding is unknown. */
  readonly fundingStatus?: FundingStatus | readonly FundingStatus[] | undefined;
  /** Only startups of this country, an ISO 3166-1 alpha-2 code in capitals such as DE. */
  readonly country?: string | readonly string[] | undefined;
  /** Only startups verified through this provider. */
  readonly paymentProvider?: PaymentProvider | readonly PaymentProvider[] | undefined;
  /** Only startups with exactly this audience. Those that sell to both audiences have a value of their own. */
  readonly targetAudience?: TargetAudience | readonly TargetAudience[] | undefined;
  /** Only startups with this website, as a URL or a host such as acme.io. Scheme, www., port, query, fragment, case and a final slash are ignored. With a path, only startups whose website has the same path or one above it. */
  readonly website?: string | undefined;
  /** Only startups built with any of these technologies, such as Next.js. Case and accents do not matter. Excludes startups of which none is known. */
  readonly techStack?: string | readonly string[] | undefined;
  /** Only startups with these slugs. */
  readonly slug?: string | readonly string[] | undefined;
  /** True: only startups that take part in the ranking. False: only those that do not. */
  readonly active?: boolean | undefined;
  /** Minimum revenue of the last 30 days, in US cents, inclusive. */
  readonly minRevenue?: number | undefined;
  /** Maximum revenue of the last 30 days, in US cents, inclusive. */
  readonly maxRevenue?: number | undefined;
  /** Minimum monthly recurring revenue, in US cents, inclusive. */
  readonly minMrr?: number | undefined;
  /** Maximum monthly recurring revenue, in US cents, inclusive. */
  readonly maxMrr?: number | undefined;
  /** Minimum 30-day revenue growth, as a fraction: write 0.24, not 24, for 24% (growth30d has 24), inclusive. Excludes startups whose growth is unknown. */
  readonly minGrowth?: number | undefined;
  /** Maximum 30-day revenue growth, as a fraction: write 0.24, not 24, for 24% (growth30d has 24), inclusive. Excludes startups whose growth is unknown. */
  readonly maxGrowth?: number | undefined;
  /** Minimum asking price, in US cents, inclusive. Excludes startups without an asking price. */
  readonly minPrice?: number | undefined;
  /** Maximum asking price, in US cents, inclusive. Excludes startups without an asking price. */
  readonly maxPrice?: number | undefined;
  /** Minimum multiple: the asking price in years of revenue, inclusive. Excludes startups without an asking price or revenue. */
  readonly minMultiple?: number | undefined;
  /** Maximum multiple: the asking price in years of revenue, inclusive. Excludes startups without an asking price or revenue. */
  readonly maxMultiple?: number | undefined;
  /** Minimum number of customers, inclusive. */
  readonly minCustomers?: number | undefined;
  /** Maximum number of customers, inclusive. */
  readonly maxCustomers?: number | undefined;
  /** Minimum total revenue, in US cents, inclusive. */
  readonly minTotal?: number | undefined;
  /** Maximum total revenue, in US cents, inclusive. */
  readonly maxTotal?: number | undefined;
  /** Minimum number of website visitors in the last 30 days, inclusive. Excludes startups whose visitors are unknown. */
  readonly minVisitors?: number | undefined;
  /** Maximum number of website visitors in the last 30 days, inclusive. Excludes startups whose visitors are unknown. */
  readonly maxVisitors?: number | undefined;
  /** Minimum profit margin over the last 30 days, in percent (24 means 24%), inclusive. Excludes startups whose margin is unknown. */
  readonly minMargin?: number | undefined;
  /** Maximum profit margin over the last 30 days, in percent (24 means 24%), inclusive. Excludes startups whose margin is unknown. */
  readonly maxMargin?: number | undefined;
  /** Only startups founded at this time or later, inclusive. Excludes startups whose founding date is unknown. An ISO 8601 date (midnight UTC) or date-time. */
  readonly foundedAfter?: string | undefined;
  /** Only startups founded at this time or earlier, inclusive. Excludes startups whose founding date is unknown. An ISO 8601 date (midnight UTC) or date-time. */
  readonly foundedBefore?: string | undefined;
  /** Only startups created or changed at this time or later, inclusive. An ISO 8601 date (midnight UTC) or date-time. */
  readonly updatedSince?: string | undefined;
  /** Only startups whose asking price was reduced at this time or later, inclusive. Excludes startups whose price rose when it last changed. An ISO 8601 date (midnight UTC) or date-time. */
  readonly priceReducedSince?: string | undefined;
  /** Only startups added to the data at this time or later, inclusive. An ISO 8601 date (midnight UTC) or date-time. */
  readonly createdSince?: string | undefined;
  /** Only startups first listed for sale at this time or later, inclusive. Excludes startups never listed. An ISO 8601 date (midnight UTC) or date-time. */
  readonly listedSince?: string | undefined;
  /** Only startups last verified at this time or later, inclusive. Excludes startups never verified. An ISO 8601 date (midnight UTC) or date-time. */
  readonly verifiedSince?: string | undefined;
  /** Adds groups: the figures of the startups that have a value of this field in common. */
  readonly by?: StartupGrouping | undefined;
}

/** Parameters of “List changes”. */
export interface ListChangesParameters {
  /** Only changes after this cursor: the value of next in an earlier response. Without it, or with start, the latest change of every startup is returned. */
  readonly since?: string | undefined;
  /** Maximum number of changes. */
  readonly limit?: number | undefined;
}

/** Parameters of “Get the history of a startup”. */
export interface GetStartupHistoryParameters {
  /** First day, in UTC. Default: 89 days before the last day. */
  readonly from?: string | undefined;
  /** Last day, in UTC, not in the future. Default: today. From the first to the last day are at most 90 days. */
  readonly to?: string | undefined;
  /** At most this many points: the latest of these days. */
  readonly last?: number | undefined;
  /** Whether a day without a point repeats the last point before it, even one from before the range; not a day on which the startup was not in the data. Default: false. */
  readonly fill?: boolean | undefined;
}

/** Parameters of “Get the market by day”. */
export interface GetMarketParameters {
  /** Only startups of this category. Default: all. */
  readonly category?: Category | undefined;
  /** First day, in UTC. Default: 89 days before the last day. */
  readonly from?: string | undefined;
  /** Last day, in UTC, not in the future. Default: today. From the first to the last day are at most 90 days. */
  readonly to?: string | undefined;
}
