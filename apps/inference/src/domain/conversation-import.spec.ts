import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { conversation } from './conversation.ts';
import type { ImportedMessage } from './conversation-import.ts';

const given = specify(conversation);
const at = Instant.ofMillis(1_700_000_000_000);
const message = (id: string): ImportedMessage => ({ id, role: 'user', parentId: null, at, model: 'm', content: 's1.a.b' });
const facts = { title: 's1.t.t', startedAt: at, lastMessageId: 'm2', lastMessageAt: at, model: 'm', costNanoDollars: 7 };
const of = { userId: 'ann', botId: null, importName: 'old' };
const first = { type: 'Import', ...of, ...facts, part: 0, messages: [message('m1')] } as const;
const second = { ...first, part: 1, messages: [message('m2')] } as const;
const imported = { type: 'ConversationImported', ...of, ...facts, messages: first.messages } as const;
const own = { fingerprint: 'f1', parts: 2 };
const ownFirst = { ...imported, own };
const grown = { type: 'MessagesImported', ...of, messages: second.messages } as const;

describe('importing a conversation', () => {
  it('starts it with its first part', () => given().when(first).emits(imported));
  it('adds the next part', () => given(imported).when(second).emits(grown));
  it('does nothing for a part that is already imported', () => given(imported, grown).when(first).emits());
  it('does nothing for the last imported part', () => given(imported, grown).when(second).emits());
  it('refuses a part before the first', () => given().when(second).refuses('import_part_missing'));
  it('refuses a part after a gap', () =>
    given(imported)
      .when({ ...second, part: 2 })
      .refuses('import_part_missing'));
  it('refuses the ID of a conversation of another user', () =>
    given({ ...imported, userId: 'ben' })
      .when(first)
      .refuses('conversation_id_taken'));
  it('refuses the ID of a conversation that was started here', () =>
    given({ type: 'ConversationStarted', userId: 'ann', botId: null }).when(first).refuses('conversation_id_taken'));
  it('refuses a conversation that another run has already imported and charged', () =>
    given(imported)
      .when({ ...first, importName: 'new' })
      .refuses('imported_before'));
  it('refuses a conversation that its user has deleted', () =>
    given(imported, { type: 'ConversationErasureBegun', userId: 'ann', deleted: true }).when(first).refuses('conversation_id_taken'));
  it("adds the next part of a user's own import", () =>
    given(ownFirst)
      .when({ ...second, own })
      .emits({ ...grown, own }));
  it('does nothing when a user imports another version of a whole conversation', () =>
    given(ownFirst, { ...grown, own })
      .when({ ...second, part: 2, own: { fingerprint: 'f2', parts: 3 } })
      .emits());
  it('refuses another version of a conversation whose import was interrupted, because its parts would not fit', () =>
    given(ownFirst)
      .when({ ...second, own: { fingerprint: 'f2', parts: 2 } })
      .refuses('import_changed'));
  it('lets an erasure count all messages of all parts', () =>
    given(imported, grown)
      .when({ type: 'Erase', userId: 'ann', messageIds: ['m1', 'm2'], isBegun: false })
      .emits(
        { type: 'ConversationErasureBegun', userId: 'ann', botId: null, messages: 2 },
        { type: 'MessagesRemoved', userId: 'ann', messageIds: ['m1', 'm2'] },
        { type: 'ConversationErased', userId: 'ann' },
      ));
});

describe('importing the usage of programs', () => {
  const use = { userId: 'ann', botId: 'b', importName: 'old', usedAt: at, model: 'm', costNanoDollars: 7 };
  const command = { type: 'ImportUse', ...use } as const;
  const event = { type: 'UseImported', ...use } as const;
  it('records its cost', () => given().when(command).emits(event));
  it('is idempotent', () => given(event).when(command).emits());
  it('refuses usage that another run has charged', () =>
    given(event)
      .when({ ...command, importName: 'new' })
      .refuses('imported_before'));
  it('refuses the ID of a conversation of a user', () => given(imported).when(command).refuses('conversation_id_taken'));
  it('creates no conversation that could be continued', () => given(event).when(first).refuses('conversation_id_taken'));
});
