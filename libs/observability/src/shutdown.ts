/**
 * The order in which a process stops: it accepts no new work, finishes its current work, and closes each store after its writers.
 */
export const shutdownStages = ['refuse', 'notice', 'drain', 'consumers', 'background', 'stores', 'telemetry'] as const;
export type ShutdownStage = (typeof shutdownStages)[number];

export interface ShutdownOutcome {
  readonly hung: readonly string[];
  readonly failed: readonly string[];
}

export interface ShutdownSettings {
  readonly graceSeconds: number;
  /** Called for every stop that hung or failed, before the logs are flushed. */
  readonly warn: (message: string, error?: unknown) => void;
}

interface Stop {
  readonly name: string;
  readonly run: () => Promise<unknown> | unknown;
}

/** The part of `process` that a plan listens to and ends. */
export interface Ending {
  on(event: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
  exit(code: number): void;
}

/** The time for writing the logs after the grace period is over. */
const LAST_WORDS_MS = 500;
const exitCodes: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

/** The stops of a process. Stops of one stage run concurrently, the stages one after another. */
export class ShutdownPlan {
  private readonly stages = new Map<ShutdownStage, Stop[]>(shutdownStages.map((stage) => [stage, []]));
  private readonly settings: ShutdownSettings;
  private outcome: Promise<ShutdownOutcome> | null = null;

  constructor(settings: ShutdownSettings) {
    this.settings = settings;
  }

  /**
   * - `refuse`: the readiness check fails.
   * - `notice`: servers still answer, and close each connection after its answer, until other processes use other replicas.
   * - `drain`: servers accept no new connections and answer their running requests.
   * - `consumers`: subscriptions finish the current delivery and commit.
   * - `background`: projectors, relays, timers, claimed work.
   * - `stores`: event stores, read models, brokers, files.
   * - `telemetry`: traces, metrics, logs.
   */
  stop(stage: ShutdownStage, name: string, run: Stop['run']): void {
    this.stages.get(stage)!.push({ name, run });
  }

  /** Runs all stops. A second call joins the first. A failed stop does not prevent the others. */
  run(): Promise<ShutdownOutcome> {
    return (this.outcome ??= this.runStages());
  }

  /** Shuts down on SIGTERM and SIGINT and exits with 0 if all stops succeeded, with 1 if one hung or failed. A second signal exits at once. */
  listen(to: Ending = process): void {
    let hasSignal = false;
    const leave = (signal: NodeJS.Signals): void => {
      if (hasSignal) {
        to.exit(exitCodes[signal] ?? 1);
        return;
      }
      hasSignal = true;
      void this.run().then(({ hung, failed }) => to.exit(hung.length + failed.length > 0 ? 1 : 0));
    };
    to.on('SIGTERM', leave);
    to.on('SIGINT', leave);
    // The state of the process is unknown, so it logs the cause and exits. Acknowledged writes are on disk.
    to.on('uncaughtException', (error) => {
      this.settings.warn('the process ends because of an uncaught error', error);
      void this.lastWords().then(() => to.exit(1));
    });
  }

  private async runStages(): Promise<ShutdownOutcome> {
    const pending = new Set<string>();
    const failed: string[] = [];
    let timer: NodeJS.Timeout | undefined;
    const graceOver = new Promise<'over'>((resolve) => {
      timer = setTimeout(resolve, this.settings.graceSeconds * 1_000, 'over');
    });
    for (const stage of shutdownStages) {
      const stopped = this.runStage(stage, pending, failed);
      if ((await Promise.race([stopped, graceOver])) !== 'over') continue;
      const hung = [...pending];
      this.settings.warn(`shutdown took more than ${this.settings.graceSeconds} s, still waiting for: ${hung.join(', ')}`);
      if (stage !== 'telemetry') await this.lastWords();
      return { hung, failed };
    }
    clearTimeout(timer);
    return { hung: [], failed };
  }

  private async runStage(stage: ShutdownStage, pending: Set<string>, failed: string[]): Promise<void> {
    await Promise.all(
      this.stages.get(stage)!.map(async ({ name, run }) => {
        pending.add(name);
        try {
          await run();
        } catch (error) {
          failed.push(name);
          this.settings.warn(`${name} did not stop cleanly`, error);
        }
        pending.delete(name);
      }),
    );
  }

  /** Flushes the logs even if the grace period is over, because they name the stops that hang. */
  private async lastWords(): Promise<void> {
    const flushed = this.runStage('telemetry', new Set(), []);
    await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
  }
}
