import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '@parlance/decider';
import type { HeldBytes } from '../answers/held-bytes.ts';
import { isExpecting, sendContinue } from './expectation.ts';
import { bodyTooLarge, Slabs } from './slabs.ts';

/** How many bytes of a refused body are read before the connection is closed. */
export const LINGER_MAX_BYTES = 64 * 1024 * 1024;

/** A complete body up to this size is not counted: it is read in the same turn of the event loop. */
const UNCOUNTED = 16 * 1024;

export interface WantedBody {
  /** In bytes. */
  readonly limit: number;
  /** The user or address to which the bytes are counted. Each may hold half of the limit for all. */
  readonly client: string | null;
  /** Called with each part of the body as it arrives. */
  readonly onBytes?: (bytes: Buffer) => void;
}

/** The bytes of one body, counted from their arrival until the body has been parsed. */
class Share {
  /** True when a service in this process reads the body that the edge has received. */
  isTakenOver = false;
  private bytes = 0;

  constructor(
    private readonly bodies: Bodies,
    private readonly client: string | null,
  ) {}

  grow(bytes: number): void {
    this.bodies.add(bytes, this.client);
    this.bytes += bytes;
  }

  release(): void {
    if (this.bytes > 0) this.bodies.remove(this.bytes, this.client);
    this.bytes = 0;
  }
}

/** Shares by request. An edge and a service in one process share the request, so its bytes are counted once. */
const shares = new WeakMap<IncomingMessage, Share>();

/**
 * Reads request bodies and counts the bytes that this process holds. Above the limit for all clients, or above half of it for one
 * client, growing bodies are refused with `busy` (unavailable).
 */
export class Bodies {
  constructor(private readonly held: HeldBytes) {}

  get bytesHeld(): number {
    return this.held.all;
  }

  /** Receives a body, passes it to `read`, and counts its bytes until `read` is done. Rejects as `receive` and `read` do. */
  async use<Result>(req: IncomingMessage, limit: number, read: (bytes: Buffer) => Promise<Result>): Promise<Result> {
    const counted = shares.get(req);
    const share = counted ?? new Share(this, null);
    share.isTakenOver = true;
    try {
      return await read(await this.receive(req, limit, counted ? null : share));
    } finally {
      share.release();
    }
  }

  /**
   * Returns the whole body of a request, which can still be read afterwards. Rejects with the refusals `busy` (unavailable),
   * `malformed_request` (invalid, if the client disconnects) and `body_too_large` (too large). A body with a Content-Length above the
   * limit is not read.
   */
  async peek(req: IncomingMessage, res: ServerResponse, { limit, client, onBytes }: WantedBody): Promise<Buffer> {
    if (contentLengthOf(req) > limit) {
      linger(req, res);
      throw bodyTooLarge(limit);
    }
    sendContinue(req);
    // A small body arrives with its headers, but Node exposes it only after the headers were handled. Waiting for the event instead takes
    // three times as long.
    if (!req.complete) await new Promise((resolve) => setImmediate(resolve));
    if (req.complete && req.readableLength <= Math.min(limit, UNCOUNTED)) {
      const bytes = peeked(req);
      onBytes?.(bytes);
      return bytes;
    }
    const share = new Share(this, client);
    shares.set(req, share);
    res.once('close', () => share.release());
    try {
      const bytes = await gathered(req, limit, share, onBytes);
      // By then a service in another process has received the body. A service in this process continues to count its bytes.
      req.once('end', () => {
        if (!share.isTakenOver) share.release();
      });
      return bytes;
    } catch (error) {
      share.release();
      linger(req, res);
      throw error;
    }
  }

  /**
   * Counts the bytes of a body that was received with `BodyBytes` while `work` runs, for a handler that needs them longer than to read them. Rejects with
   * the refusal `busy` (unavailable), and as `work` does.
   */
  async hold<Result>(bytes: number, client: string | null, work: () => Promise<Result>): Promise<Result> {
    this.add(bytes, client);
    try {
      return await work();
    } finally {
      this.remove(bytes, client);
    }
  }

