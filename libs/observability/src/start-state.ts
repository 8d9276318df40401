/** Whether a process has started, and the servers that its start waits for. */
export class StartState {
  private readonly waits = new Map<string, number>();
  private hasStarted = false;

  /** Reports that the start waits for this server, until the returned function is called. */
  waitFor(server: string): () => void {
    this.waits.set(server, performance.now());
    return () => void this.waits.delete(server);
  }

  started(): void {
    this.hasStarted = true;
  }

  get isStarted(): boolean {
    return this.hasStarted;
  }

  /** How many seconds the start has waited for each server. */
  get waitingSeconds(): Readonly<Record<string, number>> {
    const now = performance.now();
    return Object.fromEntries([...this.waits].map(([server, since]) => [server, Math.floor((now - since) / 1_000)]));
  }
}
