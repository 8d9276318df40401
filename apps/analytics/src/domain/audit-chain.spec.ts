import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/decider';
import { AuditChain } from './audit-chain.ts';
import { type AuditEntry, auditTrail, type AuditTrailEvent, chained } from './audit-trail.ts';

const hashes = { keyed: (text: string) => `keyed(${text})`, plain: (text: string) => `plain(${text})` };
const trail = auditTrail(hashes.keyed);
const entry = (id: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  user_id: 'ann',
  action_type: 'create_bot',
  resource_type: 'bot',
  resource_id: 'b',
  timestamp: 1,
  details: {},
  ip_address: null,
  user_agent: null,
  success: true,
  error_message: null,
  ...more,
});
const record = (history: readonly AuditTrailEvent[], ...ids: string[]): AuditTrailEvent[] => {
  const events = trail.decide({ type: 'Record', entries: ids.map((id) => entry(id)) }, fold(trail, history));
  return [...history, ...(events as readonly AuditTrailEvent[])];
};
/** A chain as release 0.2 recorded it. Anyone can build it without the key. */
const plainChain = (...entries: AuditEntry[]) => {
  const events: AuditTrailEvent[] = [];
  for (const each of entries) {
    const previousHash = events.at(-1)?.hash ?? '';
    events.push({ type: 'AuditEntryRecorded', entry: each, previousHash, hash: hashes.plain(chained(previousHash, each)) });
  }
  return events;
};
const brokenIn = (events: readonly AuditTrailEvent[]) => {
  const chain = new AuditChain(hashes);
  for (const event of events) chain.follow(event);
  return chain.firstBroken?.id ?? null;
};
const three = record([], 'e1', 'e2', 'e3');
const [first, second, third] = three as [AuditTrailEvent, AuditTrailEvent, AuditTrailEvent];

describe('the chain of the audit log', () => {
  it('is intact when nothing was changed', () => {
    const chain = new AuditChain(hashes);
    for (const event of three) expect(chain.follow(event)).toBeNull();
    expect([chain.firstBroken, chain.entries, chain.head]).toEqual([null, 3, { id: 'e3', hash: third.hash }]);
  });
  it('is intact without entries', () => expect(brokenIn([])).toBeNull());
  it('names an entry that was changed', () =>
    expect(brokenIn([first, { ...second, entry: entry('e2', { success: false }) }, third])).toBe('e2'));
  it('names the entry after one that was removed', () => expect(brokenIn([first, third])).toBe('e3'));
  it('names the second entry if the first was removed', () => expect(brokenIn([second, third])).toBe('e2'));
  it('names the first of two entries that were swapped', () => expect(brokenIn([first, third, second])).toBe('e3'));
  it('names a duplicated entry', () => expect(brokenIn([first, second, second, third])).toBe('e2'));
  it('names the first entry of a part that was recomputed without the key', () => {
    const events: AuditTrailEvent[] = [first];
    for (const each of [entry('e2', { user_id: 'ben' }), entry('e3')]) {
      const previousHash = events.at(-1)!.hash;
      events.push({ ...second, entry: each, previousHash, hash: hashes.plain(chained(previousHash, each)) });
    }
    expect(brokenIn(events)).toBe('e2');
  });
  it('names an entry that follows keyed entries but is disguised as one of release 0.2', () => {
    const { proof: _, ...plain } = second;
    expect(brokenIn([first, { ...plain, hash: hashes.plain(chained(first.hash, second.entry)) }])).toBe('e2');
  });
  it('names the first entry if all were disguised as entries of release 0.2', () =>
    expect(brokenIn(plainChain(entry('e1'), entry('e2')))).toBe('e1'));
  it('accepts entries of release 0.2 that are followed by keyed ones', () =>
    expect(brokenIn(record(plainChain(entry('e1'), entry('e2')), 'e3'))).toBeNull());
  it('names an entry of release 0.2 that was changed', () => {
    const [old, ...rest] = record(plainChain(entry('e1'), entry('e2')), 'e3') as [AuditTrailEvent, ...AuditTrailEvent[]];
    expect(brokenIn([{ ...old, entry: entry('e1', { user_id: 'ben' }) }, ...rest])).toBe('e1');
  });
  it('names the first keyed entry if all entries of release 0.2 before it were recomputed', () => {
    const rest = record(plainChain(entry('e1'), entry('e2')), 'e3').slice(2);
    expect(brokenIn([...plainChain(entry('e1'), entry('e2', { user_id: 'ben' })), ...rest])).toBe('e3');
  });
  it('names an entry with an unknown proof', () =>
    expect(brokenIn([{ ...first, proof: 'none' } as unknown as AuditTrailEvent])).toBe('e1'));
});
