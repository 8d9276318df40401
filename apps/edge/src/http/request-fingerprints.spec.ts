import { describe, expect, it } from '@jest/globals';
import { RequestFingerprints } from './request-fingerprints.ts';

const fingerprints = new RequestFingerprints(Buffer.alloc(32, 1));
const of = (body: string, url = '/bot') => fingerprints.ofRequest(url, Buffer.from(body));
const keyed = { asker: { user: 'ann' }, method: 'POST', path: '/bot/{id}/copy', params: { id: '1' }, key: 'k' };

describe('the fingerprint of a request', () => {
  it('is the same for the same in another writing', () =>
    expect(of('{"a":1,"b":{"c":2,"d":[]}}')).toBe(of('{ "b": {"d":[],"c":2}, "a":1.0 }')));
  it.each([
    ['{"a":2}', '/bot'],
    ['{"a":[1,2]}', '/bot'],
    ['{"a":1}', '/bot?x'],
    ['', '/bot'],
    ['{"a":', '/bot'],
  ])('is another for %j at %s', (body, url) => expect(of(body, url)).not.toBe(of('{"a":1}')));
  it('of a body that is no JSON is of its bytes', () => expect(of('{"a":')).toBe(of('{"a":')));
  it('tells nothing to whoever lacks the secret', () =>
    expect(new RequestFingerprints(Buffer.alloc(32, 2)).ofRequest('/bot', Buffer.from('{}'))).not.toBe(of('{}')));
});

describe('the fingerprint of a key', () => {
  it.each([
    { asker: {} },
    { asker: { user: 'ben' } },
    { asker: { credentials: ['ann', undefined] } },
    { path: '/bot' },
    { params: { id: '2' } },
    { key: 'l' },
  ])('is another with %j', (other) => expect(fingerprints.ofKey({ ...keyed, ...other })).not.toBe(fingerprints.ofKey(keyed)));
});