  add(bytes: number, client: string | null): void {
    const { all, most } = this.held;
    const byClient = client === null ? 0 : this.held.of(client) + bytes;
    if (all + bytes > most || byClient > most / 2) throw busy();
    this.held.add(bytes, client);
  }

  remove(bytes: number, client: string | null): void {
    this.held.remove(bytes, client);
  }

  private receive(req: IncomingMessage, limit: number, share: Share | null): Promise<Buffer> {
    if (contentLengthOf(req) > limit) throw bodyTooLarge(limit);
    sendContinue(req);
    return new Promise((resolve, reject) => {
      const slabs = new Slabs(share, contentLengthOf(req));
      const settle = (outcome: () => void) => {
        req.off('data', take).off('end', finish).off('close', leave).off('error', leave);
        outcome();
      };
      const leave = () => settle(() => reject(brokenOff()));
      const finish = () => settle(() => resolve(slabs.all()));
      const take = (chunk: Buffer) => {
        try {
          slabs.add(chunk, limit);
        } catch (error) {
          settle(() => reject(error as Error));
          req.resume();
        }
      };
      req.on('data', take).on('end', finish).on('close', leave).on('error', leave);
    });
  }
}

/** The Content-Length of a request; 0 for a chunked body. */
const contentLengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

function gathered(req: IncomingMessage, limit: number, share: Share, onBytes?: (bytes: Buffer) => void): Promise<Buffer> {
  if (req.destroyed) throw brokenOff();
  return new Promise((resolve, reject) => {
    const slabs = new Slabs(share, contentLengthOf(req));
    const settle = (outcome: () => void) => {
      req.off('readable', readAvailable).off('close', leave);
      outcome();
    };
    const leave = () => settle(() => reject(brokenOff()));
    const readAvailable = () => {
      try {
        // A stream that is read at its end emits `end`, and then the body cannot be put back.
        if (req.readableLength > 0) {
          const chunk = req.read() as Buffer;
          slabs.add(chunk, limit);
          onBytes?.(chunk);
        }
      } catch (error) {
        return settle(() => reject(error as Error));
      }
      if (!req.complete) return;
      const bytes = slabs.all();
      // In the same tick as the read, because a stream at its end would emit `end`.
      if (bytes.length > 0) req.unshift(bytes);
      settle(() => resolve(bytes));
    };
    req.on('readable', readAvailable).on('close', leave);
    if (req.complete) readAvailable();
  });
}

function peeked(req: IncomingMessage): Buffer {
  if (req.readableLength === 0) return Buffer.alloc(0);
  const bytes = req.read() as Buffer;
  req.unshift(bytes);
  return bytes;
}

/** Replaces a body that `peek` has returned. */
export function replaceBody(req: IncomingMessage, bytes: Buffer): void {
  req.read();
  req.unshift(bytes);
  delete req.headers['transfer-encoding'];
  req.headers['content-length'] = String(bytes.length);
}

/**
 * Reads and drops the rest of a refused request's body. Closing the connection earlier would reset it, and the client would lose the answer.
 * The connection is not kept alive for a body of unknown length, a very large body, or one that awaits `100 Continue`.
 */
export function linger(req: IncomingMessage, res: ServerResponse): void {
  const isBounded = req.headers['content-length'] !== undefined && contentLengthOf(req) <= LINGER_MAX_BYTES;
  if (!isExpecting(req) && !res.headersSent) res.shouldKeepAlive = isBounded;
  req.resume();
}

const brokenOff = () => refuse('invalid', 'malformed_request', 'The request ended before its body was complete. Send it again.');

const busy = () =>
  refuse('unavailable', 'busy', 'The server has no memory left for further bodies. Try again in a moment.', {
    retry_after: 1,
  });
