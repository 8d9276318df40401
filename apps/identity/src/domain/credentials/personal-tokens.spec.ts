import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { type CallTerms, NO_TERMS } from './call-terms.ts';
import { MOST_TOKENS_OF_USER, personalTokens, type PersonalTokensCommand, type PersonalTokensEvent } from './personal-tokens.ts';

const given = specify(personalTokens);
const noon = Instant.ofSeconds(1_800_000_000);
const DAY = 86_400_000;
const facts = (tokenId = 'a', expiresAt = Instant.plus(noon, DAY)) => ({
  tokenId,
  description: 's1.d',
  ranges: 's1.r',
  hash: 'h',
  scopes: ['chat'],
  expiresAt,
  takeovers: 0,
});
const make = (tokenId = 'a', expiresAt?: Instant) =>
  ({ type: 'Make', now: noon, longestMillis: 2 * DAY, ...facts(tokenId, expiresAt) }) as const;
const made = (tokenId = 'a', expiresAt?: Instant): PersonalTokensEvent => ({ type: 'PersonalTokenMade', ...facts(tokenId, expiresAt) });
const ended = (tokenId: string, because: 'revoked' | 'expired' | 'user_erased' = 'revoked'): PersonalTokensEvent => ({
  type: 'PersonalTokenRevoked',
  tokenId,
  because,
});
const used = (at: Instant): PersonalTokensEvent => ({ type: 'PersonalTokenUsed', tokenId: 'a', at });
const madeForModels: PersonalTokensEvent = {
  type: 'PersonalTokenMade',
  ...facts(),
  scopes: ['models'],
  terms: { ...NO_TERMS, models: ['x'] },
};
const change = (changes: Partial<CallTerms>) => ({ type: 'ChangeTerms', tokenId: 'a', changes }) as const;
const full = Array.from({ length: MOST_TOKENS_OF_USER }, (_, index) => made(`t${index}`));

describe('the personal access tokens of a user', () => {
  it('are created', () => given().when(make()).emits(made()));
  it('are created once', () => given(made()).when(make()).emits());
  it('are not created with an expiry in the past', () => given().when(make('a', noon)).refuses('expiry_passed'));
  it('are not created for longer than is allowed', () =>
    given()
      .when(make('a', Instant.plus(noon, 2 * DAY + 1)))
      .refuses('expiry_too_late'));
  it('are created for the longest time that is allowed', () =>
    given()
      .when(make('a', Instant.plus(noon, 2 * DAY)))
      .emits(made('a', Instant.plus(noon, 2 * DAY))));
  it('are limited in number', () =>
    given(...full)
      .when(make())
      .refuses('too_many_tokens'));
  it('are removed after their expiry, when another one is created', () =>
    given(...full.slice(1), made('old', noon))
      .when(make())
      .emits(ended('old', 'expired'), made()));
  it('are revoked', () => given(made()).when({ type: 'Revoke', tokenId: 'a' }).emits(ended('a')));
  it.each<[string, PersonalTokensEvent[]]>([
    ['never made', []],
    ['of another user', [made('b')]],
    ['revoked', [made(), ended('a')]],
  ])('are not revoked if the token is %s', (_, history) =>
    given(...history)
      .when({ type: 'Revoke', tokenId: 'a' })
      .refuses('token_not_found'),
  );
  it('record a use', () => given(made()).when({ type: 'NoteUse', tokenId: 'a', at: noon }).emits(used(noon)));
  it.each<[string, PersonalTokensEvent[]]>([
    ['soon after another', [made(), used(Instant.plus(noon, -599_999))]],
    ['that was earlier than another', [made(), used(Instant.plus(noon, 1))]],
    ['of no token', []],
  ])('do not record a use %s', (_, history) =>
    given(...history)
      .when({ type: 'NoteUse', tokenId: 'a', at: noon })
      .emits(),
  );
  it('record the next use after ten minutes', () =>
    given(made(), used(Instant.plus(noon, -600_000)))
      .when({ type: 'NoteUse', tokenId: 'a', at: noon })
      .emits(used(noon)));
  it('have terms for calls of models, which are changed in place', () =>
    given(madeForModels)
      .when(change({ requestsPerMinute: 60 }))
      .emits({
        type: 'PersonalTokenTermsChanged',
        tokenId: 'a',
        terms: { ...NO_TERMS, models: ['x'], requestsPerMinute: 60 },
        revision: 1,
      }));
  it('do not change when the new terms are the old ones', () =>
    given(madeForModels)
      .when(change({ models: ['x'], tags: {} }))
      .emits());
  it.each<[string, PersonalTokensEvent[], string]>([
    ['another scope', [made()], 'models_scope_missing'],
    ['another user', [made('b')], 'token_not_found'],
    ['the past', [madeForModels, ended('a')], 'token_not_found'],
  ])('have no terms to change if the token is of %s', (_, history, code) =>
    given(...history)
      .when(change({ costCentre: 'c' }))
      .refuses(code),
  );
  it('are not created with terms for calls that their scopes do not allow', () =>
    given()
      .when({ ...make(), terms: NO_TERMS })
      .refuses('models_scope_missing'));
  it('end with their user', () =>
    given(made(), made('b'))
      .when({ type: 'Close' })
      .emits(ended('a', 'user_erased'), ended('b', 'user_erased'), { type: 'PersonalTokensClosed' }));
  it('end once', () => given({ type: 'PersonalTokensClosed' }).when({ type: 'Close' }).emits());
  it('are not created for an erased user', () => given({ type: 'PersonalTokensClosed' }).when(make()).refuses('user_not_found'));

  it('are never more than the limit, none outlives the longest time, and none is left when they are closed', () => {
    const commands = fc.oneof(
      fc.record({ type: fc.constant('Make' as const), tokenId: fc.nat(150).map(String), life: fc.integer({ min: -DAY, max: 3 * DAY }) }),
      fc.record({ type: fc.constant('Revoke' as const), tokenId: fc.nat(150).map(String) }),
      fc.record({ type: fc.constant('NoteUse' as const), tokenId: fc.nat(150).map(String) }),
      fc.record({ type: fc.constant('Close' as const) }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(DAY / 10), commands), { maxLength: 300 }), (steps) => {
        let state = fold(personalTokens, []);
        let now = noon;
        for (const [pause, step] of steps) {
          now = Instant.plus(now, pause);
          const command = (
            step.type === 'Make'
              ? { ...make(step.tokenId, Instant.plus(now, step.life)), now }
              : step.type === 'NoteUse'
                ? { ...step, at: now }
                : step
          ) as PersonalTokensCommand;
          const decision = personalTokens.decide(command, state);
          if (!(decision instanceof Refusal)) state = fold(personalTokens, decision, state);
          const living = Object.values(state.tokens);
          expect(living.length).toBeLessThanOrEqual(MOST_TOKENS_OF_USER);
          expect(living.every(({ expiresAt }) => expiresAt <= now + 2 * DAY)).toBe(true);
          if (state.isClosed) expect(living).toEqual([]);
        }
      }),
    );
  });
});
