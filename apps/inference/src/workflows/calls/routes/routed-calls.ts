import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { GenerationFailed } from '@parlance/chat-models';
import type { ModelRoute } from '@parlance/config';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import { NotAnswered, type ProviderAnswer, refusalOf, sendCall } from '../../../adapters/calls/provider-call.ts';
import { sendTranslated } from '../../../adapters/calls/translated/translated-call.ts';
import { FREE } from '../call-estimate.ts';
import { type CallRequest, GatewayCalls, recordedCall } from '../gateway-calls.ts';
import type { OpenCall } from '../open-call.ts';
import type { PlannedTarget } from './call-plans.ts';
import { CallTargets, type TargetCall } from './call-targets.ts';
import { TargetChoice } from './target-choice.ts';

/** Sends calls to models and routes. */
@Injectable()
export class RoutedCalls {
  constructor(
    private readonly calls: GatewayCalls,
    private readonly targets: CallTargets,
    private readonly clock: Clock,
  ) {}

  /**
   * Calls one target after another until one answers. Null: it is to be answered here. Throws a refusal if none answers, or null if the caller
   * left. The call has then ended. If it is not free, the refusal says that it is recorded.
   */
  async send(call: OpenCall, request: CallRequest): Promise<ProviderAnswer | null> {
    const { endpoint, headers, caller, waiting, signal } = request;
    const { plan, body, estimates } = call;
    const choice = new TargetChoice(plan, {
      userId: caller.userId,
      isStreamed: body.isStreamed,
      stateOf: ({ entry }) => this.targets.of(entry.id),
      costOf: ({ price }) => estimates.usualCost(price),
    });
    let failure: GenerationFailed | null = null;
    for (let target = choice.next(); target; target = choice.next()) {
      const millis = choice.pauseMillis(target);
      if (millis > 0) {
        await pause(millis, undefined, { signal: waiting }).catch(() => undefined);
        if (waiting.aborted) throw await this.left(call);
        if (!choice.isUsable(target)) continue;
      }
      call.attempt(target);
      choice.called(target);
      if (target.provider === null) return null;
      const attempt = this.targets.of(target.entry.id).begin(body.isStreamed);
      const { provider } = target;
      const each = { userId: caller.userId, waiting, signal, firstByteMillis: limitOf(plan.route), onHeaders: attempt.learn };
      try {
        if ('translated' in provider) {
          const created = Instant.toSeconds(this.clock.now());
          const sent = { ...each, callId: call.callId, format: call.format, body, created };
          return attempted(await sendTranslated(provider, sent), attempt);
        }
        const parts = body.partsFor(target.entry.model);
        const sent = { ...each, endpoint, contentType: body.contentType, parts, headers };
        return attempted(await sendCall(provider, sent), attempt);
      } catch (error) {
        if (!(error instanceof NotAnswered)) {
          attempt.end('left');
          throw error;
        }
        const { failed, isFree } = error;
        attempt.end(failed ?? 'left');
        if (failed) choice.failed(failed, !isFree);
        failure = failed;
        if (!failed && isFree) throw await this.left(call);
        if (isFree) continue;
        const { usage, costNanoDollars } = await call.counted();
        const outcome = { status: 'unsettled', httpStatus: failed?.status ?? null, firstByteMillis: null, usage, costNanoDollars } as const;
        if (!failed || waiting.aborted || !choice.next()) {
          await call.end(outcome);
          throw recordedCall(call.callId, failed?.message ?? 'The server is stopping.');
        }
        await call.settle(outcome);
        await this.recordAgain(call, request, choice.remaining);
      }
    }
    failure ??= choice.noneUsable;
    const { usage, costNanoDollars } = FREE;
    await call.end({ status: 'failed', httpStatus: failure.status, firstByteMillis: null, usage, costNanoDollars });
    throw call.chargedId === null ? refusalOf(failure) : recordedCall(call.chargedId, failure.message);
  }

  /** The caller left while nothing was sent, or after an attempt that was charged. */
  private async left(call: OpenCall): Promise<Refusal | null> {
    await call.end({ status: 'cancelled', httpStatus: null, firstByteMillis: null, usage: FREE.usage, costNanoDollars: 0 });
    return call.chargedId === null ? null : recordedCall(call.chargedId, 'No other model was called, because the caller had left.');
  }

  private async recordAgain(call: OpenCall, { endpoint, caller }: CallRequest, targets: readonly PlannedTarget[]): Promise<void> {
    const { body, plan, estimates, callId } = call;
    try {
      call.recordAgain(await this.calls.record({ callId: newId(), endpoint, caller, body, plan, estimates, targets }));
    } catch (error) {
      call.giveUp();
      throw recordedCall(callId, error instanceof Refusal ? error.message : 'No other model could be called.');
    }
  }
}

/** The answer, whose end is known to its target. */
function attempted(answer: ProviderAnswer, attempt: TargetCall): ProviderAnswer {
  if (!answer.refusal) attempt.answered(answer.waitedMillis);
  const end: ProviderAnswer['end'] = (failed) => {
    answer.end(failed);
    attempt.end(failed);
  };
  return { ...answer, end };
}

const limitOf = (route: ModelRoute | null): number => (route?.timeout_seconds ?? Infinity) * 1_000;
