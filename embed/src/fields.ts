// Written from the tables of the API by: npm run types

/** The heading and the kind of each field. */
export const fields: Readonly<Record<string, readonly [label: string, kind: string]>> = {
  "name": [
    "Startup",
    "string"
  ],
  "slug": [
    "Slug",
    "slug"
  ],
  "icon": [
    "Icon",
    "url"
  ],
  "description": [
    "Description",
    "string"
  ],
  "website": [
    "Website",
    "url"
  ],
  "country": [
    "Country",
    "country"
  ],
  "foundedDate": [
    "Founded",
    "date"
  ],
  "category": [
    "Category",
    "choice"
  ],
  "paymentProvider": [
    "Verified via",
    "choice"
  ],
  "targetAudience": [
    "Target audience",
    "choice"
  ],
  "revenue.last30Days": [
    "Revenue 30d",
    "cents"
  ],
  "revenue.mrr": [
    "MRR",
    "cents"
  ],
  "revenue.total": [
    "Revenue total",
    "cents"
  ],
  "customers": [
    "Customers",
    "count"
  ],
  "activeSubscriptions": [
    "Active subscriptions",
    "count"
  ],
  "askingPrice": [
    "Asking price",
    "cents"
  ],
  "profitMarginLast30Days": [
    "Margin",
    "percent"
  ],
  "growth30d": [
    "Growth 30d",
    "change"
  ],
  "growthMRR30d": [
    "Growth MRR 30d",
    "change"
  ],
  "multiple": [
    "Multiple",
    "ratio"
  ],
  "rank": [
    "Rank",
    "count"
  ],
  "visitorsLast30Days": [
    "Visitors 30d",
    "count"
  ],
  "googleSearchImpressionsLast30Days": [
    "Google search impressions last 30 days",
    "count"
  ],
  "revenuePerVisitor": [
    "Revenue per visitor",
    "price"
  ],
  "onSale": [
    "On sale",
    "boolean"
  ],
  "firstListedForSaleAt": [
    "First listed for sale at",
    "date"
  ],
  "xHandle": [
    "X handle",
    "handle"
  ],
  "teamSize": [
    "Team size",
    "choice"
  ],
  "fundingStatus": [
    "Funding status",
    "choice"
  ],
  "verifiedAt": [
    "Verified",
    "age"
  ],
  "previousAskingPrice": [
    "Previous asking price",
    "cents"
  ],
  "askingPriceChangedAt": [
    "Asking price changed at",
    "date"
  ],
  "techStack": [
    "Tech stack",
    "texts"
  ],
  "cofounders": [
    "Cofounders",
    "handles"
  ],
  "founderName": [
    "Founder name",
    "string"
  ],
  "founderMessage": [
    "Founder message",
    "string"
  ],
  "xFollowerCount": [
    "X follower count",
    "count"
  ],
  "isMerchantOfRecord": [
    "Is merchant of record",
    "boolean"
  ],
  "valueProposition": [
    "Value proposition",
    "string"
  ],
  "problemSolved": [
    "Problem solved",
    "string"
  ],
  "pricingModel": [
    "Pricing model",
    "string"
  ],
  "targetPersona": [
    "Target persona",
    "string"
  ],
  "active": [
    "Active",
    "boolean"
  ]
};

/** The display names of values in GraphQL. */
export const terms: Readonly<Record<string, string>> = {
  "AI": "Artificial Intelligence",
  "SAAS": "Software as a Service",
  "DEVELOPER_TOOLS": "Developer Tools",
  "FINTECH": "Financial Technology",
  "MARKETING": "Marketing",
  "ECOMMERCE": "E-Commerce",
  "PRODUCTIVITY": "Productivity",
  "DESIGN_TOOLS": "Design Tools",
  "NO_CODE": "No-Code",
  "ANALYTICS": "Analytics",
  "CRYPTO_WEB3": "Crypto & Web3",
  "EDUCATION": "Education",
  "HEALTH_FITNESS": "Health & Fitness",
  "SOCIAL_MEDIA": "Social Media",
  "CONTENT_CREATION": "Content Creation",
  "SALES": "Sales",
  "CUSTOMER_SUPPORT": "Customer Support",
  "RECRUITING": "Recruiting",
  "REAL_ESTATE": "Real Estate",
  "TRAVEL": "Travel",
  "LEGAL": "Legal",
  "SECURITY": "Security",
  "IOT_HARDWARE": "IoT & Hardware",
  "GREEN_TECH": "Green Technology",
  "ENTERTAINMENT": "Entertainment",
  "GAMES": "Games",
  "COMMUNITY": "Community",
  "NEWS_MAGAZINES": "News & Magazines",
  "UTILITIES": "Utilities",
  "MARKETPLACE": "Marketplace",
  "MOBILE_APPS": "Mobile Apps",
  "STRIPE": "Stripe",
  "LEMONSQUEEZY": "Lemon Squeezy",
  "POLAR": "Polar",
  "REVENUECAT": "RevenueCat",
  "DODOPAYMENT": "Dodo Payments",
  "PADDLE": "Paddle",
  "SUPERWALL": "Superwall",
  "APPSTORE": "App Store",
  "CREEM": "Creem",
  "WHOP": "Whop",
  "SHOPIFY": "Shopify",
  "B2B": "Businesses",
  "B2C": "Consumers",
  "BOTH": "Businesses and consumers",
  "SIZE_1": "1 person",
  "SIZE_2_5": "2 to 5 people",
  "SIZE_6_10": "6 to 10 people",
  "SIZE_11_25": "11 to 25 people",
  "SIZE_26_50": "26 to 50 people",
  "SIZE_51_PLUS": "51 or more people",
  "BOOTSTRAPPED": "Bootstrapped",
  "VC_FUNDED": "Venture capital"
};
