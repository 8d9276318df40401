import { describe, expect, it } from '@jest/globals';
import { fold, Instant, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { MAX_SHARED_OF_DAY, MAX_SHARES_OF_CONVERSATION, MAX_SHARES_OF_DAY, MAX_SHARES_OF_USER } from './share-limits.ts';
import { isOver, type Shares, shares, type SharesCommand, type SharesEvent } from './shares.ts';

const given = specify(shares);

const noon = Instant.parse('2026-11-23T12:00:00Z');
const later = Instant.plus(noon, 60_000);
const aDayLater = Instant.plus(noon, 86_400_000);

type Share = Extract<SharesCommand, { type: 'Share' }>;

const sharing = (shareId: string, changes: Partial<Share> = {}): Share => ({
  type: 'Share',
  shareId,
  conversationId: 'c',
  botId: null,
  audience: 'signed_in',
  expiresAt: null,
  includesAttachments: false,
  includesSources: false,
  tokenHash: `hash of ${shareId}`,
  title: 'sealed title',
  messages: 2,
  pages: ['sealed page', 'another'],
  now: noon,
  ...changes,
});
const shared = (shareId: string, changes: Partial<Share> = {}): SharesEvent => {
  const { now: at, ...event } = sharing(shareId, changes);
  return { ...event, type: 'ConversationShared', at };
};
const revoked = (shareId: string, because: 'owner' | 'admin' | 'expired' | 'conversation_deleted' | 'user_erased', conversationId = 'c') =>
  ({ type: 'ShareRevoked', shareId, conversationId, audience: 'signed_in', pages: 2, because }) as const;

describe('sharing a conversation', () => {
  it('is recorded with its snapshot', () => given().when(sharing('s')).emits(shared('s')));
  it('is idempotent', () =>
    given(shared('s'))
      .when(sharing('s', { tokenHash: 'another' }))
      .emits());
  it('is refused when the time of the end has passed', () =>
    given()
      .when(sharing('s', { expiresAt: noon }))
      .refuses('expiry_passed'));
  it('is refused for a conversation with too many shares', () => {
    const others = Array.from({ length: MAX_SHARES_OF_CONVERSATION }, (_, index) => shared(`s${index}`));
    given(...others)
      .when(sharing('s'))
      .refuses('too_many_shares');
    given(...others, revoked('s3', 'owner'))
      .when(sharing('s'))
      .emits(shared('s'));
    const another = { conversationId: 'd' };
    given(...others)
      .when(sharing('s', another))
      .emits(shared('s', another));
  });
  it('is refused for a user with too many shares', () => {
    const others = Array.from({ length: MAX_SHARES_OF_USER }, (_, index) => shared(`s${index}`, { conversationId: `c${index}` }));
    given(...others)
      .when(sharing('s', { now: aDayLater }))
      .refuses('too_many_shares');
  });
  const madeAndRevoked = (count: number, changes: Partial<Share> = {}) =>
    Array.from({ length: count }, (_, index) => [shared(`s${index}`, changes), revoked(`s${index}`, 'owner')]).flat();
  it('is refused for a user who created too many shares in a day, including revoked ones', () => {
    given(...madeAndRevoked(MAX_SHARES_OF_DAY - 1))
      .when(sharing('s'))
      .emits(shared('s'));
    const many = madeAndRevoked(MAX_SHARES_OF_DAY);
    given(...many)
      .when(sharing('s', { now: Instant.plus(aDayLater, -1) }))
      .refuses('too_many_shares_today');
    given(...many)
      .when(sharing('s', { now: aDayLater }))
      .emits(shared('s', { now: aDayLater }));
  });
  it('reports when a user with too many shares may share again', () => {
    const state = fold(shares, madeAndRevoked(MAX_SHARES_OF_DAY));
    const decided = shares.decide(sharing('s', { now: Instant.plus(aDayLater, -1_500) }), state);
    expect(decided).toMatchObject({ code: 'too_many_shares_today', facts: { retry_after: 2 } });
  });
  it('is refused for a user who shared too much in a day', () => {
    const large = { pages: ['x'.repeat(MAX_SHARED_OF_DAY / 2)], title: '' };
    given(...madeAndRevoked(1, large))
      .when(sharing('s', large))
      .emits(shared('s', large));
    given(...madeAndRevoked(2, large))
      .when(sharing('s'))
      .refuses('too_many_shares_today');
  });
  it('does not count shares of earlier versions, which have no time', () => {
    const earlier = madeAndRevoked(MAX_SHARES_OF_DAY).map((event) => ('at' in event ? { ...event, at: undefined } : event) as SharesEvent);
    given(...earlier)
      .when(sharing('s'))
      .emits(shared('s'));
  });
  it('is refused once the user is erased', () => given({ type: 'SharesErased', shares: 0 }).when(sharing('s')).refuses('user_not_found'));
});

describe('revoking a share', () => {
  it('ends it', () =>
    given(shared('s')).when({ type: 'Revoke', shareId: 's', conversationId: 'c', by: 'admin' }).emits(revoked('s', 'admin')));
  it('must name its own conversation', () => {
    const command = { type: 'Revoke', shareId: 's', by: 'owner' } as const;
    given(shared('s'))
      .when({ ...command, conversationId: 'c' })
      .emits(revoked('s', 'owner'));
    given(shared('s'))
      .when({ ...command, conversationId: 'd' })
      .refuses('share_not_found');
  });
  it('does not find a share that has ended or never existed', () => {
    const command = { type: 'Revoke', shareId: 's', conversationId: 'c', by: 'owner' } as const;
    given().when(command).refuses('share_not_found');
    given(shared('s'), revoked('s', 'owner')).when(command).refuses('share_not_found');
  });
});

describe('the time of a share', () => {
  const until = { expiresAt: later };
  it('ends it at that moment and not before', () => {
    given(shared('s', until))
      .when({ type: 'Expire', shareId: 's', now: Instant.plus(later, -1) })
      .emits();
    given(shared('s', until)).when({ type: 'Expire', shareId: 's', now: later }).emits(revoked('s', 'expired'));
  });
  it('does not end a share without a time, or an ended one', () => {
    given(shared('s')).when({ type: 'Expire', shareId: 's', now: later }).emits();
    given(shared('s', until), revoked('s', 'owner')).when({ type: 'Expire', shareId: 's', now: later }).emits();
  });
});

describe('deleting', () => {
  it('a conversation ends its shares and no others', () =>
    given(shared('s'), shared('t', { conversationId: 'd' }), shared('u'))
      .when({ type: 'EndSharesOf', conversationId: 'c' })
      .emits(revoked('s', 'conversation_deleted'), revoked('u', 'conversation_deleted')));
  it('a conversation without shares does nothing', () => given().when({ type: 'EndSharesOf', conversationId: 'c' }).emits());
  it('a user ends all shares, once', () => {
    given(shared('s'), shared('t', { conversationId: 'd' }))
      .when({ type: 'Erase' })
      .emits(revoked('s', 'user_erased'), revoked('t', 'user_erased', 'd'), { type: 'SharesErased', shares: 2 });
    given({ type: 'SharesErased', shares: 2 }).when({ type: 'Erase' }).emits();
  });
});

describe('shares, in any order of commands,', () => {
  const ids = fc.constantFrom('s', 't', 'u');
  const conversations = fc.constantFrom('c', 'd');
  const moments = fc.integer({ min: 0, max: 4 }).map((minutes) => Instant.plus(noon, minutes * 60_000));
  const commands = fc.oneof(
    fc
      .record({ shareId: ids, conversationId: conversations, expiresAt: fc.option(moments), now: moments })
      .map((its) => sharing(its.shareId, its)),
    fc.record({
      type: fc.constant('Revoke' as const),
      shareId: ids,
      conversationId: conversations,
      by: fc.constantFrom('owner' as const, 'admin' as const),
    }),
    fc.record({ type: fc.constant('Expire' as const), shareId: ids, now: moments }),
    fc.record({ type: fc.constant('EndSharesOf' as const), conversationId: conversations }),
    fc.constant({ type: 'Erase' as const }),
  );

  it('are live from their sharing until their one end, and never after the erasure', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 30 }), (all: readonly SharesCommand[]) => {
        const log: SharesEvent[] = [];
        for (const command of all) {
          const decided = shares.decide(command, fold(shares, log));
          if (!(decided instanceof Refusal)) log.push(...decided);
        }
        const { live, isErased } = fold(shares, log);
        const began = log.filter(({ type }) => type === 'ConversationShared').length;
        const ended = log.filter(({ type }) => type === 'ShareRevoked').length;
        expect(Object.keys(live).length).toBe(began - ended);
        if (isErased) expect(live).toEqual({});
        for (const share of Object.values(live)) expect(isOver(share, noon)).toBe(false);
      }),
    );
  });

  it('make the stream grow by a bounded number each day', () => {
    const hours = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 2 * MAX_SHARES_OF_DAY, maxLength: 4 * MAX_SHARES_OF_DAY });
    fc.assert(
      fc.property(hours, (pauses) => {
        let [state, now, made] = [fold<SharesEvent, Shares>(shares, []), noon, 0];
        for (const [index, pause] of pauses.entries()) {
          // Mostly without pauses, so that the limit is reached.
          now = Instant.plus(now, pause > 7 ? 6 * 3_600_000 : 0);
          const decided = shares.decide(sharing(`s${index}`, { now }), state);
          if (decided instanceof Refusal) continue;
          made++;
          for (const event of [...decided, revoked(`s${index}`, 'owner')]) state = shares.evolve(state, event);
        }
        const days = Math.floor((now - noon) / 86_400_000) + 1;
        expect(made).toBeLessThanOrEqual(days * MAX_SHARES_OF_DAY);
      }),
    );
  });
});
