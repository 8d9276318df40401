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
  const service = new Owner();
  for (const id of ids) service.texts.set(id, 'v1');
  return service;
}

describe('copies of values of a service', () => {
  it('are used without asking the service until their name is revoked', async () => {
    const service = owner('a');
    expect([await service.copies.current('a'), service.copies.known('a'), service.asked]).toEqual(['v1', 'v1', 1]);
    service.texts.set('a', 'v2');
    service.revoked.add('a v1');
    expect([service.copies.known('a'), await service.copies.current('a'), service.asked]).toEqual([undefined, 'v2', 2]);
  });
  it('are requested again when they expire, counted from the request', async () => {
    const service = owner('a');
    service.before = () => (service.now += 60);
    await service.copies.current('a');
    expect(service.copies.known('a')).toBe('v1');
    service.now = 100;
    expect(service.copies.known('a')).toBeUndefined();
  });
  it('are requested once by concurrent requests', async () => {
    const service = owner('a');
    expect(await Promise.all([service.copies.current('a'), service.copies.current('a')])).toEqual(['v1', 'v1']);
    expect(service.asked).toBe(1);
  });
  it('are certain only while the revocations are known', async () => {
    const service = owner('a');
    await service.copies.current('a');
    service.isWatched = false;
    expect(service.copies.known('a')).toBeUndefined();
    expect([await service.copies.current('a'), service.asked]).toEqual(['v1', 1]);
    service.revoked.add('a v1');
    service.texts.delete('a');
    expect(await service.copies.current('a')).toBeNull();
  });
  it('are not used if they were revoked while in transit', async () => {
    const service = owner('a');
    const { promise, resolve } = Promise.withResolvers<void>();
    service.gate = promise;
    const asked = service.copies.current('a');
    service.texts.set('a', 'v2');
    service.revoked.add('a v1');
    resolve();
    expect(await asked).toBe('v2');
  });
  it('are refused if the service returns a revoked copy again and again', async () => {
    const service = owner('a');
    service.revoked.add('a v1');
    await expect(service.copies.current('a')).rejects.toMatchObject({ kind: 'unavailable', facts: { retry_after: 1 } });
  });
  it('record that there is no value until that is revoked', async () => {
    const service = owner();
    expect([await service.copies.current('a'), service.copies.known('a'), service.asked]).toEqual([null, null, 1]);
    service.revoked.add('none a');
    service.texts.set('a', 'v1');
    expect(await service.copies.current('a')).toBe('v1');
  });
  it('do not accept "no value" from an older request if a value may exist by now', async () => {
    const service = owner();
    const { promise, resolve } = Promise.withResolvers<void>();
    service.gate = promise;
    const older = service.copies.current('a');
    service.revoked.add('none a');
    service.texts.set('a', 'v1');
    const newer = service.copies.current('a');
    resolve();
    expect([await older, await newer]).toEqual([null, 'v1']);
  });
  it('are limited in number, and the least recently used copy is removed first', async () => {
    const service = owner('a', 'b', 'c', 'd');
    service.millis = 60_000;
    for (const id of ['a', 'b', 'c', 'a', 'd']) {
      await service.copies.current(id);
      service.now += 1_000;
    }
    expect([service.copies.size, service.copies.known('a'), service.copies.known('b')]).toEqual([3, 'v1', undefined]);
  });
  it('do not remember a failure', async () => {
    const service = owner('a');
    service.before = () => {
      throw new Error('down');
    };
    await expect(service.copies.current('a')).rejects.toThrow('down');
    service.before = () => undefined;
    expect(await service.copies.current('a')).toBe('v1');
  });
});
