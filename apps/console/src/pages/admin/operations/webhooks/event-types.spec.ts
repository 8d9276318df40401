import { groupsOf, matching, typesIn } from './event-types.ts';

const DOCUMENT = {
  components: {
    messages: {
      botCreatedV1: {
        name: 'parlance.bots.bot-created.v1',
        summary: 'Published when a bot is created.',
        payload: { allOf: [{ $ref: '#' }, { properties: { data: { properties: { bot_id: { type: 'string' } } } } }] },
      },
      userErasedV1: { name: 'parlance.identity.user-erased.v1' },
    },
  },
};

describe('types of events', () => {
  const types = typesIn(DOCUMENT);

  it('are the messages of the AsyncAPI document, with the fields of their data', () =>
    expect(types).toEqual([
      { name: 'parlance.bots.bot-created.v1', summary: 'Published when a bot is created.', fields: { bot_id: { type: 'string' } } },
      { name: 'parlance.identity.user-erased.v1', summary: '', fields: {} },
    ]));
  it('are grouped by service', () => expect([...groupsOf(types).keys()]).toEqual(['bots', 'identity']));
  it('match by all words of a search, in the name or the summary', () => {
    expect(matching(types, 'BOT published').map(({ name }) => name)).toEqual(['parlance.bots.bot-created.v1']);
    expect(matching(types, 'bot erased')).toEqual([]);
    expect(matching(types, ' ')).toHaveLength(2);
  });
  it('are none for a document without messages', () => expect(typesIn({})).toEqual([]));
});
