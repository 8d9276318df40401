import type { ServiceUnderTest } from '@parlance/foundation/harness';

interface Lending {
  readonly needed: number;
  readonly closed: readonly { block: string; uses: number | null }[];
}

/** Stands in for analytics: lends the requested amount, unless configured otherwise. */
export class AnalyticsService {
  answer: 'lends' | 'refuses' | 'is away' | 'has no such budget' = 'lends';
  isBeyond = false;
  /** A promise that each loan waits for. */
  lending: Promise<void> = Promise.resolve();
  messagesOfABlock = 3;
  suffix = '';
  /** Calls that were not answered. */
  lost = 0;
  readonly lendings: Lending[] = [];
  readonly closed: Lending['closed'][number][] = [];

  async enter({ host }: ServiceUnderTest): Promise<void> {
    const inject = async ({ url, payload }: { url: string; payload: string }) => {
      if (this.answer === 'is away') {
        this.lost++;
        throw new Error('away');
      }
      const body = JSON.parse(payload) as Lending;
      this.closed.push(...body.closed);
      if (url.endsWith('/close')) return answered(204, '');
      this.lendings.push(body);
      await this.lending;
      if (this.answer === 'refuses')
        return answered(429, problem('budget_exceeded', 'The daily budget of this user has not enough left for this message.'), {
          'retry-after': '60',
        });
      if (this.answer === 'has no such budget') return answered(404, problem('budget_not_found', 'There is no such budget.'));
      const block = `2026-11-22-b${this.lendings.length}${this.suffix}`;
      return answered(200, {
        block,
        amount: body.needed * this.messagesOfABlock,
        usable_millis: 45_000,
        is_beyond: this.isBeyond,
        resets_at: 1_800_000_000,
      });
    };
    await host.local.enter('analytics', { ready: async () => undefined, inject } as never);
  }
}

const problem = (code: string, detail: string) => ({
  code,
  detail,
  resets_at: 1_800_000_000,
  budget: { scope: 'user', group: null, period: 'DAY' },
});
const answered = (statusCode: number, body: object | string, headers: object = {}) => ({
  statusCode,
  headers: { 'content-type': statusCode < 400 ? 'application/json' : 'application/problem+json', ...headers },
  payload: typeof body === 'string' ? body : JSON.stringify(body),
});
