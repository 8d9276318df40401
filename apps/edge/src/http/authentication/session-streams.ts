import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';

/** Ends one answer. */
type End = () => void;

/** The answers being streamed on behalf of users, by the keys under which their sessions and accounts are revoked. */
@Injectable()
export class SessionStreams {
  private readonly open = new Map<string, Set<End>>();

  /** A connection is usually closed: a client that reconnects learns that its session has ended. */
  add(keys: readonly string[], res: ServerResponse, end: End = () => void res.destroy()): void {
    for (const key of keys) {
      const ends = this.open.get(key) ?? new Set();
      this.open.set(key, ends.add(end));
      res.once('close', () => {
        ends.delete(end);
        if (ends.size === 0 && this.open.get(key) === ends) this.open.delete(key);
      });
    }
  }

  end(key: string): void {
    for (const end of this.open.get(key) ?? []) end();
  }
}
