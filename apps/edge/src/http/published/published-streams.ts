import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';

/** The rights of a stream at one moment. */
export interface Grant {
  /** Names of the copies (of a published API, of a key) that allow the stream. */
  readonly names: readonly string[];
  /** Milliseconds until its key expires, when it is checked again; null for a key that does not expire. */
  readonly expiresIn: number | null;
}

export interface StreamRights {
  readonly grant: Grant;
  /** Whether one of these names is revoked, as far as this process knows. */
  isRevoked(names: readonly string[]): boolean;
  /** Resolves with the stream's current rights. Rejects if there are none, or if they cannot be read. */
  check(): Promise<Grant>;
  /** Ends the stream. `error`: what the check has rejected with. */
  end(error: unknown): void;
}

interface OpenStream {
  readonly res: ServerResponse;
  readonly rights: StreamRights;
  names: readonly string[];
  expiry?: NodeJS.Timeout;
}

/** Node's longest timer delay, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The answers being streamed to programs, by the names of the copies (of a published API, of a key) that allow them. */
@Injectable()
export class PublishedStreams {
  private readonly open = new Map<string, Set<OpenStream>>();

  add(res: ServerResponse, rights: StreamRights): void {
    if (res.destroyed) return;
    const stream: OpenStream = { res, rights, names: [] };
    this.enter(stream, rights.grant);
    res.once('close', () => this.leave(stream));
    // A name was revoked before the stream was added, so nothing else will check the stream.
    if (rights.isRevoked(stream.names)) void this.checkAgain(stream);
  }

  /** The number of names that have open streams. */
  get size(): number {
    return this.open.size;
  }

  /**
   * Must be called when a name is revoked. Streams that are still allowed, because only the terms have changed, continue. All others are closed.
   */
  async revoked(name: string): Promise<void> {
    const streams = [...(this.open.get(name) ?? [])];
    if (streams.length === 0) return;
    // The caller records the revocation in this turn of the event loop, and the check must see it.
    await Promise.resolve();
    await Promise.all(streams.map((stream) => this.checkAgain(stream)));
  }

  private async checkAgain(stream: OpenStream): Promise<void> {
    try {
      do {
        const grant = await stream.rights.check();
        if (stream.res.destroyed) return;
        this.leave(stream);
        this.enter(stream, grant);
        // One of the names may have been revoked while the others were read.
      } while (stream.rights.isRevoked(stream.names));
    } catch (error) {
      stream.rights.end(error);
    }
  }

  private enter(stream: OpenStream, { names, expiresIn }: Grant): void {
    stream.names = names;
    if (expiresIn !== null) stream.expiry = setTimeout(() => void this.checkAgain(stream), Math.min(expiresIn, LONGEST_TIMER)).unref();
    for (const name of names) this.open.set(name, (this.open.get(name) ?? new Set()).add(stream));
  }

  private leave(stream: OpenStream): void {
    clearTimeout(stream.expiry);
    for (const name of stream.names) {
      const streams = this.open.get(name);
      streams?.delete(stream);
      if (streams?.size === 0) this.open.delete(name);
    }
  }
}
