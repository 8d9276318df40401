import { Injectable } from '@nestjs/common';
import { TextGuardrails } from '../../guardrails/text-guardrails.ts';
import type { OpenCall } from '../open-call.ts';
import { GuardedCall } from './guarded-call.ts';

/** The policies of the configuration for calls of models. */
@Injectable()
export class CallGuards {
  constructor(private readonly guardrails: TextGuardrails) {}

  /** Null if no policy applies. Then the bytes of the call pass unread. */
  of(call: OpenCall): GuardedCall | null {
    const input = this.guardrails.of('gateway', 'input');
    const output = this.guardrails.of('gateway', 'output');
    if (input.isEmpty && (output.isEmpty || !call.hasOutput)) return null;
    return new GuardedCall(call, input, output, (verdicts) => this.guardrails.count(verdicts));
  }
}
