import { Injectable } from '@nestjs/common';
import { Refusal } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { readJson } from '@parlance/http';
import { invalid } from '../../../adapters/calls/caller-body.ts';
import { membersOf, parsed, type Span } from '../../../adapters/calls/json-members.ts';
import type { AnswerFilter } from '../../../adapters/calls/passed-answer.ts';
import { ShownResponse } from '../../../adapters/calls/stored/shown-response.ts';
import { withMembers } from '../../../adapters/calls/stored/with-members.ts';
import { MAX_RESPONSE_BYTES } from '../../../domain/responses/response-limits.ts';
import { previousResponseNotFound, responseTooLarge } from '../../../domain/responses/response-refusals.ts';
import { NO_CHAIN, type ResponseChain } from '../../../domain/responses/stored-response.ts';
import { AllowedModels } from '../allowed-models.ts';
import { type CallRequest, recordedCall } from '../gateway-calls.ts';
import { itemsToContinue, shownResponseId, StoredResponses } from './stored-responses.ts';

/** Bytes of an ID in a request. Longer ones were not issued here. */
const LONGEST_ID_BYTES = 256;

interface Begun {
  readonly id: string;
  readonly userId: string;
  readonly chain: ResponseChain;
  readonly isStored: boolean;
  /** As the caller has sent it. */
  readonly previousId: string | null;
  /** The input of this response alone, as JSON. */
  readonly input: string;
}

/** A call whose response is stored, or continues a stored one. */
export class ResponseCall {
  private shown: ShownResponse | null = null;

  constructor(
    /** The request as a model gets it: with the items of the responses that it continues. */
    readonly bytes: Buffer,
    private readonly begun: Begun,
    private readonly responses: StoredResponses,
  ) {}

  /** Passes the answer on as `inner` does, with Parlance's ID. */
  answering(inner: AnswerFilter | null): AnswerFilter {
    const { id, previousId, isStored } = this.begun;
    const fields = { id: shownResponseId(id), previous_response_id: previousId, store: isStored };
    const inJson = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));
    return (this.shown = new ShownResponse(inJson, inner));
  }

  /**
   * Stores the whole answer, if the caller wants it stored. Call it before the end of the answer is sent. Throws the refusal `recorded_not_visible`
   * (unavailable) if it cannot be stored.
   */
  async store(callId: string): Promise<void> {
    const { id, userId, chain, input, isStored } = this.begun;
    if (!isStored) return;
    const response = this.shown?.response;
    if (!response) throw recordedCall(callId, 'The provider did not send the whole response, so it is not stored.');
    try {
      await readJson(response);
      await this.responses.store(id, userId, chain, `{"input":${input},"response":${response.toString()}}`);
    } catch (error) {
      const isTooLarge = error instanceof Refusal && error.code === responseTooLarge().code;
      const why = isTooLarge ? 'The answer is too large to be stored.' : 'The answer could not be stored.';
      throw Object.assign(recordedCall(callId, why), { cause: error });
    }
  }
}

/** Begins calls that store responses or continue stored ones. */
@Injectable()
export class ResponseCalls {
  constructor(
    private readonly responses: StoredResponses,
    private readonly models: AllowedModels,
  ) {}

  /**
   * Null for a call that does neither. Throws the refusals `malformed_body`, `invalid_body`, `response_chain_too_long` (invalid),
   * `model_not_found` and `previous_response_not_found` (missing), and `response_too_large` (too_large). `hold` is called with the bytes of the earlier responses before they are
   * read, and may throw.
   */
  async begin({ callId, endpoint, caller, bytes }: CallRequest, hold: (bytes: number) => void): Promise<ResponseCall | null> {
    if (endpoint !== 'responses') return null;
    const { userId } = caller;
    const members = await membersOf(bytes);
    const isStored = valueOf(bytes, members.get('store')) ?? false;
    if (typeof isStored !== 'boolean') throw invalid('store', 'must be true or false');
    const previousId = valueOf(bytes, members.get('previous_response_id')) ?? null;
    if (previousId !== null && typeof previousId !== 'string') throw invalid('previous_response_id', 'must be the ID of a response');
    if (!isStored && previousId === null) return null;
    // Before anything is read for the call. `GatewayCalls` checks the rest of the model's name.
    const model = parsedWithin(bytes, members.get('model'));
    if (typeof model === 'string') this.models.require(caller, model);
    const input = await ownInput(bytes, members.get('input'));
    if (isStored && Buffer.byteLength(input) > MAX_RESPONSE_BYTES) throw responseTooLarge();
    const chain = previousId === null ? NO_CHAIN : await this.responses.chainAfter(previousId, userId);
    hold(chain.bytes);
    const earlier = await this.earlier(chain, userId);
    const continued = previousId === null ? null : { previous_response_id: 'null', input: joined(earlier, input) };
    const resolved = await withMembers(bytes, { store: 'false', ...continued });
    return new ResponseCall(resolved, { id: callId, userId, chain, isStored, previousId, input }, this.responses);
  }

  /** The items of a chain, as JSON. */
  private async earlier(chain: ResponseChain, userId: string): Promise<readonly string[]> {
    const items: string[] = [];
    for await (const content of this.responses.contentsOf(chain, userId)) {
      for (const item of itemsToContinue(content)) items.push(JSON.stringify(item));
      if (isTurnOver()) await nextTurn();
    }
    return items;
  }
}

function valueOf(bytes: Buffer, span: Span | undefined): unknown {
  if (span && isLong(span)) throw previousResponseNotFound();
  return span && parsed(bytes, span);
}

const isLong = ({ from, to }: Span): boolean => to - from > LONGEST_ID_BYTES;

const parsedWithin = (bytes: Buffer, span: Span | undefined): unknown => (span && !isLong(span) ? parsed(bytes, span) : undefined);

/** The items of a request's input, as JSON. A text is one message. */
async function ownInput(bytes: Buffer, span: Span | undefined): Promise<string> {
  const json = span ? bytes.subarray(span.from, span.to) : Buffer.from('[]');
  const input = await readJson(json);
  if (typeof input === 'string') return JSON.stringify([{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]);
  if (!Array.isArray(input) || !input.every(isObject)) throw invalid('input', 'must be a text or a list of items');
  return json.toString();
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list with further items before its own. */
function joined(earlier: readonly string[], list: string): string {
  const own = list.slice(list.indexOf('[') + 1, list.lastIndexOf(']')).trim();
  return `[${[...earlier, ...(own === '' ? [] : [own])].join(',')}]`;
}
