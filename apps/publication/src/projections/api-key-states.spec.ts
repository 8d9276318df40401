import { describe, expect, it } from '@jest/globals';
import { Instant, Refusal } from '@parlance/decider';
import type { At } from '@parlance/read-models';
import fc from 'fast-check';
import { publication, type PublicationCommand } from '../domain/publication.ts';
import type { Publication } from '../domain/publication-events.ts';
import { keyRevision, publicationRevision, revocations } from './revocations.ts';

/** The model of a key. Null: it was never created, or it was revoked, or its publication was removed. */
type Known = { enabled: boolean; expiresAt: number | null } | null;

/** What an edge has copied: the publication and one key. */
interface Copy {
  readonly names: readonly string[];
  readonly enabled: boolean;
  readonly expiresAt: number | null;
}

const by = 'ann';
const lease = { claim: 'c', leaseUntil: Instant.ofMillis(0) };
const terms = { quota: null, throttle: { rate_limit: 1, burst_limit: 1 }, allowedOrigins: ['*'] };

/** One bot, its keys in the model and in the service, and an edge that keeps copies until they are revoked. */
class World {
  now = 1_000;
  private state: Publication = publication.initialState;
  private readonly model = new Map<string, Known>();
  private readonly revoked = new Set<string>();
  private readonly copies = new Map<string, Copy>();
  private made = 0;

  publish(): void {
    const deploymentId = `d${++this.made}`;
    this.send({ type: 'Request', by, deploymentId, ownerUserId: by, stage: 'api', terms, deadline: Instant.ofMillis(0), ...lease });
    this.send({ type: 'StartDeployment', deploymentId });
    this.send({ type: 'Succeed', claim: 'c' });
  }

  unpublish(isDone: boolean): void {
    if (this.send({ type: 'Remove', by, ...lease })) for (const id of this.model.keys()) this.model.set(id, null);
    if (isDone && this.state.status !== 'none') this.send({ type: 'FinishRemoval', deploymentId: this.state.deploymentId });
  }

  create(expiresIn: number | null): void {
    const keyId = `k${++this.made}`;
    const expiresAt = expiresIn === null ? null : this.now + expiresIn;
    const facts = { keyId, description: '', hash: '', ending: '', expiresAt: instant(expiresAt), allowedIpRanges: [] };
    const isDone = this.send({ type: 'CreateKey', by, now: Instant.ofMillis(this.now), facts });
    this.model.set(keyId, isDone ? { enabled: true, expiresAt } : null);
  }

  /** `nth`: any key that was ever created. */
  change(index: number, change: { enabled?: boolean; expiresIn?: number | null }): void {
    const keyId = this.idOf(index);
    if (keyId === undefined) return;
    const { enabled, expiresIn } = change;
    const expiresAt = expiresIn == null ? expiresIn : this.now + expiresIn;
    const edit = { ...(enabled !== undefined && { enabled }), ...(expiresAt !== undefined && { expiresAt: instant(expiresAt) }) };
    const isDone = this.send({ type: 'ChangeKey', by, keyId, now: Instant.ofMillis(this.now), change: edit });
    const known = this.model.get(keyId);
    if (isDone && known)
      this.model.set(keyId, { ...known, ...(enabled !== undefined && { enabled }), ...(expiresAt !== undefined && { expiresAt }) });
  }

  revoke(index: number): void {
    const keyId = this.idOf(index);
    if (keyId !== undefined && this.send({ type: 'RevokeKey', by, keyId })) this.model.set(keyId, null);
  }

  /** The keys that work by the model. */
  get working(): readonly string[] {
    return [...this.model].flatMap(([keyId, known]) => (known !== null && this.works(known) ? [keyId] : []));
  }

  /** The keys that the edge accepts. The earlier steps determine which keys it has copies of. */
  accepted(): readonly string[] {
    return [...this.model.keys()].filter((keyId) => this.isAccepted(keyId));
  }

  /** Decides like an edge: by its copy, or by a new copy if there is none or it was revoked. */
  private isAccepted(keyId: string): boolean {
    let copy = this.copies.get(keyId);
    if (!copy || copy.names.some((name) => this.revoked.has(name))) {
      this.copies.delete(keyId);
      copy = this.copyOf(keyId);
      if (!copy) return false;
      this.copies.set(keyId, copy);
    }
    return this.works(copy);
  }

  private copyOf(keyId: string): Copy | undefined {
    const { state } = this;
    const key = state.status === 'succeeded' ? state.keys[keyId] : undefined;
    if (state.status !== 'succeeded' || !key) return undefined;
    const names = [publicationRevision('b', state.number, state.revision), keyRevision(keyId, key.revision)];
    return { names, enabled: key.enabled, expiresAt: key.expiresAt };
  }

  private works({ enabled, expiresAt }: Omit<Copy, 'names'>): boolean {
    return enabled && (expiresAt === null || this.now < expiresAt);
  }

  private idOf(index: number): string | undefined {
    const ids = [...this.model.keys()];
    return ids[index % ids.length];
  }

  /** Returns whether the command was accepted. */
  private send(command: PublicationCommand): boolean {
    const events = publication.decide(command, this.state);
    if (events instanceof Refusal) return false;
    for (const event of events) {
      this.state = publication.evolve(this.state, event);
      const at = { stream: 'publication-b', position: 1, metadata: { at: this.now } } as unknown as At;
      for (const { key } of revocations.changes(event, at)) this.revoked.add(key);
    }
    return true;
  }
}

const instant = (millis: number | null): Instant | null => (millis === null ? null : Instant.ofMillis(millis));

const index = fc.nat({ max: 5 });
const inMillis = fc.option(fc.integer({ min: -20, max: 100 }));
const steps: fc.Arbitrary<(world: World) => void> = fc.oneof(
  fc.constant((world: World) => world.publish()),
  fc.boolean().map((isDone) => (world: World) => world.unpublish(isDone)),
  inMillis.map((expiresIn) => (world: World) => world.create(expiresIn)),
  fc.tuple(index, fc.boolean()).map(
    ([key, enabled]) =>
      (world: World) =>
        world.change(key, { enabled }),
  ),
  fc.tuple(index, inMillis).map(
    ([key, expiresIn]) =>
      (world: World) =>
        world.change(key, { expiresIn }),
  ),
  index.map((key) => (world: World) => world.revoke(key)),
  fc.integer({ min: 1, max: 60 }).map((millis) => (world: World) => void (world.now += millis)),
);

describe('an API key', () => {
  it('is accepted by an edge with copies exactly while it exists, is enabled, has not expired, and its bot is published', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 40 }), (history) => {
        const world = new World();
        world.publish();
        for (const step of history) {
          step(world);
          expect(world.accepted()).toEqual(world.working);
        }
      }),
      { numRuns: 500 },
    );
  });
});
