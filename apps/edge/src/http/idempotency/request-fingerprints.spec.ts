import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { isUlid } from '@parlance/http';
import { LocalMasterKey } from '@parlance/privacy';
import { RequestFingerprints } from './request-fingerprints.ts';

const fingerprints = new RequestFingerprints(new LocalMasterKey(Buffer.alloc(32, 1)));
function of(body: string, url = '/bot', by = fingerprints) {
  const arriving = by.arriving();
  const bytes = Buffer.from(body);
  arriving.add(bytes.subarray(0, 3));
  arriving.add(bytes.subarray(3));
  return by.ofRequest(url, bytes, arriving);
}
const keyed = { asker: { user: 'ann' }, method: 'POST', path: '/bot/{id}/copy', params: { id: '1' }, key: 'k' };

describe('the fingerprint of a request', () => {
  it('is the same for equivalent spellings', () => expect(of('{"a":1,"b":{"c":2,"d":[]}}')).toBe(of('{ "b": {"d":[],"c":2}, "a":1.0 }')));
  it.each([
    ['{"a":2}', '/bot'],
    ['{"a":[1,2]}', '/bot'],
    ['{"a":1}', '/bot?x'],
    ['', '/bot'],
    ['{"a":', '/bot'],
  ])('differs for %j at %s', (body, url) => expect(of(body, url)).not.toBe(of('{"a":1}')));
  it('covers the bytes of a body that is not JSON', () => expect(of('{"a":')).toBe(of('{"a":')));
  it('reveals nothing without the secret', () =>
    expect(of('{}', '/bot', new RequestFingerprints(new LocalMasterKey(Buffer.alloc(32, 2))))).not.toBe(of('{}')));
  it('covers the bytes of a body over 64 KiB as they arrived', () => {
    const large = JSON.stringify({ a: 'x'.repeat(70_000), b: 1 });
    expect(of(large)).toBe(of(large));
    for (const other of [`${large} `, large.replace('1', '2')]) expect(of(other)).not.toBe(of(large));
    expect(of(large, '/bot?x')).not.toBe(of(large));
    expect(of(large, '/bot', new RequestFingerprints(new LocalMasterKey(Buffer.alloc(32, 2))))).not.toBe(of(large));
  });
});

describe('the fingerprint of a key', () => {
  it.each([
    { asker: {} },
    { asker: { user: 'ben' } },
    { asker: { credentials: ['ann', undefined] } },
    { path: '/bot' },
    { params: { id: '2' } },
    { key: 'l' },
  ])('differs with %j', (other) => expect(fingerprints.ofKey({ ...keyed, ...other })).not.toBe(fingerprints.ofKey(keyed)));
});

describe('the ID of the resource that an anonymous request creates', () => {
  const noon = Instant.ofMillis(Date.UTC(2026, 10, 21, 12));
  it('is a ULID of the day, the same for the same request', () => {
    const id = fingerprints.idOf('key', 'body', noon);
    expect([isUlid(id), fingerprints.idOf('key', 'body', Instant.plus(noon, 3_600_000))]).toEqual([true, id]);
    expect(id > fingerprints.idOf('key', 'body', Instant.plus(noon, -86_400_000))).toBe(true);
    for (const other of [fingerprints.idOf('key', 'other', noon), fingerprints.idOf('other', 'body', noon)]) expect(other).not.toBe(id);
  });
});
