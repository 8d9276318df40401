import { Injectable } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { readJson } from '@parlance/http';
import type { ChatFormat } from '../../../adapters/calls/call-formats.ts';
import { Catalogue } from '../../../adapters/pricing/catalogue.ts';
import type { Usage } from '../../../domain/conversation-events.ts';
import { FREE } from '../call-estimate.ts';
import type { GuardedCall } from '../guarded/guarded-call.ts';
import { offlineBody, offlinePrompt } from './offline-answer.ts';
import type { OpenCall } from '../open-call.ts';

/** Answers calls of the offline model. */
@Injectable()
export class OfflineCalls {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
  ) {}

  /** The answer, and what it has used. */
  async answer(call: OpenCall, guard: GuardedCall | null, signal: AbortSignal): Promise<{ readonly text: string; readonly usage: Usage }> {
    let text = '';
    let { usage } = FREE;
    const prompt = offlinePrompt(await readJson(call.body.bytes));
    for await (const part of this.catalogue.model(call.model.entry.id).chat.generate(prompt, signal)) {
      if (part.type === 'text') text += part.text;
      if (part.type === 'end') ({ usage } = part);
    }
    return { text: guard ? await guard.text(text) : text, usage };
  }

  /** The answer in the format of the call. */
  body({ body, format, callId }: OpenCall, { text, usage }: { readonly text: string; readonly usage: Usage }): Buffer {
    const created = Instant.toSeconds(this.clock.now());
    const answer = { id: callId, created, model: body.model, text, usage };
    return Buffer.from(offlineBody(format as ChatFormat, answer, body.isStreamed, body.wantsUsage));
  }
}
