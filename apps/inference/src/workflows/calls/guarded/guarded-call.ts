import { GenerationFailed } from '@parlance/chat-models';
import { type Refusal, refuse } from '@parlance/decider';
import { checkText, Masking, type PolicyVerdict, type StageChecks, Verdicts } from '@parlance/guardrails';
import { CallerBody } from '../../../adapters/calls/caller-body.ts';
import type { AnswerFilter } from '../../../adapters/calls/passed-answer.ts';
import { withTexts } from '../../../adapters/calls/texts/json-texts.ts';
import { blockedAnswer, blockedRequest } from '../../guardrails/blocked-message.ts';
import { AnswerText } from '../../guardrails/call-guardrails.ts';
import { FREE } from '../call-estimate.ts';
import type { OpenCall } from '../open-call.ts';
import { ArgumentText, checkArguments } from './argument-text.ts';
import { GuardedStream } from './guarded-stream.ts';
import { isOfModel } from './stream-texts.ts';

/** A call under policies: what they have found, and the placeholders of its masked values. */
export class GuardedCall {
  private readonly masking = new Masking();
  private readonly input: Verdicts;
  private readonly output: Verdicts;

  constructor(
    private readonly call: OpenCall,
    input: StageChecks,
    output: StageChecks,
    count: (verdicts: readonly PolicyVerdict[]) => void,
  ) {
    this.input = new Verdicts(input);
    this.output = new Verdicts(output);
    call.guardedBy({ verdicts: () => [...this.input.all(), ...this.output.all()], ended: count });
  }

  /**
   * Gives the call the request as providers may get it. Throws the refusal `guardrail_blocked` (invalid) for a request that a policy blocks, and
   * `unsupported_parameter` (invalid) for one that cannot be checked. Then the call has ended.
   */
  async check(): Promise<void> {
    const { call, input } = this;
    // The text of a form with audio is a hint for the spelling of words.
    if (input.checks.isEmpty || call.format === 'transcription') return;
    const bytes = await withTexts(call.body.bytes, async (text, kind) => {
      if (kind === 'logprobs') return text;
      if (kind === 'tokens') {
        if (!input.checks.changesTexts) return text;
        throw await this.refused(UNCHECKED());
      }
      const check = kind === 'arguments' ? checkArguments : checkText;
      const masked = await check(text, input, this.masking);
      if (input.blockedBy !== null) throw await this.refused(blockedRequest(input));
      return masked;
    });
    if (bytes !== call.body.bytes) call.body = await CallerBody.read(bytes, call.format);
  }

  /** Null if the answer passes unchanged, as audio does. */
  answersOf(contentType: string): AnswerFilter | null {
    const { output, masking, call } = this;
    if (!call.hasOutput || call.isFree || call.format === 'speech' || (output.checks.isEmpty && masking.isEmpty)) return null;
    const isText = contentType.startsWith('text/');
    const stream = new GuardedStream(call.format, output, masking);
    return {
      get isBlocked() {
        return output.blockedBy !== null;
      },
      pass: (lines) => stream.pass(lines),
      end: (rest) => stream.end(rest),
      whole: (bytes) => (isText ? this.plain(bytes) : this.whole(bytes)),
    };
  }

  /** An answer that is only text. */
  async text(text: string): Promise<string> {
    const its = new AnswerText(this.output, this.masking);
    return (await its.add(text)) + its.end();
  }

  get isBlocked(): boolean {
    return this.output.blockedBy !== null;
  }

  /** The refusal of a call whose answer is blocked. */
  refusal(callId: string): Refusal {
    return blockedAnswer(this.output, callId);
  }

  /** An answer that is no JSON, such as a transcription in a format of subtitles. */
  private async plain(bytes: Buffer): Promise<Buffer> {
    return Buffer.from(await this.text(bytes.toString('utf8')));
  }

  /** Throws `GenerationFailed` for an answer that cannot be checked. */
  private async whole(bytes: Buffer): Promise<Buffer> {
    const { output, masking, call } = this;
    try {
      return await withTexts(bytes, async (text, kind, top) => {
        // A response repeats its request.
        if (call.format === 'responses' && !isOfModel(top)) return masking.unmask(text);
        // What follows is not sent.
        if (output.blockedBy !== null || kind === 'tokens' || kind === 'token') return text;
        if (kind === 'logprobs') return output.checks.changesTexts ? null : text;
        const its = kind === 'arguments' ? new ArgumentText(output, masking) : new AnswerText(output, masking);
        return (await its.add(text)) + its.end();
      });
    } catch {
      throw new GenerationFailed('answer_invalid');
    }
  }

  private async refused(refusal: Refusal): Promise<Refusal> {
    const { usage, costNanoDollars } = FREE;
    const status = refusal.code === 'guardrail_blocked' ? 'blocked' : 'failed';
    await this.call.end({ status, httpStatus: null, firstByteMillis: null, usage, costNanoDollars });
    return refusal;
  }
}

const UNCHECKED = () =>
  refuse(
    'invalid',
    'unsupported_parameter',
    'The field input must have texts, not tokens, because policies of this installation check it.',
    {
      errors: [{ path: 'input', message: 'must have texts, not tokens' }],
    },
  );
