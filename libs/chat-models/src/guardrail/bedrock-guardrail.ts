import CircuitBreaker from 'opossum';
import { setTimeout as wait } from 'node:timers/promises';
import { BREAKER } from '../breaker-limits.ts';
import type { Checked } from '../grounding/grounding.ts';
import { answerOf, bodyOf, LONGEST_PIECE, MOST_PIECES, outcomeOf, type Outcome, piecesOf, type PieceAnswer } from './guardrail-calls.ts';
import type { GuardrailUnits } from './guardrail-units.ts';
import { type AwsKeys, signed } from './sigv4.ts';

const ARN = /^arn:aws(?:-[a-z]+)*:bedrock:(?<region>[a-z]{2}(?:-[a-z]+)+-\d):\d{12}:guardrail\/[a-z0-9]{1,64}$/;
const VERSION = /^(?:DRAFT|[1-9]\d{0,7})$/;

const CALL_MILLIS = 5_000;
const CALLS = 2;
const PAUSE_MILLIS = 250;
const MOST_ANSWER_BYTES = 1024 * 1024;

/** Thrown if a guardrail gives no verdict. The message is for users and contains no host names and keys. */
export class GuardrailFailed extends Error {
  override readonly name = 'GuardrailFailed';

  constructor(readonly reason: string) {
    super(`The guardrail of this bot gave no verdict, because ${reason}.`);
  }
}

/** Thrown for a failure that may be temporary. */
class TemporaryFailure extends Error {}

export interface BedrockAccess {
  /** Base URL, if it is not the one of the guardrail's region. */
  readonly url: string | null;
  readonly apiKey: string | null;
  /** Needed without an API key. */
  readonly keys: AwsKeys | null;
}

/** Guardrails of Amazon Bedrock, by `ApplyGuardrail`. */
export class BedrockGuardrails {
  private readonly breaker = new CircuitBreaker<[() => Promise<unknown>], unknown>((call: () => Promise<unknown>) => call(), {
    ...BREAKER,
    // A refusal shows that the service works.
    errorFilter: (error: unknown) => !(error instanceof TemporaryFailure),
  });

  constructor(private readonly access: BedrockAccess) {}

  /** Throws `GuardrailFailed`, or the reason of the signal. Long answers are checked in pieces, one after the other. */
  async check(
    { arn, version }: { readonly arn: string; readonly version: string },
    checked: Checked,
    signal: AbortSignal,
    /** Called with the charges of each answered call, even if the check fails afterwards. */
    onUnits: (units: GuardrailUnits) => void = () => {},
  ): Promise<Outcome> {
    const region = ARN.exec(arn)?.groups?.['region'];
    const name = version === '' ? 'DRAFT' : version;
    if (region === undefined || !VERSION.test(name))
      throw failed('its ARN or its version is not valid. Ask the owner of the bot to correct it');
    const pieces = piecesOf(checked.answer);
    if (pieces.length > MOST_PIECES)
      throw failed(`the answer has more than ${MOST_PIECES * LONGEST_PIECE} characters, which it cannot check`);
    const base = this.access.url ?? `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
    const url = new URL(`${base.replace(/\/+$/, '')}/guardrail/${encodeURIComponent(arn)}/version/${name}/apply`);
    const answers: PieceAnswer[] = [];
    for (const piece of pieces) {
      const answer = await this.ask(url, region, bodyOf({ ...checked, answer: piece }), signal);
      onUnits(answer.units);
      answers.push(answer);
    }
    return outcomeOf(pieces, answers);
  }

  close(): void {
    this.breaker.shutdown();
  }

  private async ask(url: URL, region: string, body: string, signal: AbortSignal): Promise<PieceAnswer> {
    for (let call = 1; ; call++) {
      signal.throwIfAborted();
      try {
        return (await this.breaker.fire(() => this.call(url, region, body, signal))) as PieceAnswer;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof GuardrailFailed) throw error;
        if (!(error instanceof TemporaryFailure) || call === CALLS) throw failed('it does not answer. Try again in a few seconds');
        await wait(PAUSE_MILLIS, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  private async call(url: URL, region: string, body: string, signal: AbortSignal): Promise<PieceAnswer> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const { apiKey, keys } = this.access;
    const sent =
      apiKey !== null
        ? { ...headers, authorization: `Bearer ${apiKey}` }
        : signed({ method: 'POST', url, body, headers }, keys!, { region, service: 'bedrock' }, new Date());
    const until = AbortSignal.any([signal, AbortSignal.timeout(CALL_MILLIS)]);
    let text: string;
    try {
      // A redirect would send the answer and the texts to another host.
      const answer = await fetch(url, { method: 'POST', headers: sent, body, signal: until, redirect: 'error' });
      if (answer.status === 429 || answer.status >= 500) throw new TemporaryFailure();
      if (answer.status !== 200) throw failed('it refuses the call. Ask an administrator to check its ARN and the access to it');
      text = await boundedText(answer);
    } catch (error) {
      if (error instanceof GuardrailFailed) throw error;
      // An aborted call is not a failure of the service.
      signal.throwIfAborted();
      throw new TemporaryFailure('no answer', { cause: error });
    }
    const read = answerOf(text);
    if (!read) throw failed('it gave an answer that cannot be read');
    return read;
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > MOST_ANSWER_BYTES) throw failed('its answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

const failed = (reason: string): GuardrailFailed => new GuardrailFailed(reason);
