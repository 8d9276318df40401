import { describe, expect, it } from '@jest/globals';
import { signed } from './sigv4.ts';

// From the AWS test suite for version 4 signatures.
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const scope = { region: 'us-east-1', service: 'service' };
const now = new Date('2015-08-30T12:36:00Z');
const url = new URL('https://example.amazonaws.com/');

describe('an AWS signature', () => {
  it.each([
    ['get-vanilla', 'GET', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['post-vanilla', 'POST', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ] as const)('matches the published example %s', (_, method, signature) => {
    const headers = signed({ method, url, body: '', headers: {} }, keys, scope, now);
    expect(headers).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    });
  });
  it('covers the path, the body and the headers', () => {
    const request = { method: 'POST', url: new URL('/a%3Ab/c', url), body: 'x', headers: { 'content-type': 'application/json' } } as const;
    const signatures = [
      request,
      { ...request, url },
      { ...request, body: 'y' },
      { ...request, headers: { 'content-type': 'text/plain' } },
    ].map((each) => signed(each, keys, scope, now)['authorization']);
    expect(new Set(signatures).size).toBe(4);
  });
});
