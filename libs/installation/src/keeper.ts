/** Repeats work at intervals, without overlap. An error ends only its round. */
export class Keeper {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;

  constructor(
    millis: number,
    private readonly round: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => {
      if (!this.running) this.now().catch((error: unknown) => this.onError(error));
    }, millis).unref();
  }

  /** Resolves after a round that began at this call or later. Rejects if that round fails. */
  async now(): Promise<void> {
    while (this.running) await this.running.catch(() => undefined);
    this.running = this.round().finally(() => (this.running = null));
    return this.running;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running?.catch(() => undefined);
  }
}
