/** Most bytes of files in all prompts of a process. */
const MOST_BYTES = 128 * 1024 * 1024;

/** Limits the memory for files of prompts. Replies wait for it in the order of their requests. */
export class PromptMemory {
  private free: number;
  private readonly waiting: { readonly bytes: number; readonly grant: () => void }[] = [];

  constructor(private readonly most = MOST_BYTES) {
    this.free = most;
  }

  /** Resolves with a function that releases the memory. Rejects with the signal's reason. */
  async take(bytes: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const taken = Math.min(bytes, this.most);
    if (this.waiting.length > 0 || taken > this.free) await this.wait(taken, signal);
    else this.free -= taken;
    let isTaken = true;
    return () => {
      if (isTaken) this.release(taken);
      isTaken = false;
    };
  }

  private wait(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(signal!.reason as Error);
        this.grantNext();
      };
      const entry = {
        bytes,
        grant: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.waiting.push(entry);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private release(bytes: number): void {
    this.free += bytes;
    this.grantNext();
  }

  private grantNext(): void {
    for (let first = this.waiting[0]; first !== undefined && first.bytes <= this.free; first = this.waiting[0]) {
      this.waiting.shift();
      this.free -= first.bytes;
      first.grant();
    }
  }
}
