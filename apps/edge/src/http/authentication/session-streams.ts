import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';

/** The answers being streamed to signed-in users, by the keys under which their sessions are revoked. */
@Injectable()
export class SessionStreams {
  private readonly open = new Map<string, Set<ServerResponse>>();

  add(keys: readonly string[], res: ServerResponse): void {
    for (const key of keys) {
      const answers = this.open.get(key) ?? new Set();
      this.open.set(key, answers.add(res));
      res.once('close', () => {
        answers.delete(res);
        if (answers.size === 0 && this.open.get(key) === answers) this.open.delete(key);
      });
    }
  }

  /** Closes the connections of these answers. A client that reconnects learns that its session has ended. */
  end(key: string): void {
    for (const res of this.open.get(key) ?? []) res.destroy();
  }
}
