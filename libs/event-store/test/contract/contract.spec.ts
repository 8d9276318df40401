import { describe, expect, it } from '@jest/globals';
import { patience } from '@parlance/testing';
import { broken, Faithful } from '../broken-stores.ts';
import { eventStoreCases } from './contract.ts';
import { onSqlite } from './on-sqlite.ts';
import type { EventStore } from '../../src/event-store.ts';

/** A waiting case that has not ended by then has failed. With a correct store, each case ends within milliseconds. */
const FOR_EVER = 500;

async function verdict(name: string, Store: new (inner: EventStore) => EventStore, limit = FOR_EVER): Promise<'passes' | 'fails'> {
  const found = eventStoreCases.find((one) => one.name === name);
  if (!found) throw new Error(`no case is named: ${name}`);
  const subject = await onSqlite((store) => new Store(store));
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<'fails'>((resolve) => (timer = setTimeout(() => resolve('fails'), limit)));
  const run = found.run(subject).then(
    () => 'passes' as const,
    () => 'fails' as const,
  );
  try {
    return await Promise.race([run, tooLong]);
  } finally {
    clearTimeout(timer);
    await subject.end();
  }
}

describe('the contract of event stores', () => {
  it.each(broken.map(([Store, name]) => [Store.name, name, Store] as const))('detects a store that %s: "%s"', async (_, name, Store) => {
    expect([await verdict(name, Faithful, patience(60_000)), await verdict(name, Store)]).toEqual(['passes', 'fails']);
  });
});
