import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';

interface OpenStream {
  readonly res: ServerResponse;
  /** Resolves with the names of the copies that allow it now. Rejects if nothing allows it, or if that cannot be known. */
  readonly check: () => Promise<readonly string[]>;
  names: readonly string[];
}

/** The answers that are being streamed to programs, by the names of the copies (of a published API, of a key) that allow them. */
@Injectable()
export class PublishedStreams {
  private readonly open = new Map<string, Set<OpenStream>>();

  add(names: readonly string[], res: ServerResponse, check: OpenStream['check']): void {
    const stream: OpenStream = { res, check, names };
    this.enter(stream);
    res.once('close', () => this.leave(stream));
  }

  /** Names of which streams are open. */
  get size(): number {
    return this.open.size;
  }

  /** Call it when a name is revoked. Streams that are still allowed, because only the terms have changed, go on. All others are closed. */
  async revoked(name: string): Promise<void> {
    const streams = [...(this.open.get(name) ?? [])];
    if (streams.length === 0) return;
    // The caller notes the revocation in this turn of the event loop, and the check must see it.
    await Promise.resolve();
    await Promise.all(streams.map((stream) => this.checkAgain(stream)));
  }

  private async checkAgain(stream: OpenStream): Promise<void> {
    try {
      const names = await stream.check();
      if (stream.res.destroyed) return;
      this.leave(stream);
      stream.names = names;
      this.enter(stream);
    } catch {
      stream.res.destroy();
    }
  }

  private enter(stream: OpenStream): void {
    for (const name of stream.names) this.open.set(name, (this.open.get(name) ?? new Set()).add(stream));
  }

  private leave(stream: OpenStream): void {
    for (const name of stream.names) {
      const streams = this.open.get(name);
      streams?.delete(stream);
      if (streams?.size === 0) this.open.delete(name);
    }
  }
}
