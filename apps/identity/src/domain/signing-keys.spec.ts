import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { signingKeys } from './signing-keys.ts';

const given = specify(signingKeys);
const key = (kid: string) => ({ kid, publicJwk: { kty: 'OKP' }, wrappedPrivateJwk: 'wrapped' });

describe('ensuring a signing key', () => {
  it('keeps the first', () =>
    given()
      .when({ type: 'EnsureKey', key: key('a') })
      .emits({ type: 'SigningKeyMade', key: key('a') }));
  it('does nothing when there is one', () =>
    given({ type: 'SigningKeyMade', key: key('a') })
      .when({ type: 'EnsureKey', key: key('b') })
      .emits());
});
