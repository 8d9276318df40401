import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Clock, Streams } from '@parlance/foundation';
import { readJson } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { ExecuteStoredResponse } from '../../../commands/aggregates.ts';
import { previousResponseNotFound, responseNotFound, responseTooLarge } from '../../../domain/responses/response-refusals.ts';
import { MAX_RESPONSE_BYTES } from '../../../domain/responses/response-limits.ts';
import {
  chainAfter,
  isOwn,
  type ResponseChain,
  type StoredResponse,
  storedResponse,
  storedResponseStream,
} from '../../../domain/responses/stored-response.ts';

/** An item of an input or an output, in the format of the API. */
export type ResponseItem = Readonly<Record<string, unknown>>;

/** The sealed part of a stored response. */
export interface ResponseContent {
  /** Its own input, without the items of the responses that it continues. */
  readonly input: readonly ResponseItem[];
  /** The answer as its caller received it. */
  readonly response: { readonly output?: unknown };
}

/** Streams that are read at the same time. */
const READ_AT_ONCE = 8;
const FORM = /^resp_([0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** The ID of a stored response as programs see it. */
export const shownResponseId = (id: string): string => `resp_${id}`;
/** Null for an ID that Parlance has not issued. */
export const responseIdIn = (shown: string): string | null => FORM.exec(shown)?.[1] ?? null;

/** The content of a response is sealed under its own key, which is nested in its user's key and destroyed when the response is deleted. */
export const responseSubject = (id: string, userId: string) => ({ id: `response:${id}`, within: `user:${userId}` });

/** The responses that are stored for the programs of users. They are read from their streams, so each process has them at once. */
@Injectable()
export class StoredResponses {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusal `response_not_found` (missing), also for a response of another user. */
  async get(shown: string, userId: string): Promise<ResponseContent> {
    const id = responseIdIn(shown);
    const content = id && (await this.find(id, userId));
    if (!content) throw responseNotFound();
    return content;
  }

  /** By its ID in the log. Null if the user has no such response. */
  async find(id: string, userId: string): Promise<ResponseContent | null> {
    return this.contentOf(await this.load(id), userId);
  }

  /** The responses that a new one continues. Throws as `chainAfter` does. */
  async chainAfter(shown: string, userId: string): Promise<ResponseChain> {
    const id = responseIdIn(shown);
    if (id === null) throw previousResponseNotFound();
    return chainAfter(id, await this.load(id), userId);
  }

  /** The content of each response of a chain, the oldest first. Throws the refusal `previous_response_not_found` (missing) if one was deleted. */
  async *contentsOf({ ids }: ResponseChain, userId: string): AsyncGenerator<ResponseContent> {
    for (let begin = 0; begin < ids.length; begin += READ_AT_ONCE) {
      const states = await Promise.all(ids.slice(begin, begin + READ_AT_ONCE).map((id) => this.load(id)));
      for (const state of states) {
        const content = await this.contentOf(state, userId);
        if (!content) throw previousResponseNotFound();
        yield content;
        if (isTurnOver()) await nextTurn();
      }
    }
  }

  /** All items that the model received for a response. Throws the refusals `response_not_found` and `previous_response_not_found` (missing). */
  async inputOf(shown: string, userId: string): Promise<readonly ResponseItem[]> {
    const { input } = await this.get(shown, userId);
    const { chain } = await this.load(responseIdIn(shown)!);
    const items: ResponseItem[] = [];
    for await (const earlier of this.contentsOf(chain, userId)) for (const item of itemsToContinue(earlier)) items.push(item);
    for (const item of input) items.push(item);
    return items;
  }

  /** `content`: a `ResponseContent` in JSON. Rejects with `response_too_large` (too_large), and with `Shredded` if the user was erased. */
  async store(id: string, userId: string, chain: ResponseChain, content: string): Promise<void> {
    const bytes = Buffer.byteLength(content);
    if (bytes > MAX_RESPONSE_BYTES) throw responseTooLarge();
    await this.vault.sealing(responseSubject(id, userId), async ({ text, companions, stored }) => {
      const command = { type: 'Store', userId, content: text(content), bytes, chain, now: this.clock.now() } as const;
      await this.commands.execute(new ExecuteStoredResponse(id, command, { companions }));
      stored();
    });
  }

  private load(id: string): Promise<StoredResponse> {
    return this.streams.load(storedResponse, storedResponseStream(id));
  }

  /** Null if the user has no such response, or if its key was destroyed. */
  private async contentOf(state: StoredResponse, userId: string): Promise<ResponseContent | null> {
    if (!isOwn(state, userId) || state.content === null) return null;
    const opened = await this.vault.open(state.content as Sealed);
    return opened === null ? null : ((await readJson(Buffer.from(opened))) as ResponseContent);
  }
}

/** The items of a response for the input of one that continues it. `instructions` are not among them. */
export function itemsToContinue({ input, response }: ResponseContent): ResponseItem[] {
  const { output } = response;
  const items = (Array.isArray(output) ? output : []) as readonly ResponseItem[];
  return [...input, ...items.map(withoutProvider).filter((item) => item !== null)];
}

/**
 * An item of an output for a provider that has not stored it. The provider would look for its reasoning unless that is encrypted, and for the reasoning
 * before a message or a call with an ID.
 */
function withoutProvider(item: ResponseItem): ResponseItem | null {
  const { id: _, ...rest } = item;
  switch (item['type']) {
    case 'reasoning':
      return typeof item['encrypted_content'] === 'string' ? item : null;
    case 'message':
    case 'function_call':
      return rest;
    default:
      return item;
  }
}
