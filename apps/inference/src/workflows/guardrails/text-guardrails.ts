import { Inject, Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { METRICS } from '@parlance/foundation';
import { checkText, Guardrails, Masking, type Stage, type StageChecks, type Surface, Verdicts } from '@parlance/guardrails';
import type { Metrics } from '@parlance/observability';
import type { PolicyVerdict } from '../../domain/conversation-events.ts';
import { blockedMessage } from './blocked-message.ts';
import { CallGuardrails } from './call-guardrails.ts';

/** Programs call published bots. All other conversations belong to users. */
export const surfaceOf = (apiId: string | undefined): Surface => (apiId === undefined ? 'conversations' : 'published');

/** The policies of the configuration (`guardrails`) for messages and answers. */
@Injectable()
export class TextGuardrails {
  private readonly guardrails: Guardrails;

  constructor(
    config: Config,
    @Inject(METRICS) private readonly metrics: Pick<Metrics, 'guardrail'>,
  ) {
    this.guardrails = new Guardrails(config.guardrails);
  }

  of(surface: Surface, stage: Stage): StageChecks {
    return this.guardrails.of(surface, stage);
  }

  /** Null if no policy applies. */
  begin(surface: Surface): CallGuardrails | null {
    const { guardrails } = this;
    return guardrails.of(surface, 'input').isEmpty && guardrails.of(surface, 'output').isEmpty
      ? null
      : new CallGuardrails(guardrails, surface);
  }

  /** Throws the refusal `guardrail_blocked` (invalid) for a message that must not be stored. */
  async refuseBlocked(surface: Surface, texts: readonly string[]): Promise<void> {
    const checks = this.guardrails.of(surface, 'input');
    if (!checks.canBlock) return;
    const verdicts = new Verdicts(checks);
    for (const text of texts) {
      await checkText(text, verdicts, new Masking());
      if (verdicts.blockedBy === null) continue;
      this.count(verdicts.all().filter(({ id }) => id === verdicts.blockedBy));
      throw blockedMessage(verdicts);
    }
  }

  /** Counts verdicts in the metrics. */
  count(verdicts: readonly PolicyVerdict[]): void {
    for (const { id, stage, action } of verdicts) this.metrics.guardrail(id, stage, action);
  }
}
