/** Bytes of files that the prompts of one process hold at most. */
const MOST_BYTES = 128 * 1024 * 1024;

/** Gives replies room in memory for files of their prompts, in the order in which they ask. */
export class FileRoom {
  private free: number;
  private readonly waiting: { readonly bytes: number; readonly enter: () => void }[] = [];

  constructor(private readonly most = MOST_BYTES) {
    this.free = most;
  }

  /** Resolves with the function that gives the room back. Rejects with the reason of the signal. */
  async take(bytes: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const taken = Math.min(bytes, this.most);
    if (this.waiting.length > 0 || taken > this.free) await this.turn(taken, signal);
    else this.free -= taken;
    let isTaken = true;
    return () => {
      if (isTaken) this.giveBack(taken);
      isTaken = false;
    };
  }

  private turn(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(place), 1);
        reject(signal!.reason as Error);
        this.letIn();
      };
      const place = {
        bytes,
        enter: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.waiting.push(place);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private giveBack(bytes: number): void {
    this.free += bytes;
    this.letIn();
  }

  private letIn(): void {
    for (let first = this.waiting[0]; first !== undefined && first.bytes <= this.free; first = this.waiting[0]) {
      this.waiting.shift();
      this.free -= first.bytes;
      first.enter();
    }
  }
}
