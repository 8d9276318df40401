import { describe, expect, it } from '@jest/globals';
import { complaint, load, objectStore } from '../../test/load.ts';
import { effectiveConfig } from '../describe-config.ts';

describe('the security of Kafka', () => {
  const plain = { mechanism: 'plain', username: 'parlance', password: 'canary-7d2a' };

  it('is absent by default, and encrypts by default if it is set', () => {
    expect(load(null, {}).kafkaSecurity).toBeNull();
    expect(load(null, { KAFKA_SECURITY: '{}' }).kafkaSecurity).toMatchObject({ tls: true, mechanism: null, caFile: null });
  });
  it('masks its secrets', () => {
    const oauth = { mechanism: 'oauthbearer', tokenUrl: 'https://id.example.org/token', clientId: 'p', clientSecret: 'canary-9f1c' };
    for (const kafkaSecurity of [plain, oauth]) {
      const config = load({ kafkaSecurity });
      expect(config.kafkaSecurity).toMatchObject(kafkaSecurity);
      expect(JSON.stringify(effectiveConfig(config))).not.toContain('canary');
    }
  });
  it('resolves files relative to the configuration file', () => {
    const { kafkaSecurity } = load({ kafkaSecurity: { caFile: 'tls/ca.pem', certFile: '/tls/c.pem', keyFile: 'k.pem' } });
    expect(kafkaSecurity!.caFile).toMatch(/^\/.+\/tls\/ca\.pem$/);
    expect(kafkaSecurity!.certFile).toBe('/tls/c.pem');
    expect(kafkaSecurity!.keyFile).toMatch(/^\/.+\/k\.pem$/);
  });
  it.each([
    [{ mechanism: 'gssapi' }, 'kafkaSecurity.mechanism'],
    [{ ...plain, password: null }, 'kafkaSecurity.password'],
    [{ mechanism: 'scram-sha-512', password: 'p' }, 'kafkaSecurity.username'],
    [{ mechanism: 'oauthbearer', clientId: 'p', clientSecret: 's' }, 'kafkaSecurity.tokenUrl'],
    [{ mechanism: 'aws-msk-iam' }, 'kafkaSecurity.region'],
    [{ certFile: 'c.pem' }, 'kafkaSecurity.keyFile'],
    [{ keyFile: 'k.pem' }, 'kafkaSecurity.certFile'],
    [{ ...plain, tls: false }, 'kafkaSecurity.tls = "false"'],
  ])('refuses %j', (kafkaSecurity, path) => expect(complaint({ kafkaSecurity })).toContain(path));
  it('allows SCRAM without TLS, because SCRAM does not send the password', () =>
    expect(load({ kafkaSecurity: { ...plain, mechanism: 'scram-sha-256', tls: false } }).kafkaSecurity!.tls).toBe(false));
});

describe('the keys of the object store', () => {
  it('may both be absent, for the AWS identity of the process', () => {
    const { accessKeyId: _, secretAccessKey: __, ...rest } = objectStore;
    expect(load({ objectStore: rest }).objectStore).toMatchObject({ accessKeyId: null, secretAccessKey: null });
    expect(complaint({ objectStore: { ...rest, accessKeyId: 'AKIA1' } })).toContain('objectStore.secretAccessKey');
    expect(complaint({ objectStore: { ...rest, secretAccessKey: 'canary-5e1f' } })).toContain('objectStore.accessKeyId');
  });
});
