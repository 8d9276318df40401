/** Counts the bytes that a process holds for its clients: bodies that arrive, and answers that are being made or not yet read. */
export class HeldBytes {
  private held = 0;
  private readonly byClient = new Map<string, number>();

  constructor(readonly most: number) {}

  get all(): number {
    return this.held;
  }

  of(client: string): number {
    return this.byClient.get(client) ?? 0;
  }

  /** `client` is the user, API key or address to which the bytes are counted. */
  add(bytes: number, client: string | null): void {
    this.held += bytes;
    if (client !== null) this.byClient.set(client, this.of(client) + bytes);
  }

  remove(bytes: number, client: string | null): void {
    this.held -= bytes;
    if (client === null) return;
    const left = this.of(client) - bytes;
    if (left > 0) this.byClient.set(client, left);
    else this.byClient.delete(client);
  }
}

const ofProcess = new Map<number, HeldBytes>();

/** The applications of one process have the same limit and share one account. */
export function heldByProcess(most: number): HeldBytes {
  const held = ofProcess.get(most) ?? new HeldBytes(most);
  ofProcess.set(most, held);
  return held;
}
