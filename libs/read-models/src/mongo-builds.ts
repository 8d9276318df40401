import type { Db, UpdateFilter } from 'mongodb';
import { type Build, Builds } from './builds.ts';
import { BuildLost, NotPrepared } from './errors.ts';
import { buildId, type MongoGate, type StoredBuild } from './mongo-gate.ts';
import { createTable, dropTable, isDuplicate } from './mongo-tables.ts';
import type { MongoWriters } from './mongo-writers.ts';
import type { TableOwner } from './read-models.ts';

/** How long a process may believe that a generation lives. */
const BELIEF_MS = 500;
/** When a generation's collections are dropped, nobody reads them any more. */
export const GRACE_MS = 5_000;
/** What a process left undone that was killed within that time, others do later: much later, since their clocks may differ. */
const SWEEP_MS = 60_000;

export class MongoBuilds extends Builds {
  private readonly beliefs = new Map<string, { build: Build; at: number }>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly writers: MongoWriters,
    private readonly db: Db,
    private readonly gate: MongoGate,
  ) {
    super();
  }

  async prepare(owners: readonly TableOwner[]): Promise<void> {
    for (const owner of owners) {
      const projection = owner.name;
      if (!(await this.gate.builds.findOne({ projection, state: 'living' }))) await this.insertFirst(owner);
      const build = await this.living(projection);
      await this.create(owner, build);
      await this.gate.builds.updateOne({ _id: buildId(build) }, { $addToSet: { tables: { $each: owner.tables.map(({ name }) => name) } } });
      await this.sweep(projection);
    }
  }

  async living(projection: string): Promise<Build> {
    const at = performance.now();
    const stored = await this.gate.builds.findOne({ projection, state: 'living' });
    if (!stored) throw new NotPrepared(`projection ${projection}`);
    const { generation, version, checkpoint } = stored;
    const build = { projection, generation, version, checkpoint };
    this.beliefs.set(projection, { build, at });
    return build;
  }

  /** The living generation as it was a moment ago, and when. */
  async believed(projection: string): Promise<{ generation: number; at: number }> {
    const belief = this.beliefs.get(projection);
    if (belief && performance.now() - belief.at < BELIEF_MS) return { generation: belief.build.generation, at: belief.at };
    const at = performance.now();
    return { generation: (await this.living(projection)).generation, at };
  }

  async checkpoint(build: Pick<Build, 'projection' | 'generation'>): Promise<number> {
    return (await this.gate.builds.findOne({ _id: buildId(build) }))?.checkpoint ?? 0;
  }

  async begin(owner: TableOwner, builder: string, leaseMs: number): Promise<Build | null> {
    const projection = owner.name;
    const left = await this.gate.builds.findOne({ projection, state: 'next' });
    if (left) {
      const retired = await this.gate.builds.updateOne(
        { _id: left._id, state: 'next', until: { $lte: Date.now() } },
        { $set: retire(left, 0) },
      );
      if (retired.modifiedCount === 0) return null;
    }
    await this.sweep(projection);
    const living = await this.gate.builds.findOneAndUpdate(
      { projection, state: 'living' },
      { $inc: { latest: 1 } },
      { returnDocument: 'after' },
    );
    if (!living) throw new NotPrepared(`projection ${projection}`);
    const build = { projection, generation: living.latest, version: owner.version, checkpoint: 0 };
    const tables = owner.tables.map(({ name }) => name);
    try {
      await this.gate.builds.insertOne({
        ...build,
        _id: buildId(build),
        state: 'next',
        tables,
        latest: build.generation,
        builder,
        until: Date.now() + leaseMs,
      });
    } catch (error) {
      if (isDuplicate(error)) return null;
      throw error;
    }
    await this.create(owner, build);
    return build;
  }

  async renew(build: Build, builder: string, leaseMs: number): Promise<boolean> {
    const filter = { _id: buildId(build), state: 'next', builder };
    return (await this.gate.builds.updateOne(filter, { $set: { until: Date.now() + leaseMs } })).matchedCount === 1;
  }

  async hold(projection: string, builder: string, leaseMs: number): Promise<void> {
    await this.writers.transact(async (session) => {
      const set: UpdateFilter<StoredBuild> = { $set: { builder, until: Date.now() + leaseMs } };
      const living = await this.gate.builds.findOneAndUpdate({ projection, state: 'living' }, set, { session });
      if (!living) throw new NotPrepared(`projection ${projection}`);
      await this.gate.closeFences(living, session);
    });
  }

  async release(projection: string, builder: string): Promise<void> {
    await this.gate.builds.updateOne({ projection, state: 'living', builder }, { $set: { builder: null } });
  }

  async switchTo(build: Build, builder: string, condition: 'as-far' | 'held'): Promise<boolean> {
    const { projection } = build;
    const old = await this.writers.transact(async (session) => {
      const next = await this.gate.builds.findOne({ _id: buildId(build), state: 'next', builder }, { session });
      if (!next) throw new BuildLost(projection);
      const filter = condition === 'held' ? { builder } : { checkpoint: { $lte: next.checkpoint } };
      const living = await this.gate.builds.findOne({ projection, state: 'living', ...filter }, { session });
      if (!living) return null;
      await this.gate.builds.updateOne({ _id: living._id }, { $set: retire(living, Date.now()) }, { session });
      await this.gate.builds.updateOne({ _id: next._id }, { $set: { state: 'living', builder: null, until: 0 } }, { session });
      await this.gate.dropFences(living, session);
      return living;
    });
    if (!old) return false;
    await this.living(projection);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      // Whoever prepares or rebuilds next sweeps up what stays.
      this.drop(old).catch(() => undefined);
    }, GRACE_MS);
    this.timers.add(timer.unref());
    return true;
  }

  async abandon(build: Build): Promise<void> {
    const stored = await this.gate.builds.findOne({ _id: buildId(build), state: 'next' });
    if (!stored) return;
    const { modifiedCount } = await this.gate.builds.updateOne({ _id: stored._id, state: 'next' }, { $set: retire(stored, 0) });
    if (modifiedCount === 1) await this.drop(stored);
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private async insertFirst({ name: projection, version }: TableOwner): Promise<void> {
    const build = { projection, generation: 1, version, checkpoint: 0 };
    const rest = { state: 'living', tables: [], latest: 1, builder: null, until: 0 };
    await this.gate.builds.insertOne({ _id: buildId(build), ...build, ...rest }).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
  }

  private async create(owner: TableOwner, build: Pick<Build, 'projection' | 'generation'>): Promise<void> {
    for (const table of owner.tables) await createTable(this.db, table, build.generation);
    await this.gate.createFences(build);
  }

  /** Drops what was retired and that nobody reads any more. */
  private async sweep(projection: string): Promise<void> {
    const retired = await this.gate.builds.find({ projection, state: /^retired/, until: { $lte: Date.now() - SWEEP_MS } }).toArray();
    for (const build of retired) await this.drop(build);
  }

  /** The document last: until it is gone, another try finds what is left. */
  private async drop(build: StoredBuild): Promise<void> {
    for (const table of build.tables) await dropTable(this.db, table, build.generation);
    await this.gate.forget(build);
    await this.gate.dropFences(build);
    await this.gate.builds.deleteOne({ _id: build._id });
  }
}

function retire({ generation }: Build, until: number): Partial<StoredBuild> {
  return { state: `retired:${generation}`, builder: null, until };
}
