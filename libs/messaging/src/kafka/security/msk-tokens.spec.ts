import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mskToken, mskTokens } from './msk-tokens.ts';

const identity = { accessKeyId: 'EXAMPLE-ID', secretAccessKey: 'only-for-this-test', sessionToken: 'session' };
const at = new Date('2026-01-31T12:00:00.500Z');
const read = (token: string) => new URL(Buffer.from(token, 'base64url').toString());

describe('a token for Amazon MSK', () => {
  it('is a signed request to connect, as text', async () => {
    const { origin, pathname, searchParams } = read(await mskToken('eu-central-1', identity, at));
    expect([origin, pathname]).toEqual(['https://kafka.eu-central-1.amazonaws.com', '/']);
    const { 'X-Amz-Signature': signature, ...signed } = Object.fromEntries(searchParams);
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    expect(signed).toEqual({
      Action: 'kafka-cluster:Connect',
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'EXAMPLE-ID/20260131/eu-central-1/kafka-cluster/aws4_request',
      'X-Amz-Date': '20260131T120000Z',
      'X-Amz-Expires': '900',
      'X-Amz-Security-Token': 'session',
      'X-Amz-SignedHeaders': 'host',
      'User-Agent': 'parlance',
    });
  });

  describe('of a process', () => {
    const before = { ...process.env };
    beforeEach(() => {
      Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'FROM-ENVIRONMENT', AWS_SECRET_ACCESS_KEY: 'only-for-this-test' });
    });
    afterEach(() => {
      process.env = before;
    });
    it('is signed with its AWS identity', async () => {
      const { value } = await mskTokens('eu-central-1')();
      expect(read(value).searchParams.get('X-Amz-Credential')).toMatch(/^FROM-ENVIRONMENT\/\d{8}\/eu-central-1\//);
    });
  });
});
