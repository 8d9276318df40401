import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';

/** Bytes of the requests of all calls that this process makes, also of those that wait for their turn at a provider. */
export const BYTES_OF_CALLS = 128 * 1024 * 1024;
/** The limit for one user, so that one user's long requests leave memory for others. */
export const BYTES_OF_A_USER = (BYTES_OF_CALLS * 3) / 4;

/** Limits the memory of calls. A request is kept until its call has ended, because its tokens may have to be counted. */
@Injectable()
export class CallMemory {
  private bytes = 0;
  private readonly bytesOf = new Map<string, number>();

  /** Returns a function that must be called once, when the call has ended. Throws the refusal `busy` (unavailable). */
  take(userId: string, bytes: number): () => void {
    const own = this.bytesOf.get(userId) ?? 0;
    if (this.bytes + bytes > BYTES_OF_CALLS || own + bytes > BYTES_OF_A_USER)
      throw refuse('unavailable', 'busy', 'The server has no memory left for further calls of models. Try again in a moment.', {
        retry_after: 1,
      });
    this.change(userId, bytes);
    return () => this.change(userId, -bytes);
  }

  private change(userId: string, bytes: number): void {
    this.bytes += bytes;
    const own = (this.bytesOf.get(userId) ?? 0) + bytes;
    if (own > 0) this.bytesOf.set(userId, own);
    else this.bytesOf.delete(userId);
  }
}
