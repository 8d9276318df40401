/** The bytes that a process holds for its clients: bodies that arrive, and answers that are made or wait for their readers. */
export class HeldBytes {
  private held = 0;
  private readonly byHolder = new Map<string, number>();

  constructor(readonly most: number) {}

  get all(): number {
    return this.held;
  }

  of(holder: string): number {
    return this.byHolder.get(holder) ?? 0;
  }

  /** `holder`: the user, API key or address to which the bytes are counted. */
  add(bytes: number, holder: string | null): void {
    this.held += bytes;
    if (holder !== null) this.byHolder.set(holder, this.of(holder) + bytes);
  }

  remove(bytes: number, holder: string | null): void {
    this.held -= bytes;
    if (holder === null) return;
    const left = this.of(holder) - bytes;
    if (left > 0) this.byHolder.set(holder, left);
    else this.byHolder.delete(holder);
  }
}

const ofProcess = new Map<number, HeldBytes>();

/** The applications of one process, which have the same limit, share one account. */
export function heldByProcess(most: number): HeldBytes {
  const held = ofProcess.get(most) ?? new HeldBytes(most);
  ofProcess.set(most, held);
  return held;
}
