import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { MOST_KEYS } from './api-keys.ts';
import { publication, type PublicationCommand } from './publication.ts';
import type { ApiKeyFacts, PublicationEvent } from './publication-events.ts';

const given = specify(publication);
const at = (seconds: number) => Instant.ofMillis(seconds * 1_000);
const deployment = { deploymentId: 'd1', ownerUserId: 'ann', number: 1 };
const requested: PublicationEvent = {
  type: 'PublicationRequested',
  ...deployment,
  by: 'ann',
  stage: 'api',
  terms: { quota: null, throttle: { rate_limit: 50, burst_limit: 100 }, allowedOrigins: ['*'] },
  claim: 'c',
  leaseUntil: at(15),
  deadline: at(120),
};
const started: PublicationEvent = { type: 'DeploymentStarted', ...deployment, stage: 'api' };
const live: PublicationEvent[] = [requested, started, { type: 'PublicationSucceeded', ...deployment, stage: 'api' }];

const key = (keyId: string, expiresAt: Instant | null = null): ApiKeyFacts => ({
  keyId,
  description: 'sealed',
  hash: 'hash',
  ending: 'wxyz',
  expiresAt,
  allowedIpRanges: [],
});
const create = (keyId: string, expiresAt?: Instant): PublicationCommand => ({
  type: 'CreateKey',
  by: 'ann',
  now: at(100),
  facts: key(keyId, expiresAt),
});
const created = (keyId: string, expiresAt?: Instant): PublicationEvent => ({ type: 'ApiKeyCreated', by: 'ann', ...key(keyId, expiresAt) });
const change = (fields: object): PublicationCommand => ({ type: 'ChangeKey', by: 'ann', keyId: 'k1', now: at(100), change: fields });
const changed = (fields: object, enabled: boolean, expiresAt: Instant | null, revision: number): PublicationEvent => ({
  type: 'ApiKeyChanged',
  by: 'ann',
  keyId: 'k1',
  change: fields,
  enabled,
  expiresAt,
  revision,
});
const revoke: PublicationCommand = { type: 'RevokeKey', by: 'ann', keyId: 'k1' };
const revoked: PublicationEvent = { type: 'ApiKeyRevoked', by: 'ann', keyId: 'k1', revision: 1 };

describe('creating an API key', () => {
  it('needs a publication', () => given().when(create('k1')).refuses('not_published'));
  it('needs a publication that has succeeded', () => given(requested, started).when(create('k1')).refuses('publication_not_succeeded'));
  it('adds it to the publication', () =>
    given(...live)
      .when(create('k1', at(101)))
      .emits(created('k1', at(101))));
  it('does nothing when it is repeated', () =>
    given(...live, created('k1'))
      .when(create('k1'))
      .emits());
  it('refuses an expiry that is not in the future', () =>
    given(...live)
      .when(create('k1', at(100)))
      .refuses('expiry_passed'));
  it('refuses more keys than a publication may have', () => {
    const all = Array.from({ length: MOST_KEYS }, (_, n) => created(`key-${n}`));
    given(...live, ...all)
      .when(create('k1'))
      .refuses('too_many_api_keys');
    given(...live, ...all, { ...revoked, keyId: 'key-7' } as PublicationEvent)
      .when(create('k1'))
      .emits(created('k1'));
  });
});

describe('changing an API key', () => {
  it('disables and enables it', () => {
    given(...live, created('k1'))
      .when(change({ enabled: false }))
      .emits(changed({ enabled: false }, false, null, 2));
    given(...live, created('k1'), changed({ enabled: false }, false, null, 2))
      .when(change({ enabled: true }))
      .emits(changed({ enabled: true }, true, null, 3));
  });
  it('sets and removes the expiry', () => {
    given(...live, created('k1'))
      .when(change({ expiresAt: at(101) }))
      .emits(changed({ expiresAt: at(101) }, true, at(101), 2));
    given(...live, created('k1', at(101)))
      .when(change({ expiresAt: null }))
      .emits(changed({ expiresAt: null }, true, null, 2));
  });
  it('refuses an expiry that is not in the future', () =>
    given(...live, created('k1'))
      .when(change({ expiresAt: at(100) }))
      .refuses('expiry_passed'));
  it('does nothing if nothing changes', () =>
    given(...live, created('k1'))
      .when(change({ enabled: true, expiresAt: null }))
      .emits());
  it('refuses an unknown key', () =>
    given(...live)
      .when(change({ enabled: false }))
      .refuses('api_key_not_found'));
  it('refuses a key that has changed since it was read', () => {
    const repeated = { ...change({ enabled: true }), revision: 2 } as const;
    given(...live, created('k1'))
      .when(repeated)
      .refuses('version_stale');
    given(...live, created('k1'), changed({ enabled: false }, false, null, 2))
      .when(repeated)
      .emits(changed({ enabled: true }, true, null, 3));
  });
});

describe('revoking an API key', () => {
  it('names the revision that is no longer valid', () => {
    given(...live, created('k1'))
      .when(revoke)
      .emits(revoked);
    given(...live, created('k1'), changed({ enabled: false }, false, null, 2))
      .when(revoke)
      .emits({ type: 'ApiKeyRevoked', by: 'ann', keyId: 'k1', revision: 2 });
  });
  it('refuses a key that has changed since it was read', () =>
    given(...live, created('k1'), changed({ enabled: false }, false, null, 2))
      .when({ ...revoke, revision: 1 })
      .refuses('version_stale'));
  it('refuses a key that is revoked', () =>
    given(...live, created('k1'), revoked)
      .when(revoke)
      .refuses('api_key_not_found'));
  it('refuses a publication that has not succeeded', () => given(requested, started).when(revoke).refuses('publication_not_succeeded'));
});
