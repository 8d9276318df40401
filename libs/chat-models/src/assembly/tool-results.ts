import { cut } from './cut.ts';
import type { Exchange } from './turns.ts';

/** Shorter results are left unchanged. */
const LEAST_TOKENS = 256;

/** Shortens the exchange to this many tokens, as far as cutting the middle of its longest tool results allows. */
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
