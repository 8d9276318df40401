import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '@parlance/decider';
import { isExpecting, tellToGoOn } from './expectation.ts';
import { BodyTooLarge, Slabs } from './slabs.ts';

/** Bytes that all bodies together may take by default. */
export const MOST_BUFFERED = 64 * 1024 * 1024;

/** What is still read of a body that was refused: past this, the connection is cut. */
export const LINGER_MOST = 64 * 1024 * 1024;

/** A body that is complete and no larger is counted nowhere: it is done with in this turn of the event loop. */
const UNCOUNTED = 16 * 1024;

export interface WantedBody {
  /** In bytes. */
  readonly limit: number;
  /** The user or address that the bytes are counted to. One of them may hold half of what all may. */
  readonly holder: string | null;
  /** Called with each part of the body as it arrives. */
  readonly onBytes?: (bytes: Buffer) => void;
}

/** The bytes of one body, from when they are received until they were read as what they are. */
class Share {
  /** Set when a service of this process reads what the edge has received. */
  isTakenOver = false;
  private bytes = 0;

  constructor(
    private readonly bodies: Bodies,
    private readonly holder: string | null,
  ) {}

  grow(bytes: number): void {
    this.bodies.add(bytes, this.holder);
    this.bytes += bytes;
  }

  release(): void {
    if (this.bytes > 0) this.bodies.remove(this.bytes, this.holder);
    this.bytes = 0;
  }
}

/** By request: where edge and service share a process they share a request, and its bytes are counted once. */
const shares = new WeakMap<IncomingMessage, Share>();

/**
 * Reads the bodies of requests, and knows how many bytes of them this process holds at once. Past the limit of all bytes, or
 * past half of it for one holder, the bodies that grow are refused with `busy` (unavailable).
 */
export class Bodies {
  private held = 0;
  private readonly byHolder = new Map<string, number>();

  constructor(private readonly most = MOST_BUFFERED) {}

  get bytesHeld(): number {
    return this.held;
  }

  /** Receives a body, gives it to `read`, and counts its bytes until that is done. Rejects as `receive` does, and as `read` does. */
  async use<Result>(req: IncomingMessage, limit: number, read: (bytes: Buffer) => Promise<Result>): Promise<Result> {
    const before = shares.get(req);
    const share = before ?? new Share(this, null);
    share.isTakenOver = true;
    try {
      return await read(await this.receive(req, limit, before ? null : share));
    } finally {
      share.release();
    }
  }

  /**
   * The whole body of a request, which can still be read afterwards. Rejects with the refusals `busy` (unavailable),
   * and `malformed_request` (invalid) for a client that goes away, and with status 413 for a body that is too large: one that says so is not read.
   */
  async peek(req: IncomingMessage, res: ServerResponse, { limit, holder, onBytes }: WantedBody): Promise<Buffer> {
    if (saidLength(req) > limit) {
      linger(req, res);
      throw new BodyTooLarge();
    }
    tellToGoOn(req);
    // A small body comes with its headers, but Node tells of it only when it is done with those. Waiting for its event instead
    // costs three times as much.
    if (!req.complete) await new Promise((resolve) => setImmediate(resolve));
    if (req.complete && req.readableLength <= Math.min(limit, UNCOUNTED)) {
      const bytes = peeked(req);
      onBytes?.(bytes);
      return bytes;
    }
    const share = new Share(this, holder);
    shares.set(req, share);
    res.once('close', () => share.release());
    try {
      const bytes = await gathered(req, limit, share, onBytes);
      // A service in another process has it then; one in this process goes on counting.
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

  add(bytes: number, holder: string | null): void {
    const its = holder === null ? 0 : (this.byHolder.get(holder) ?? 0) + bytes;
    if (this.held + bytes > this.most || its > this.most / 2) throw busy();
    this.held += bytes;
    if (holder !== null) this.byHolder.set(holder, its);
  }

  remove(bytes: number, holder: string | null): void {
    this.held -= bytes;
    if (holder === null) return;
    const left = (this.byHolder.get(holder) ?? 0) - bytes;
    if (left > 0) this.byHolder.set(holder, left);
    else this.byHolder.delete(holder);
  }

  private receive(req: IncomingMessage, limit: number, share: Share | null): Promise<Buffer> {
    if (saidLength(req) > limit) throw new BodyTooLarge();
    tellToGoOn(req);
    return new Promise((resolve, reject) => {
      const slabs = new Slabs(share, saidLength(req));
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

/** What a request says of its body's length; 0 for one that comes in chunks. */
const saidLength = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

function gathered(req: IncomingMessage, limit: number, share: Share, onBytes?: (bytes: Buffer) => void): Promise<Buffer> {
  if (req.destroyed) throw brokenOff();
  return new Promise((resolve, reject) => {
    const slabs = new Slabs(share, saidLength(req));
    const settle = (outcome: () => void) => {
      req.off('readable', look).off('close', leave);
      outcome();
    };
    const leave = () => settle(() => reject(brokenOff()));
    const look = () => {
      try {
        // Nothing is read at the end: a stream that is read there ends, and then nothing can be put back.
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
      // In the same tick as the reading, for the same reason.
      if (bytes.length > 0) req.unshift(bytes);
      settle(() => resolve(bytes));
    };
    req.on('readable', look).on('close', leave);
    if (req.complete) look();
  });
}

function peeked(req: IncomingMessage): Buffer {
  if (req.readableLength === 0) return Buffer.alloc(0);
  const bytes = req.read() as Buffer;
  req.unshift(bytes);
  return bytes;
}

/** Puts other bytes in the place of a body that `peek` has given. */
export function replaceBody(req: IncomingMessage, bytes: Buffer): void {
  req.read();
  req.unshift(bytes);
  delete req.headers['transfer-encoding'];
  req.headers['content-length'] = String(bytes.length);
}

/**
 * Lets the client of a request that is refused send the rest of its body, of which nothing is kept: a connection that is closed
 * meanwhile is reset, and the answer is lost on the way. It is for the client to close it then, if it said so. Not for a body without a
 * known end, a very large one, or one that the client was not yet told to send.
 */
export function linger(req: IncomingMessage, res: ServerResponse): void {
  const isBounded = req.headers['content-length'] !== undefined && saidLength(req) <= LINGER_MOST;
  if (!isExpecting(req) && !res.headersSent) res.shouldKeepAlive = isBounded;
  req.resume();
}

const brokenOff = () => refuse('invalid', 'malformed_request', 'The request ended before its end. Send it again.');

const busy = () =>
  refuse('unavailable', 'busy', 'The server is receiving as many request bodies as it can hold. Try again in a moment.', {
    retry_after: 1,
  });
