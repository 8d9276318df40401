import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { type CallerStatement, CallerStatements } from './caller-statement.ts';

const statements = new CallerStatements(Buffer.alloc(32, 1));
/** Another process with the same key. Its cache is empty, so it must verify each statement. */
const service = new CallerStatements(Buffer.alloc(32, 1));
const now = Instant.parse('2026-01-01T12:00:00Z');
const ada: CallerStatement = {
  sub: '01J00000000000000000000001',
  email: 'ada@example.org',
  groups: ['Admin', 'größe'],
  sid: '01J00000000000000000000002',
  kind: 'user',
  ip: '203.0.113.7',
  ua: 'curl/8',
  rid: 'r-1',
  cid: 'c-1',
};

describe('caller statements', () => {
  it('give the verifier the signed content', () => {
    const text = statements.sign(ada, now);
    expect(service.verify(text, now)).toMatchObject(ada);
    expect(statements.verify(text, now)).toEqual(service.verify(text, now));
  });

  it('are valid for a minute', () => {
    const text = statements.sign(ada, now);
    expect(service.verify(text, Instant.plus(now, 59_999))).not.toBeNull();
    expect(service.verify(text, Instant.plus(now, 60_000))).toBeNull();
  });

  it('are valid on a machine whose clock is a little slow, not on one that is far behind', () => {
    const text = statements.sign(ada, now);
    expect(service.verify(text, Instant.plus(now, -30_000))).not.toBeNull();
    expect(service.verify(text, Instant.plus(now, -31_000))).toBeNull();
  });

  it('expire for the process that signed them as for others, and after many further statements', () => {
    const text = statements.sign(ada, now);
    expect(statements.verify(text, Instant.plus(now, 60_000))).toBeNull();
    for (let index = 0; index < 2_000; index++) statements.sign({ ...ada, rid: String(index) }, now);
    expect(statements.verify(text, now)).toMatchObject(ada);
    expect(statements.verify(text, Instant.plus(now, 60_000))).toBeNull();
  });

  it('are not valid if absent, malformed, huge or signed with another key', () => {
    const foreign = new CallerStatements(Buffer.alloc(32, 2)).sign(ada, now);
    for (const text of [undefined, '', '.', 'a', 'a.b', 'null.', '{}', 'x'.repeat(20_000), foreign]) {
      expect(service.verify(text, now)).toBeNull();
    }
  });

  it('are not valid if the content was changed and the signature was not', () => {
    const [, mac] = statements.sign(ada, now).split('.');
    const [payload] = statements.sign({ ...ada, sub: '01J0000000000000000000000Z' }, now).split('.');
    expect(service.verify(`${payload}.${mac}`, now)).toBeNull();
  });

  it('are not valid if any one character was changed', () => {
    const text = statements.sign(ada, now);
    // The last character of the signature has two unused bits.
    for (let at = 0; at < text.length - 1; at++) {
      const other = text[at] === 'A' ? 'B' : 'A';
      expect(service.verify(text.slice(0, at) + other + text.slice(at + 1), now)).toBeNull();
    }
  });
});
