import { describe, expect, it } from '@jest/globals';
import { Copies, type Copied } from './copies.ts';

/** A service with one text for each ID, and its revocations. */
class Owner {
  readonly texts = new Map<string, string>();
  readonly revoked = new Set<string>();
  isWatched = true;
  now = 0;
  /** How long a copy may be used. */
  millis = 100;
  asked = 0;
  /** Requests to the service wait for this. */
  gate: Promise<void> = Promise.resolve();
  /** Called before an answer. */
  before: () => void = () => undefined;

  readonly copies = new Copies<string>(
    (id) => this.answer(id),
    this,
    3,
    () => this.now,
  );

  isKnownRevoked(names: readonly string[]): boolean | null {
    return this.isWatched ? names.some((name) => this.revoked.has(name)) : null;
  }

  async anyRevoked(names: readonly string[]): Promise<boolean> {
    return names.some((name) => this.revoked.has(name));
  }

  private async answer(id: string): Promise<Copied<string>> {
    this.asked += 1;
    this.before();
    const value = this.texts.get(id) ?? null;
    await this.gate;
    return { value, names: [value === null ? `none ${id}` : `${id} ${value}`], millis: this.millis };
  }
}

function owner(...ids: string[]): Owner {
  const its = new Owner();
  for (const id of ids) its.texts.set(id, 'v1');
  return its;
}

describe('copies of what a service has', () => {
  it('are used without asking the service until their name is revoked', async () => {
    const its = owner('a');
    expect([await its.copies.current('a'), its.copies.known('a'), its.asked]).toEqual(['v1', 'v1', 1]);
    its.texts.set('a', 'v2');
    its.revoked.add('a v1');
    expect([its.copies.known('a'), await its.copies.current('a'), its.asked]).toEqual([undefined, 'v2', 2]);
  });
  it('are requested again when they expire, counted from the request', async () => {
    const its = owner('a');
    its.before = () => (its.now += 60);
    await its.copies.current('a');
    expect(its.copies.known('a')).toBe('v1');
    its.now = 100;
    expect(its.copies.known('a')).toBeUndefined();
  });
  it('are requested once by concurrent requests', async () => {
    const its = owner('a');
    expect(await Promise.all([its.copies.current('a'), its.copies.current('a')])).toEqual(['v1', 'v1']);
    expect(its.asked).toBe(1);
  });
  it('are known for certain only while the revocations are known', async () => {
    const its = owner('a');
    await its.copies.current('a');
    its.isWatched = false;
    expect(its.copies.known('a')).toBeUndefined();
    expect([await its.copies.current('a'), its.asked]).toEqual(['v1', 1]);
    its.revoked.add('a v1');
    its.texts.delete('a');
    expect(await its.copies.current('a')).toBeNull();
  });
  it('are not used if they were revoked while in transit', async () => {
    const its = owner('a');
    const { promise, resolve } = Promise.withResolvers<void>();
    its.gate = promise;
    const asked = its.copies.current('a');
    its.texts.set('a', 'v2');
    its.revoked.add('a v1');
    resolve();
    expect(await asked).toBe('v2');
  });
  it('are refused if the service returns a revoked copy again and again', async () => {
    const its = owner('a');
    its.revoked.add('a v1');
    await expect(its.copies.current('a')).rejects.toMatchObject({ kind: 'unavailable', facts: { retry_after: 1 } });
  });
  it('remember that there is no value until that is revoked', async () => {
    const its = owner();
    expect([await its.copies.current('a'), its.copies.known('a'), its.asked]).toEqual([null, null, 1]);
    its.revoked.add('none a');
    its.texts.set('a', 'v1');
    expect(await its.copies.current('a')).toBe('v1');
  });
  it('do not accept "no value" from an older request when that may have changed', async () => {
    const its = owner();
    const { promise, resolve } = Promise.withResolvers<void>();
    its.gate = promise;
    const older = its.copies.current('a');
    its.revoked.add('none a');
    its.texts.set('a', 'v1');
    const newer = its.copies.current('a');
    resolve();
    expect([await older, await newer]).toEqual([null, 'v1']);
  });
  it('are limited in number, and the least recently used copy is removed first', async () => {
    const its = owner('a', 'b', 'c', 'd');
    its.millis = 60_000;
    for (const id of ['a', 'b', 'c', 'a', 'd']) {
      await its.copies.current(id);
      its.now += 1_000;
    }
    expect([its.copies.size, its.copies.known('a'), its.copies.known('b')]).toEqual([3, 'v1', undefined]);
  });
  it('do not remember a failure', async () => {
    const its = owner('a');
    its.before = () => {
      throw new Error('down');
    };
    await expect(its.copies.current('a')).rejects.toThrow('down');
    its.before = () => undefined;
    expect(await its.copies.current('a')).toBe('v1');
  });
});
