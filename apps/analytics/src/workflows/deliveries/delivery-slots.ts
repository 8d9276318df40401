import { createHash } from 'node:crypto';
import { type Change, CheckpointMoved, type Progress, ReadModels } from '@parlance/read-models';
import { webhookDeliveries } from '../../projections/webhooks/webhook-deliveries.ts';

/** Webhooks are divided among the replicas by slots. */
const SLOTS = Array.from({ length: 8 }, (_, index) => `slot-${index}`);
const FREE = 'free';

/** The most rows in one write, so that it does not take long. */
export const MOST_CHANGES = 60;

export const slotOf = (webhookId: string): string => SLOTS[createHash('sha256').update(webhookId).digest()[0]! % SLOTS.length]!;

/** Thrown by `write` when another replica has taken over the slot. The write had no effect. */
export class SlotLost extends Error {
  constructor(slot: string) {
    super(`another replica is delivering to the webhooks of ${slot}`);
    this.name = 'SlotLost';
  }
}

/** A slot that this replica owns. A write by an earlier owner is refused, because each write changes the slot's record. */
export class HeldSlot {
  private last: Promise<unknown> = Promise.resolve();
  private isLost = false;

  constructor(
    private readonly models: ReadModels,
    readonly slot: string,
    private progress: Progress,
    /** When the record was last changed, by `performance.now`. */
    private movedAt: number,
  ) {}

  /** Writes all changes or none. Writes of a slot are executed one after the other. */
  write(changes: readonly Change[]): Promise<void> {
    return this.move({ changes });
  }

  /** Updates the record, so that other replicas see that this one is alive. */
  async beat(everyMillis: number): Promise<void> {
    if (performance.now() - this.movedAt >= everyMillis) await this.move({ changes: [] });
  }

  async release(): Promise<void> {
    await this.move({ to: FREE, changes: [] });
    this.isLost = true;
  }

  private move(step: { readonly to?: string; readonly changes: readonly Change[] }): Promise<void> {
    const done = this.last.then(async () => {
      if (this.isLost) throw new SlotLost(this.slot);
      try {
        this.progress = await this.models.apply({ from: this.progress, steps: [step] });
        this.movedAt = performance.now();
      } catch (error) {
        if (!(error instanceof CheckpointMoved)) throw error;
        this.isLost = true;
        throw new SlotLost(this.slot);
      }
    });
    this.last = done.catch(() => undefined);
    return done;
  }
}

interface Watched {
  readonly revision: number;
  readonly since: number;
}

/**
 * The slots of a service, and which of them this replica may take: free ones, and those whose owner has not changed the record for the
 * length of a lease. Clocks of different replicas are never compared.
 */
export class DeliverySlots {
  private readonly watched = new Map<string, Watched>();

  constructor(
    private readonly models: ReadModels,
    /** Identifies the owner in the record. */
    private readonly holder: string,
    /** 0 if no other process can own a slot. */
    readonly leaseMillis: number,
  ) {}

  /** Declares the rows. */
  prepare(): Promise<void> {
    return this.models.prepare([webhookDeliveries]);
  }

  /** Creates the rows. Repeated daily, so that they count as used. */
  async open(): Promise<void> {
    const { name } = webhookDeliveries;
    await this.prepare();
    for (;;) {
      const main = await this.models.progress(name);
      const there = await this.models.lines(name);
      const missing = SLOTS.filter((slot) => !there.has(slot));
      if (main.ready && missing.length === 0) return;
      try {
        const lines = Object.fromEntries(missing.map((slot) => [slot, FREE]));
        await this.models.apply({ from: main, steps: [], reached: 1, ...(missing.length > 0 && { lines }) });
      } catch (error) {
        // Another replica is creating them at the same time.
        if (!(error instanceof CheckpointMoved)) throw error;
      }
    }
  }

  /** Null while another replica owns the slot. */
  async claim(slot: string): Promise<HeldSlot | null> {
    const progress = await this.models.progress(webhookDeliveries.name, slot);
    if (!this.mayTake(slot, progress)) return null;
    try {
      const taken = await this.models.apply({ from: progress, steps: [{ to: this.holder, changes: [] }] });
      this.watched.delete(slot);
      return new HeldSlot(this.models, slot, taken, performance.now());
    } catch (error) {
      if (error instanceof CheckpointMoved) return null;
      throw error;
    }
  }

  private mayTake(slot: string, { at, revision }: Progress): boolean {
    // Its own record is left if a failure kept it from being released. Writes with the earlier revision are refused.
    if (at === FREE || at === this.holder || this.leaseMillis === 0) return true;
    const now = performance.now();
    const before = this.watched.get(slot);
    if (before?.revision !== revision) {
      this.watched.set(slot, { revision, since: now });
      return false;
    }
    return now - before.since >= this.leaseMillis;
  }
}
