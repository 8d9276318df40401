import { CallerBody } from '../../../adapters/calls/caller-body.ts';
import type { AnswerFilter } from '../../../adapters/calls/passed-answer.ts';
import { requestKey } from '../../../adapters/calls/request-key.ts';
import type { CallRequest } from '../gateway-calls.ts';
import type { OpenCall } from '../open-call.ts';
import { AnswerCache, type CachedAnswer, MOST_BYTES } from './answer-cache.ts';

/** A call whose answer may come from the cache, and is put there. */
export class CachedCall {
  constructor(
    private readonly cache: AnswerCache,
    private readonly userId: string,
    private readonly key: string,
    private readonly ttlSeconds: number,
  ) {}

  get found(): CachedAnswer | null {
    return this.cache.get(this.userId, this.key);
  }

  /** Passes an answer on as `filter` does, and collects it. `held` counts its bytes. */
  collecting(filter: AnswerFilter | null, held: { add(bytes: number): void }): CollectedAnswer {
    return new CollectedAnswer(filter, held);
  }

  keep(collected: CollectedAnswer, model: string, contentType: string): void {
    const body = collected.bytes;
    if (body) this.cache.add(this.userId, this.key, { model, contentType, body }, this.ttlSeconds);
  }
}

/** Null if the call may not be cached: it is free, or its request is long or a form. `call`: as the caller sent it. */
export function cachedCall(cache: AnswerCache, request: CallRequest, call: OpenCall, ttlSeconds: number): CachedCall | null {
  if (ttlSeconds === 0 || call.isFree || call.provider === null || !(call.body instanceof CallerBody)) return null;
  const key = requestKey(request.endpoint, request.headers, call.body);
  return key === null ? null : new CachedCall(cache, request.caller.userId, key, ttlSeconds);
}

/** Collects the bytes that a caller receives, up to the most that are cached. */
class CollectedAnswer implements AnswerFilter {
  private parts: Buffer[] | null = [];
  private length = 0;

  constructor(
    private readonly filter: AnswerFilter | null,
    private readonly held: { add(bytes: number): void },
  ) {}

  get isBlocked(): boolean {
    return this.filter?.isBlocked ?? false;
  }

  async pass(lines: Buffer): Promise<Buffer> {
    return this.collected(this.filter ? await this.filter.pass(lines) : lines);
  }

  async end(rest: Buffer): Promise<Buffer> {
    return this.collected(this.filter ? await this.filter.end(rest) : rest);
  }

  async whole(answer: Buffer): Promise<Buffer> {
    return this.collected(this.filter ? await this.filter.whole(answer) : answer);
  }

  /** Null if there are too many. */
  get bytes(): Buffer | null {
    return this.parts && Buffer.concat(this.parts);
  }

  private collected(bytes: Buffer): Buffer {
    this.length += bytes.length;
    if (this.length > MOST_BYTES) this.parts = null;
    else if (this.parts && bytes.length > 0) {
      this.held.add(bytes.length);
      this.parts.push(bytes);
    }
    return bytes;
  }
}
