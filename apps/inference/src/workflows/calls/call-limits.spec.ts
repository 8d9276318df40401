import { describe, expect, it, jest } from '@jest/globals';
import { MemoryLimitRows } from '@parlance/limits';
import fc from 'fast-check';
import { type AdmittedCall, CallLimits } from './call-limits.ts';

const none = { requests_per_minute: null, tokens_per_minute: null, max_parallel_requests: null };

function limitsAt(start = 0) {
  const clock = { now: start };
  const rows = new MemoryLimitRows({ outlivedMillis: 0, now: () => clock.now });
  return { clock, rows, limits: new CallLimits(rows) };
}
const admitted = (limits: CallLimits, terms: object, tokens = 0) =>
  limits.admit('t', { ...none, ...terms }, async () => tokens).catch((error: { code: string }) => error.code);

const anAdmission = expect.objectContaining({ end: expect.any(Function) });

describe('the limits of a token', () => {
  it('count nothing for a token without limits', async () => {
    const { limits, rows } = limitsAt();
    expect([await admitted(limits, {}), rows.size]).toMatchObject([{ remaining: null }, 0]);
  });
  it('allow as many requests in a minute, and again in the next', async () => {
    const { limits, clock } = limitsAt(61_000);
    const terms = { requests_per_minute: 2 };
    expect(await admitted(limits, terms)).toMatchObject({ remaining: { requests: { limit: 2, remaining: 1 }, resetMillis: 59_000 } });
    await admitted(limits, terms);
    expect(await admitted(limits, terms)).toBe('rate_limit_exceeded');
    clock.now = 120_000;
    expect(await admitted(limits, terms)).toMatchObject({ remaining: { requests: { remaining: 1 } } });
  });
  it('reserve tokens, and count what was used when the call has ended', async () => {
    const { limits } = limitsAt();
    const terms = { tokens_per_minute: 100 };
    const call = (await admitted(limits, terms, 90)) as AdmittedCall;
    expect(await admitted(limits, terms, 20)).toBe('rate_limit_exceeded');
    call.end(10);
    expect(await admitted(limits, terms, 90)).toMatchObject({ remaining: { tokens: { limit: 100, remaining: 0 } } });
  });
  it('count calls in flight until they end, and those of a lost process for a minute', async () => {
    const { limits, rows, clock } = limitsAt();
    const terms = { max_parallel_requests: 1 };
    const call = (await admitted(limits, terms)) as AdmittedCall;
    const other = new CallLimits(rows);
    expect(await admitted(other, terms)).toBe('too_many_parallel_requests');
    call.end(0);
    expect(await admitted(other, terms)).toEqual(anAdmission);
    clock.now = 59_999;
    expect(await admitted(limits, terms)).toBe('too_many_parallel_requests');
    await other.renew();
    clock.now = 60_000;
    expect(await admitted(limits, terms)).toBe('too_many_parallel_requests');
    clock.now = 119_999;
    expect(await admitted(limits, terms)).toEqual(anAdmission);
  });
  it('do not give tokens of an earlier minute to the current one', async () => {
    const { limits, clock } = limitsAt(59_000);
    const terms = { tokens_per_minute: 100 };
    const call = (await admitted(limits, terms, 90)) as AdmittedCall;
    clock.now = 60_000;
    await admitted(limits, terms, 90);
    call.end(10);
    expect(await admitted(limits, terms, 11)).toBe('rate_limit_exceeded');
  });
  it('count the end of a call later if the rows are out of reach', async () => {
    const { limits, rows } = limitsAt();
    const terms = { max_parallel_requests: 1 };
    const call = (await admitted(limits, terms)) as AdmittedCall;
    const change = jest.spyOn(rows, 'change').mockRejectedValueOnce(new Error('away'));
    call.end(0);
    await (change.mock.results[0]!.value as Promise<unknown>).catch(() => undefined);
    expect([await admitted(limits, terms), limits.isIdle]).toEqual(['too_many_parallel_requests', false]);
    await limits.renew();
    expect(await admitted(limits, terms)).toEqual(anAdmission);
  });
  it('do not keep the place of a call that was refused because the answer of the rows was lost', async () => {
    const { limits, rows } = limitsAt();
    const terms = { max_parallel_requests: 2 };
    await admitted(limits, terms);
    const change = rows.change.bind(rows);
    const lost = async (...args: Parameters<typeof change>) => {
      await change(...args);
      throw Object.assign(new Error(), { code: 'away' });
    };
    jest.spyOn(rows, 'change').mockImplementationOnce(lost as typeof change);
    expect([await admitted(limits, terms), await admitted(limits, terms)]).toEqual(['away', 'too_many_parallel_requests']);
    await limits.renew();
    const answers = [await admitted(limits, terms), await admitted(limits, terms)];
    expect(answers).toEqual([anAdmission, 'too_many_parallel_requests']);
  });
  it('count calls that arrive at once', async () => {
    const { limits } = limitsAt();
    const answers = await Promise.all([1, 2, 3].map(() => admitted(limits, { max_parallel_requests: 2 })));
    expect(answers.filter((answer) => typeof answer === 'string')).toEqual(['too_many_parallel_requests']);
  });

  it('are never exceeded by several processes, and never refuse what fits', async () => {
    const step = fc.record({
      process: fc.nat(2),
      tokens: fc.integer({ min: 1, max: 40 }),
      used: fc.nat(40),
      ends: fc.boolean(),
      pause: fc.oneof(fc.nat(100), fc.constant(30_000)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { rows, clock } = limitsAt();
        const processes = [new CallLimits(rows), new CallLimits(rows), new CallLimits(rows)];
        const terms = { requests_per_minute: 10, tokens_per_minute: 150, max_parallel_requests: 4 };
        let open: { readonly call: AdmittedCall; readonly tokens: number; readonly minute: number }[] = [];
        let [minute, requests, reserved] = [0, 0, 0];
        for (const { process, tokens, used, ends, pause } of steps) {
          clock.now += pause;
          for (const each of processes) await each.renew();
          if (Math.floor(clock.now / 60_000) !== minute) [minute, requests, reserved] = [Math.floor(clock.now / 60_000), 0, 0];
          const fits = requests < 10 && reserved + tokens <= 150 && open.length < 4;
          const answer = await admitted(processes[process]!, terms, tokens);
          expect(typeof answer !== 'string').toBe(fits);
          if (typeof answer === 'string') continue;
          [requests, reserved] = [requests + 1, reserved + tokens];
          open.push({ call: answer, tokens, minute });
          if (!ends) continue;
          for (const { call, tokens: its, minute: begun } of open) {
            call.end(Math.min(used, its));
            if (begun === minute) reserved = Math.max(0, reserved + Math.min(used, its) - its);
          }
          open = [];
        }
      }),
    );
  });
});
