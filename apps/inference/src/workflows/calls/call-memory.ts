import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';

/** Bytes of the requests and whole answers of all calls that this process makes, also of those that wait for their turn at a provider. */
export const BYTES_OF_CALLS = 128 * 1024 * 1024;
/** The limit for one user, so that one user's long requests leave memory for others. */
export const BYTES_OF_A_USER = (BYTES_OF_CALLS * 3) / 4;

/** The bytes of one call. */
export interface HeldBytes {
  /** Counts a part of the answer. It may exceed the limits: then no other call begins. */
  add(bytes: number): void;
  /** Must be called when the call has ended. */
  release(): void;
}

/** Limits the memory of calls. A request is kept until its call has ended, because its tokens may have to be counted. */
@Injectable()
export class CallMemory {
  private bytes = 0;
  private readonly bytesOf = new Map<string, number>();

  /** Throws the refusal `busy` (unavailable). */
  take(userId: string, bytes: number): HeldBytes {
    const own = this.bytesOf.get(userId) ?? 0;
    if (this.bytes + bytes > BYTES_OF_CALLS || own + bytes > BYTES_OF_A_USER)
      throw refuse('unavailable', 'busy', 'The server has no memory left for further calls of models. Try again in a moment.', {
        retry_after: 1,
      });
    let held = 0;
    const add = (more: number) => {
      held += more;
      this.change(userId, more);
    };
    add(bytes);
    return { add, release: () => add(-held) };
  }

  private change(userId: string, bytes: number): void {
    this.bytes += bytes;
    const own = (this.bytesOf.get(userId) ?? 0) + bytes;
    if (own > 0) this.bytesOf.set(userId, own);
    else this.bytesOf.delete(userId);
  }
}
