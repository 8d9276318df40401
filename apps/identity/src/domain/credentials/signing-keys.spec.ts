import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { type SigningKey, signingKeys, type SigningKeysEvent } from './signing-keys.ts';

const given = specify(signingKeys);
const noon = Instant.ofSeconds(1_800_000_000);
const after = (millis: number) => Instant.plus(noon, millis);
const key = (kid: string, madeAt?: Instant): SigningKey => ({ kid, publicJwk: {}, wrappedPrivateJwk: 'm1.x', ...(madeAt && { madeAt }) });
const made = (signingKey: SigningKey): SigningKeysEvent => ({ type: 'SigningKeyMade', key: signingKey });
const rotate = (kid: string, now: Instant) => ({ type: 'Rotate', key: key(kid, now), now, everyMillis: 1_000, tokenMillis: 100 }) as const;

describe('the keys that sign tokens', () => {
  it('begin with one key', () =>
    given()
      .when({ type: 'EnsureKey', key: key('a') })
      .emits(made(key('a'))));
  it('keep the first of two that are added at once', () =>
    given(made(key('a')))
      .when({ type: 'EnsureKey', key: key('b') })
      .emits());
});

describe('rotating the signing keys', () => {
  it('does nothing while the newest key is young', () =>
    given(made(key('a', noon)))
      .when(rotate('b', after(999)))
      .emits());
  it('adds a key when the newest is too old', () =>
    given(made(key('a', noon)))
      .when(rotate('b', after(1_000)))
      .emits(made(key('b', after(1_000)))));
  it('counts a key of the first release as old', () =>
    given(made(key('a')))
      .when(rotate('b', noon))
      .emits(made(key('b', noon))));
  it('keeps the previous key while its tokens are valid', () =>
    given(made(key('a', noon)), made(key('b', after(1_000))))
      .when(rotate('c', after(1_099)))
      .emits());
  it('retires the previous key after its tokens have expired', () =>
    given(made(key('a', noon)), made(key('b', after(1_000))))
      .when(rotate('c', after(1_100)))
      .emits({ type: 'SigningKeyRetired', kid: 'a' }));
  it('continues without the retired keys', () =>
    given(made(key('a', noon)), made(key('b', after(1_000))), { type: 'SigningKeyRetired', kid: 'a' })
      .when(rotate('c', after(1_100)))
      .emits());
});
