import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { type Caller, readApiKey, timesIn } from '@parlance/http';
import { RevocationWatcher } from '@parlance/revocation';
import { nameOfKey, type PublishedApi, PublishedCopies, type PublishedKey } from '../../adapters/published-copies.ts';
import { SessionStreams } from '../authentication/session-streams.ts';
import type { RpcId } from './mcp-message.ts';
import { isOpenAiStyle, type PublishedAddress, takesBearer } from './published-address.ts';
import { type Grant, PublishedStreams } from './published-streams.ts';
import { endStream } from './stream-end.ts';

/** A key with the right form and checksum, as a request presented it. */
export interface PresentedKey {
  readonly keyId: string;
  readonly hash: Buffer;
}

/** A request with a valid key. */
export interface PublishedCall {
  readonly api: PublishedApi;
  readonly key: PublishedKey;
}

/** What is checked again while an answer is sent. */
export interface CallOrigin {
  readonly address: PublishedAddress;
  readonly presented: PresentedKey;
  readonly ip: string;
}

/** The last key of a connection. */
interface LastKey {
  readonly text: string;
  readonly key: PresentedKey;
  /**
   * The API ID of the last request with this key. Looking up a copy by this string is faster than by the new string of each request.
   */
  apiId: string;
  name: string;
  /** The copy whose hash the key matches. Each copy is a new object, so this does not apply to a later copy. */
  matches: PublishedKey | null;
}

const IN_HEADER = 'Send a valid API key of this published bot in the header x-api-key.';
const AS_BEARER = 'Send a valid API key of this published bot as a bearer token or in the header x-api-key.';
const BEARER = /^Bearer +(\S+)$/i;

/** The refusal of all key checks. It does not reveal which one failed. Clients of OpenAI recognise a wrong key by 401. */
const invalidKey = (below: string) =>
  isOpenAiStyle(below)
    ? refuse('unauthenticated', 'invalid_api_key', AS_BEARER)
    : refuse('forbidden', 'invalid_api_key', takesBearer(below) ? AS_BEARER : IN_HEADER);

/** Determines which published bot a request is for, and whether its key is valid. */
@Injectable()
export class PublishedAccess {
  private readonly lastOf = new WeakMap<Socket, LastKey>();

  constructor(
    private readonly copies: PublishedCopies,
    private readonly owners: RevocationWatcher,
    private readonly clock: Clock,
    private readonly streams: PublishedStreams,
    private readonly ofUsers: SessionStreams,
  ) {}

  /** Whether this address is known without asking the publication service. */
  isKnown({ apiId }: PublishedAddress): boolean {
    return this.copies.knownApi(apiId) !== undefined;
  }

  /** Whether this key of the API is known without asking the publication service. */
  isKnownKey({ apiId }: PublishedApi, { keyId }: PresentedKey): boolean {
    return this.copies.knownKey(apiId, keyId) !== undefined;
  }

  /** The API at an address. Throws `not_published` (missing), even while the owner is disabled, and `service_unavailable`. */
  async apiAt({ apiId, stage }: PublishedAddress): Promise<PublishedApi> {
    const api = this.copies.knownApi(apiId) ?? (await this.copies.api(apiId));
    if (!api || api.stage !== stage) throw notPublished();
    const isStopped = this.owners.anyRevoked(api.ownerNames);
    if (typeof isStopped === 'boolean' ? isStopped : await isStopped) throw notPublished();
    return api;
  }

  /** The API that is being deployed at an address. Throws like `apiAt`. */
  async deployedAt({ apiId, stage }: PublishedAddress): Promise<PublishedApi> {
    const api = await this.copies.deployment(apiId);
    if (api?.stage !== stage) throw notPublished();
    return api;
  }

  /** The valid key. Throws `invalid_api_key` (below `/v1/` unauthenticated, else forbidden) and `service_unavailable`. */
  async keyOf(api: PublishedApi, presented: PresentedKey, { below }: PublishedAddress, ip: string): Promise<PublishedKey> {
    const key = this.copies.knownKey(api.apiId, presented.keyId) ?? (await this.copies.key(api.apiId, presented.keyId));
    if (!key || !hasHashOf(presented, key) || !this.isUsable(key, ip)) throw invalidKey(below);
    return key;
  }

  /**
   * The API and the key of a request, if it is certain without waiting that `apiAt` and `keyOf` accept them. Null otherwise. Measured: 1 µs
   * for the next request of a connection.
   */
  knownCall({ apiId, stage, below }: PublishedAddress, req: IncomingMessage, ip: string): PublishedCall | null {
    const last = this.lastKeyOf(req, below);
    if (!last) return null;
    if (last.apiId !== apiId) [last.apiId, last.name] = [apiId, nameOfKey(apiId, last.key.keyId)];
    const api = this.copies.knownApi(last.apiId);
    if (api?.stage !== stage || this.owners.isKnownRevoked(api.ownerNames) !== false) return null;
    const key = this.copies.knownKeyNamed(last.name);
    if (!key) return null;
    if (last.matches !== key) {
      if (!hasHashOf(last.key, key)) return null;
      last.matches = key;
    }
    return this.isUsable(key, ip) ? { api, key } : null;
  }

