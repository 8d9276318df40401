import { cut } from './cut.ts';
import type { Exchange } from './turns.ts';

/** Results that are shorter are left as they are. */
const LEAST_TOKENS = 256;

/** The exchange in at most so many tokens, as far as cutting the middle of its longest results of tools can do it. */
export async function shortenedResults(
  exchange: Exchange,
  tokens: number,
  count: (exchange: Exchange) => Promise<number>,
): Promise<Exchange> {
  let shorter = exchange;
  if (!exchange.some(({ role }) => role === 'tool')) return exchange;
  for (let most = Math.max(LEAST_TOKENS, tokens); most >= LEAST_TOKENS && (await count(shorter)) > tokens; most = Math.floor(most / 2))
    shorter = await Promise.all(shorter.map((turn) => withResultsOf(turn, most)));
  return shorter;
}

async function withResultsOf(turn: Exchange[number], tokens: number): Promise<Exchange[number]> {
  if (!turn.results) return turn;
  const results = await Promise.all(turn.results.map(async (result) => ({ ...result, text: await cut(result.text, tokens, 'both ends') })));
  return { ...turn, results };
}
