import { describe, expect, it } from '@jest/globals';
import { fold, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { type Bot, bot, type BotCommand, type BotEvent } from './bot.ts';
import { type Configuration, DEFAULT_SETTINGS } from './configuration.ts';
import { type Person, PRIVATE, type Sharing } from './sharing.ts';

const given = specify(bot);
const configuration: Configuration = {
  title: { clear: 'Guide' },
  description: null,
  instruction: null,
  quickStarters: null,
  settings: DEFAULT_SETTINGS,
};
const ann: Person = { userId: 'ann', groups: [] };
const ben: Person = { userId: 'ben', groups: ['PublishAllowed'] };
const admin: Person = { userId: 'root', groups: ['Admin'] };
const toAll: Sharing = { ...PRIVATE, scope: 'all' };

const created: BotEvent = { type: 'BotCreated', ownerUserId: 'ann', configuration };
const widened: BotEvent = { type: 'BotWidened', by: 'ann', before: PRIVATE, after: toAll };
const reserve = (number: number, by = ann): BotCommand => ({ type: 'ReserveForPublication', by, number });
const reserved = (number: number, by = 'ann'): BotEvent => ({ type: 'BotReservedForPublication', by, number });
const complete = (number: number): BotCommand => ({ type: 'CompletePublication', number });
const completed = (number: number): BotEvent => ({ type: 'BotPublished', number });
const release = (number: number): BotCommand => ({ type: 'ReleaseFromPublication', number });
const released = (number: number): BotEvent => ({ type: 'BotReleasedFromPublication', number });
const deleted: BotEvent = { type: 'BotDeleted', ownerUserId: 'ann', by: 'ann', sharing: toAll };
const unshare: BotCommand = { type: 'Share', by: ann, sharing: { scope: 'private' } };
const knowledge: BotCommand = { type: 'Configure', by: ann, changes: { knowledge: { clear: 'https://example.org' } } };
const base: BotCommand = {
  type: 'Configure',
  by: ann,
  changes: { settings: { bedrock_knowledge_base: DEFAULT_SETTINGS.bedrock_knowledge_base } },
};

describe('reserving a bot for a publication', () => {
  it('is allowed for its owner', () => given(created, widened).when(reserve(1)).emits(reserved(1)));
  it('is allowed for an administrator', () => given(created, widened).when(reserve(1, admin)).emits(reserved(1, 'root')));
  it('is refused for another user who sees the bot', () => given(created, widened).when(reserve(1, ben)).refuses('not_owner'));
  it('refuses a bot that is not shared with all users', () => given(created).when(reserve(1)).refuses('bot_not_public'));
  it('hides a private bot from an administrator', () => given(created).when(reserve(1, admin)).refuses('bot_not_found'));
  it('refuses a deleted bot', () => given(created, widened, deleted).when(reserve(1)).refuses('bot_not_found'));
  it('does nothing when repeated', () => given(created, widened, reserved(1)).when(reserve(1)).emits());
  it('does nothing when repeated after the success', () => given(created, widened, reserved(1), completed(1)).when(reserve(1)).emits());
  it('refuses a second publication', () => given(created, widened, reserved(1)).when(reserve(2)).refuses('already_published'));
  it('is possible again after a release', () => given(created, widened, reserved(1), released(1)).when(reserve(2)).emits(reserved(2)));
  it('refuses a request whose release arrived first', () =>
    given(created, widened, released(1)).when(reserve(1)).refuses('publication_is_over'));
  it('refuses an earlier request', () => given(created, widened, reserved(2), released(2)).when(reserve(1)).refuses('publication_is_over'));
});

describe('the end of a reservation', () => {
  it('can be a published API', () => given(created, widened, reserved(1)).when(complete(1)).emits(completed(1)));
  it('is written once', () => given(created, widened, reserved(1), completed(1)).when(complete(1)).emits());
  it.each([
    ['that was released', [reserved(1), released(1)]],
    ['that was never made', []],
    ['of an earlier request', [reserved(2)]],
  ])('refuses to complete one %s', (_, events) =>
    given(created, widened, ...events)
      .when(complete(1))
      .refuses('publication_is_over'),
  );
  it('refuses to complete one of a deleted bot', () => given(created, deleted).when(complete(1)).refuses('bot_not_found'));
  it('can be a release', () => given(created, widened, reserved(1)).when(release(1)).emits(released(1)));
  it('can be the removal of the publication', () => given(created, widened, reserved(1), completed(1)).when(release(1)).emits(released(1)));
  it('is released once', () => given(created, widened, reserved(1), released(1)).when(release(1)).emits());
  it('releases a reservation that has not arrived', () => given(created, widened).when(release(1)).emits(released(1)));
  it('does not affect the reservation of a later request', () => given(created, widened, reserved(2)).when(release(1)).emits());
  it('has nothing to release for a deleted bot', () => given(created, widened, reserved(1), deleted).when(release(1)).emits());
});

describe('a bot that is published or reserved', () => {
  const reservedOrPublished: [string, readonly BotEvent[]][] = [
    ['reserved', [reserved(1)]],
    ['published', [reserved(1), completed(1)]],
  ];
  it.each(reservedOrPublished)('is not un-shared while it is %s', (_, events) =>
    given(created, widened, ...events)
      .when(unshare)
      .refuses('bot_published'),
  );
  it.each(reservedOrPublished)('is not shared with fewer users while it is %s', (_, events) =>
    given(created, widened, ...events)
      .when({ type: 'Share', by: ann, sharing: { scope: 'partial', userIds: ['ben'] } })
      .refuses('bot_published'),
  );
  it.each(reservedOrPublished)('is not deleted while it is %s', (_, events) =>
    given(created, widened, ...events)
      .when({ type: 'Delete', by: admin })
      .refuses('bot_published'),
  );
  it.each(reservedOrPublished)('is deleted with its erased owner while it is %s', (_, events) =>
    given(created, widened, ...events)
      .when({ type: 'DeleteWithOwner', ownerUserId: 'ann' })
      .emits({ type: 'BotDeletedWithOwner', ownerUserId: 'ann', sharing: toAll }),
  );
  it.each([
    ['sources', knowledge],
    ['knowledge base', base],
    ['earlier version', { type: 'Restore', by: ann, version: 1, configuration: { ...configuration, knowledge: null } } as BotCommand],
  ])('refuses another %s while it is reserved', (_, command) =>
    given(created, widened, reserved(1)).when(command).refuses('deployment_in_progress'),
  );
  it('accepts other changes while it is reserved', () =>
    given(created, widened, reserved(1))
      .when({ type: 'Configure', by: ann, changes: { title: { clear: 'Map' } } })
      .emits({ type: 'BotConfigured', by: 'ann', changes: { title: { clear: 'Map' } } }));
  it('accepts other knowledge after it is published', () =>
    given(created, widened, reserved(1), completed(1))
      .when(knowledge)
      .emits({ type: 'BotConfigured', by: 'ann', changes: knowledge.changes }));
  it('can be changed again after its release', () =>
    given(created, widened, reserved(1), released(1))
      .when(unshare)
      .emits({ type: 'BotNarrowed', by: 'ann', because: 'requested', before: toAll, after: PRIVATE }));
});

/** The invariant: a reserved bot exists, is shared with all users, and is reserved by the newest request that was not released. */
describe('any history of requests and changes', () => {
  const number = fc.integer({ min: 1, max: 4 });
  const command = fc.oneof(
    number.map((n) => reserve(n)),
    number.map(complete),
    number.map(release),
    fc.constantFrom<BotCommand>(
      unshare,
      { type: 'Share', by: ann, sharing: { scope: 'all' } },
      { type: 'Delete', by: ann },
      { type: 'ForgetListed', gone: { userId: 'ben' } },
      knowledge,
    ),
  );

  it('never reserves a bot that is not shared with all users, or for a released request', () =>
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        const givenUp = new Set<number>();
        let state: Bot = fold(bot, [created, widened]);
        for (const one of commands) {
          const decided = bot.decide(one, state);
          if (!(decided instanceof Refusal)) state = decided.reduce(bot.evolve, state);
          if (one.type === 'ReleaseFromPublication') givenUp.add(one.number);
          if (state.status !== 'living' || !state.publishing || state.publishing.state === 'released') continue;
          expect([state.sharing.scope, givenUp.has(state.publishing.number)]).toEqual(['all', false]);
        }
      }),
      { numRuns: 500 },
    ));
});
