import { Injectable } from '@nestjs/common';
import { Refusal, refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { LimitRows } from '@parlance/limits';
import type { CallTerms } from '@parlance/observability';

const MINUTE = 60_000;
/** How long a process's calls count as in flight after it has last begun, ended or renewed one. */
const IN_FLIGHT_MILLIS = 60_000;

/** The calls of one token in a minute, and the calls in flight of each process. */
interface Counts {
  readonly minute: number;
  readonly requests: number;
  readonly tokens: number;
  readonly inFlight: Readonly<Record<string, { readonly calls: number; readonly until: number }>>;
}

/** What is left of a token's limits in the current minute. */
export interface Remaining {
  readonly requests: { readonly limit: number; readonly remaining: number } | null;
  readonly tokens: { readonly limit: number; readonly remaining: number } | null;
  readonly resetMillis: number;
}

/** The requests and tokens of the current minute, and the calls in progress. */
export interface UsedLimits {
  readonly requests: number;
  readonly tokens: number;
  readonly parallel: number;
}

/** An admitted call. `end` must be called once. */
export interface AdmittedCall {
  readonly remaining: Remaining | null;
  /** `tokens`: what the call has used in place of the tokens that it was admitted with. */
  end(tokens: number): void;
}

interface EndedCall {
  readonly tokenId: string;
  /** In which it was admitted. */
  readonly minute: number;
  readonly difference: number;
}

const UNLIMITED: AdmittedCall = { remaining: null, end: () => undefined };
const NO_COUNTS: Counts = { minute: 0, requests: 0, tokens: 0, inFlight: {} };

type Changing<Answer> = (counts: Counts, now: number) => { readonly counts: Counts; readonly answer: Answer };
type Limits = Pick<CallTerms, 'requests_per_minute' | 'tokens_per_minute' | 'max_parallel_requests'>;

/** The limits of tokens, counted in one row for all processes. A token without limits costs nothing. */
@Injectable()
export class CallLimits {
  private readonly process = newId();
  /** The calls of each token in this process. */
  private readonly running = new Map<string, number>();
  /** The changes of each token's row that this process waits for. */
  private readonly changing = new Map<string, number>();
  /** Tokens whose rows may count calls that this process does not make, because the outcome of a change is not known. */
  private readonly doubted = new Set<string>();

  /** Ends that the rows could not take. */
  private readonly uncounted: EndedCall[] = [];

  constructor(private readonly rows: LimitRows) {}

  /** `tokens`: called only if tokens are limited. Throws the refusals `rate_limit_exceeded` and `too_many_parallel_requests` (limited). */
  async admit(tokenId: string, terms: Limits, tokens: () => Promise<number>): Promise<AdmittedCall> {
    const { requests_per_minute, tokens_per_minute, max_parallel_requests } = terms;
    if (requests_per_minute === null && tokens_per_minute === null && max_parallel_requests === null) return UNLIMITED;
    const wanted = tokens_per_minute === null ? 0 : await tokens();
    let minute = 0;
    const begin = (counts: Counts, now: number) => {
      ({ minute } = counts);
      const resetMillis = MINUTE - (now % MINUTE);
      const refusal = refusalOf(counts, terms, wanted, resetMillis);
      if (refusal) return { counts, answer: refusal };
      const next = { ...counts, requests: counts.requests + 1, tokens: counts.tokens + wanted };
      return { counts: this.withCalls(next, 1, now), answer: remainingOf(next, terms, resetMillis) };
    };
    const answer = await this.known<Remaining | Refusal>(tokenId, begin, (its) => {
      if (!('kind' in its)) add(this.running, tokenId, 1);
    });
    if ('kind' in answer) throw answer;
    return { remaining: answer, end: (used) => this.end({ tokenId, minute, difference: used - wanted }) };
  }

  /** What the calls of a token have used of its limits. Not exact: calls that begin meanwhile may be missing. */
  async usedBy(tokenId: string): Promise<UsedLimits> {
    const { requests, tokens, inFlight } = await this.change(tokenId, (counts) => ({ counts, answer: counts }));
    return { requests, tokens, parallel: callsInFlight(inFlight) };
  }

  get isIdle(): boolean {
    return this.running.size === 0 && this.uncounted.length === 0 && this.doubted.size === 0;
  }

  /** Keeps the calls of this process counted as in flight, and counts the ends that could not be counted before. */
  async renew(): Promise<void> {
    for (const ended of this.uncounted.splice(0)) await this.count(ended);
    for (const tokenId of new Set([...this.running.keys(), ...this.doubted])) {
      const isKnown = await this.change(tokenId, (counts, now) => {
        const isQuiet = !this.changing.has(tokenId);
        const calls = isQuiet ? (this.running.get(tokenId) ?? 0) : this.callsIn(counts);
        return { counts: this.withCalls(counts, calls - this.callsIn(counts), now), answer: isQuiet };
      });
      if (isKnown) this.doubted.delete(tokenId);
    }
  }

  private end(ended: EndedCall): void {
    add(this.running, ended.tokenId, -1);
    void this.count(ended);
  }

  private async count(ended: EndedCall): Promise<void> {
    const { tokenId, minute, difference } = ended;
    try {
      await this.known(tokenId, (counts, now) => {
        // A minute is over for a call that began in it: the next one has not counted its reservation.
        const tokens = counts.minute === minute ? Math.max(0, counts.tokens + difference) : counts.tokens;
        return { counts: this.withCalls({ ...counts, tokens }, -1, now), answer: null };
      });
    } catch {
      this.uncounted.push(ended);
    }
  }

  private callsIn({ inFlight }: Counts): number {
    return inFlight[this.process]?.calls ?? 0;
  }

  /** With more or fewer calls of this process. */
  private withCalls(counts: Counts, more: number, now: number): Counts {
    const { [this.process]: _, ...others } = counts.inFlight;
    const calls = Math.max(0, this.callsIn(counts) + more);
    return { ...counts, inFlight: calls === 0 ? others : { ...others, [this.process]: { calls, until: now + IN_FLIGHT_MILLIS } } };
  }

  /** Changes a row, and then this process's own count. In between, and if the change fails, the row is not compared with that count. */
  private async known<Answer>(tokenId: string, change: Changing<Answer>, then?: (answer: Answer) => void): Promise<Answer> {
    add(this.changing, tokenId, 1);
    try {
      const answer = await this.change(tokenId, change);
      then?.(answer);
      return answer;
    } catch (error) {
      this.doubted.add(tokenId);
      throw error;
    } finally {
      add(this.changing, tokenId, -1);
    }
  }

  private change<Answer>(tokenId: string, change: Changing<Answer>): Promise<Answer> {
    return this.rows.change<Counts, Answer>(`calls-${tokenId}`, (row, now) => {
      const minute = Math.floor(now / MINUTE);
      const { inFlight, ...sums } = row ?? NO_COUNTS;
      const living = Object.fromEntries(Object.entries(inFlight).filter(([, { until }]) => until > now));
      const current = sums.minute === minute ? { ...sums, inFlight: living } : { ...NO_COUNTS, minute, inFlight: living };
      const { counts, answer } = change(current, now);
      return { row: counts, keptMillis: Math.max(MINUTE, IN_FLIGHT_MILLIS), answer };
    });
  }
}

/** The fact of a refusal that has the limits of its token. */
const REMAINING = 'remaining_of_token';

/** What was left of a token's limits when a call was refused. Null for a token without limits, and for other refusals. */
export const remainingIn = (error: unknown): Remaining | null =>
  error instanceof Refusal ? ((error.facts[REMAINING] as Remaining | undefined) ?? null) : null;

/** The refusal of an admitted call, with what is left of its token's limits. */
export function refusalWith(remaining: Remaining | null, error: unknown): unknown {
  if (remaining === null || !(error instanceof Refusal)) return error;
  return new Refusal(error.kind, error.code, error.message, { ...error.facts, [REMAINING]: remaining });
}

function add(counts: Map<string, number>, name: string, more: number): void {
  const count = (counts.get(name) ?? 0) + more;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

const callsInFlight = (inFlight: Counts['inFlight']): number => Object.values(inFlight).reduce((sum, { calls }) => sum + calls, 0);

function refusalOf(counts: Counts, terms: Limits, wanted: number, resetMillis: number): Refusal | null {
  const { requests_per_minute: requests, tokens_per_minute: tokens, max_parallel_requests: parallel } = terms;
  const facts = { retry_after: resetMillis / 1_000, [REMAINING]: remainingOf(counts, terms, resetMillis) };
  if (requests !== null && counts.requests >= requests)
    return refuse('limited', 'rate_limit_exceeded', `This token allows ${requests} requests a minute.`, facts);
  if (tokens !== null && counts.tokens + wanted > tokens)
    return refuse(
      'limited',
      'rate_limit_exceeded',
      `This token allows ${tokens} tokens a minute. ${counts.tokens} are used or reserved, and this request may need ${wanted}.`,
      facts,
    );
  if (parallel !== null && callsInFlight(counts.inFlight) >= parallel)
    return refuse('limited', 'too_many_parallel_requests', `This token allows ${parallel} requests at the same time.`, {
      ...facts,
      retry_after: 1,
    });
  return null;
}

const remainingOf = ({ requests, tokens }: Counts, { requests_per_minute, tokens_per_minute }: Limits, resetMillis: number): Remaining => ({
  requests: requests_per_minute === null ? null : { limit: requests_per_minute, remaining: Math.max(0, requests_per_minute - requests) },
  tokens: tokens_per_minute === null ? null : { limit: tokens_per_minute, remaining: Math.max(0, tokens_per_minute - tokens) },
  resetMillis,
});
