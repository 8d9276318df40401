import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import { ConnectionRequired } from './credentials.ts';
import { FAILED_CALLS, PAUSE_MILLIS } from './limits.ts';
import { TooManySessions } from './mcp-sessions.ts';

/** Whether an error shows that a server does not work. A request that it refuses for one user may work for others. */
export function isFaultOfServer(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status >= 500;
  return !(error instanceof ProtocolError || error instanceof ConnectionRequired || error instanceof TooManySessions);
}

/** Whether a server works, as far as this process knows. A failed server is not contacted for a while, so that no reply waits for it. */
export class ServerHealth {
  private failedCalls = 0;
  private pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    /** A monotonic clock, in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  get isPaused(): boolean {
    return this.now() < this.pausedUntil;
  }

  worked(): void {
    this.failedCalls = 0;
    this.pausedUntil = Number.NEGATIVE_INFINITY;
  }

  /** Call it when the server's tools could not be listed. */
  pause(): void {
    this.failedCalls = 0;
    this.pausedUntil = this.now() + PAUSE_MILLIS;
  }

  callFailed(): void {
    this.failedCalls += 1;
    if (this.failedCalls >= FAILED_CALLS) this.pause();
  }
}
