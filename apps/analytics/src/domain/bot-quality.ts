/** What users asked a bot in a window, and how they rated its replies. */
export interface BotQuality {
  queries: number;
  replies: number;
  up: number;
  down: number;
}

/** The 97.5th percentile of the standard normal distribution. */
const Z = 1.96;

/**
 * The upper end of Wilson's 95% interval for the share of good ratings: at most this many users are satisfied. So a bot with 60 bad ratings of
 * 100 comes before a bot with one bad rating of one, which says little.
 */
export function mostSatisfied({ up, down }: Pick<BotQuality, 'up' | 'down'>): number {
  const rated = up + down;
  if (rated === 0) return 1;
  const share = up / rated;
  const z2 = Z * Z;
  const spread = Z * Math.sqrt((share * (1 - share)) / rated + z2 / (4 * rated * rated));
  // Rounding would give a little more than 1 for some bots whose ratings are all good.
  return Math.min(1, (share + z2 / (2 * rated) + spread) / (1 + z2 / rated));
}

/** Bots with the clearest bad ratings first; then those with the most questions. */
export const worstFirst = (one: BotQuality, other: BotQuality): number =>
  mostSatisfied(one) - mostSatisfied(other) || other.queries - one.queries;

/** Bots that are asked most first. */
export const busiestFirst = (one: BotQuality, other: BotQuality): number => other.queries - one.queries || worstFirst(one, other);
