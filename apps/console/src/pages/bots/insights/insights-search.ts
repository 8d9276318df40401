export const DAYS = [7, 30, 90, 365] as const;

export interface InsightsSearch {
  /** Days up to today. Default 30. */
  readonly days?: (typeof DAYS)[number];
}

export const insightsSearch = (search: Record<string, unknown>): InsightsSearch => ({ days: DAYS.find((days) => days === search['days']) });