  /** The last key of each connection, because it is usually the same. */
  private lastKeyOf(req: IncomingMessage, below: string): LastKey | null {
    const text = keyText(req, below);
    const before = this.lastOf.get(req.socket);
    if (before?.text === text) return before;
    const key = readKey(text);
    if (!key) return null;
    const last: LastKey = { text, key, apiId: '', name: '', matches: null };
    this.lastOf.set(req.socket, last);
    return last;
  }

  private isUsable({ enabled, expiresAt, ranges }: PublishedKey, ip: string): boolean {
    const hasExpired = expiresAt !== null && this.clock.now() >= expiresAt * 1_000;
    return enabled && !hasExpired && (ranges.isEmpty || ranges.include(ip));
  }

  /** Checks a request again that was valid earlier. Throws like `apiAt` and `keyOf`. */
  async stillValid(address: PublishedAddress, presented: PresentedKey, ip: string): Promise<PublishedCall> {
    const call = await this.validCall(address, presented, ip);
    // The API may have ended while its key was read.
    return this.isRevoked(call) ? this.validCall(address, presented, ip) : call;
  }

  /** Must be called when a request is forwarded whose answer may be a stream. The stream ends with the key, the publication and its owner. */
  endWithKey(call: PublishedCall, { address, presented, ip }: CallOrigin, res: ServerResponse, rpcId: RpcId = null): void {
    const end = (error: unknown) => endStream(res, { below: address.below, rpcId }, error);
    this.ofUsers.add(call.api.ownerNames, res, () => end(notPublished()));
    this.streams.add(res, {
      grant: this.grantOf(call),
      isRevoked: (names) => this.copies.isKnownRevoked(names),
      check: async () => this.grantOf(await this.stillValid(address, presented, ip)),
      end,
    });
    // The owner was disabled before the stream was added.
    if (this.owners.isKnownRevoked(call.api.ownerNames)) res.destroy();
  }

  private grantOf(call: PublishedCall): Grant {
    const { expiresAt } = call.key;
    return { names: namesOf(call), expiresIn: expiresAt === null ? null : Math.max(expiresAt * 1_000 - this.clock.now(), 0) };
  }

  private async validCall(address: PublishedAddress, presented: PresentedKey, ip: string): Promise<PublishedCall> {
    const api = await this.apiAt(address);
    return { api, key: await this.keyOf(api, presented, address, ip) };
  }

  private isRevoked(call: PublishedCall): boolean {
    return this.copies.isKnownRevoked(namesOf(call)) || this.owners.isKnownRevoked(call.api.ownerNames) === true;
  }
}

const hasHashOf = (presented: PresentedKey, { hash }: PublishedKey): boolean =>
  hash.length === presented.hash.length && timingSafeEqual(hash, presented.hash);

const notPublished = () => refuse('missing', 'not_published', 'There is no published API at this address.');

/** The key of a request. Throws `invalid_api_key`, like `keyOf`, for a text that is not a key. */
export function presentedKey(req: Pick<IncomingMessage, 'headers' | 'rawHeaders'>, below: string): PresentedKey {
  const key = readKey(keyText(req, below));
  if (!key) throw invalidKey(below);
  return key;
}

function readKey(text: string): PresentedKey | null {
  const read = readApiKey(text);
  return read && { keyId: read.keyId, hash: Buffer.from(read.hash, 'hex') };
}

function keyText({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>, below: string): string {
  const { 'x-api-key': own, authorization } = headers;
  // Node joins the values of a repeated header, and the result is not a key.
  if (typeof own === 'string') return own;
  // If one of these headers is repeated, Node uses the first, and a proxy may use the last.
  if (!takesBearer(below) || authorization === undefined || timesIn(rawHeaders, 'authorization') > 1) return '';
  return BEARER.exec(authorization)?.[1] ?? '';
}

/** The names of the copies that allow a request. */
const namesOf = ({ api, key }: PublishedCall): readonly string[] => [api.revision, key.revision];

/** The caller that the services see: the owner of the bot, on whose behalf the key works. */
export const apiCaller = ({ api: { apiId, botId, ownerUserId }, key: { keyId } }: PublishedCall): Caller => ({
  userId: ownerUserId,
  groups: [],
  sessionId: null,
  kind: 'api',
  api: { apiId, botId, keyId },
});
