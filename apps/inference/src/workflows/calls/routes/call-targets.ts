import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { GenerationFailed } from '@parlance/chat-models';
import { Clock, METRICS } from '@parlance/foundation';
import type { Metrics } from '@parlance/observability';
import type { IncomingHttpHeaders } from 'node:http';
import { exhaustedMillis } from '../../../adapters/calls/rate-limits.ts';
import { FadingAverage } from './fading-average.ts';
import { type CallEnd, TargetHealth } from './target-health.ts';

/** A call of a target. `end` must be called. */
export interface TargetCall {
  readonly learn: (headers: IncomingHttpHeaders) => void;
  answered(firstByteMillis: number): void;
  /** `failed`: null if the answer is complete. */
  end(failed: GenerationFailed | 'left' | null): void;
}

/** What this process knows of a model that programs call. */
export class CallTarget {
  readonly health: TargetHealth;
  calls = 0;
  /** Whole answers begin when they are complete, so they are averaged apart. */
  private readonly firstByte: Readonly<Record<'streamed' | 'whole', FadingAverage>>;
  private exhaustedUntil = 0;

  constructor(
    private readonly now: () => number,
    private readonly count: (outcome: string) => void,
  ) {
    this.health = new TargetHealth(now);
    this.firstByte = { streamed: new FadingAverage(now), whole: new FadingAverage(now) };
  }

  firstByteMillis(isStreamed: boolean): number | null {
    return this.firstByte[isStreamed ? 'streamed' : 'whole'].value;
  }

  /** Whether a limit at the provider is used up. */
  get isExhausted(): boolean {
    return this.now() < this.exhaustedUntil;
  }

  get isUsable(): boolean {
    return this.health.isUsable && !this.isExhausted;
  }

  begin(isStreamed: boolean): TargetCall {
    const average = this.firstByte[isStreamed ? 'streamed' : 'whole'];
    const begunAt = this.now();
    average.begin();
    this.calls++;
    const endHealth = this.health.begin();
    let hasEnded = false;
    return {
      learn: (headers) => (this.exhaustedUntil = Math.max(this.exhaustedUntil, this.now() + exhaustedMillis(headers, Date.now()))),
      answered: (millis) => average.add(millis),
      end: (failed) => {
        if (hasEnded) return;
        hasEnded = true;
        this.calls--;
        if (failed instanceof GenerationFailed && failed.code === 'provider_timed_out') average.add(this.now() - begunAt);
        this.count(failed === null ? 'answered' : failed === 'left' ? failed : failed.code);
        endHealth(healthAfter(failed));
      },
    };
  }
}

function healthAfter(failed: GenerationFailed | 'left' | null): CallEnd {
  if (failed === null) return 'answered';
  if (failed === 'left') return failed;
  const busyMillis = failed.retryAfterSeconds === null ? null : failed.retryAfterSeconds * 1_000;
  switch (failed.code) {
    case 'provider_busy':
      return { busyMillis };
    case 'provider_misconfigured':
      return 'unusable';
    case 'request_refused':
      return 'answered';
    case 'queue_timed_out':
    case 'provider_paused':
      return 'left';
    default:
      return busyMillis === null ? 'failed' : { busyMillis, hasFailed: true };
  }
}

const secondsOf = (millis: number | null): number | null => millis && millis / 1_000;

/** The models that programs call through this process. There are at most as many as the catalogue has. */
@Injectable()
export class CallTargets implements OnApplicationBootstrap {
  private readonly all = new Map<string, CallTarget>();

  constructor(
    private readonly clock: Clock,
    @Inject(METRICS) private readonly metrics: Pick<Metrics, 'modelTargets' | 'modelTargetCall'>,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.modelTargets(() =>
      [...this.all].map(([model, target]) => ({
        model,
        isUsable: target.isUsable,
        calls: target.calls,
        firstByteSeconds: secondsOf(target.firstByteMillis(true)),
      })),
    );
  }

  /** Forgets the models that are no longer in the catalogue. */
  keepOnly(models: { has(id: string): boolean }): void {
    for (const id of this.all.keys()) if (!models.has(id)) this.all.delete(id);
  }

  /** A model that was not called yet is usable. */
  isUsable(model: string): boolean {
    return this.all.get(model)?.isUsable ?? true;
  }

  /** `model`: an ID of the catalogue. */
  of(model: string): CallTarget {
    let target = this.all.get(model);
    if (!target) {
      target = new CallTarget(
        () => this.clock.steady(),
        (outcome) => this.metrics.modelTargetCall(model, outcome),
      );
      this.all.set(model, target);
    }
    return target;
  }
}
