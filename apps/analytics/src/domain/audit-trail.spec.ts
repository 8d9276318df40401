import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/decider';
import { type AuditEntry, auditTrail, type AuditTrailEvent, chained } from './audit-trail.ts';

const trail = auditTrail((text) => `#${text.length}:${text}`);
const entry = (id: string): AuditEntry => ({
  id,
  user_id: 'ann',
  action_type: 'create_bot',
  resource_type: 'bot',
  resource_id: 'b',
  timestamp: 1,
  details: {},
  ip_address: '203.0.113.9',
  user_agent: null,
  success: true,
  error_message: null,
});
const record = (history: AuditTrailEvent[], ...ids: string[]) =>
  trail.decide({ type: 'Record', entries: ids.map(entry) }, fold(trail, history)) as readonly AuditTrailEvent[];

describe('the audit trail', () => {
  it('chains each entry to the previous one', () => {
    const first = record([], 'e1');
    const second = record([...first], 'e2');
    expect(second[0]?.previousHash).toBe(first[0]?.hash);
  });
  it('chains the entries of one append as separate appends would', () => {
    const first = record([], 'e1', 'e2');
    const second = record([...first], 'e3');
    const single = ['e1', 'e2', 'e3'].reduce<AuditTrailEvent[]>((all, id) => [...all, ...record(all, id)], []);
    expect([...first, ...second]).toEqual(single);
  });
  it('covers every field of an entry', () => {
    const fields = Object.keys(entry('e')) as (keyof AuditEntry)[];
    for (const field of fields) expect(chained('', { ...entry('e'), [field]: 'changed' })).not.toBe(chained('', entry('e')));
  });
  it('covers all earlier entries', () => expect(chained('a', entry('e'))).not.toBe(chained('b', entry('e'))));
});
