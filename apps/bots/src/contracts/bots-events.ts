import {
  BotConfigured,
  BotCreated,
  BotDeleted,
  BotEditorsChanged,
  BotNarrowed,
  BotPinned,
  BotRestored,
  BotUnpinned,
  BotWidened,
} from '@parlance/contracts';
import { publishing, say } from '@parlance/foundation';
import { type BotEvent, statusOf } from '../domain/bot.ts';
import type { ConfigurationChange } from '../domain/configuration.ts';
import type { Sharing } from '../domain/sharing.ts';

/** No text of a bot is public. */
export const publishBots = publishing<BotEvent>('bots', {
  BotCreated: (event, bot_id) => say(BotCreated, { bot_id, owner_user_id: event.ownerUserId }),
  BotConfigured: ({ changes }, bot_id) => say(BotConfigured, { bot_id, changed: changedFields(changes) }),
  BotRestored: ({ version }, bot_id) => say(BotRestored, { bot_id, version }),
  BotWidened: (event, bot_id) => say(BotWidened, { bot_id, ...shared(event) }),
  BotNarrowed: (event, bot_id) => say(BotNarrowed, { bot_id, ...shared(event), because: event.because }),
  BotEditorsChanged: ({ after }, bot_id) => say(BotEditorsChanged, { bot_id, ...listsOf(after) }),
  BotPinned: ({ order }, bot_id) => say(BotPinned, { bot_id, order, status: statusOf('all', order) }),
  BotUnpinned: ({ order }, bot_id) => say(BotUnpinned, { bot_id, order, status: statusOf('all', null) }),
  BotDeleted: (event, bot_id) => say(BotDeleted, { bot_id, owner_user_id: event.ownerUserId }),
  BotDeletedWithOwner: (event, bot_id) => say(BotDeleted, { bot_id, owner_user_id: event.ownerUserId }),
});

const shared = ({ before, after }: { before: Sharing; after: Sharing }) => ({
  shared_scope: after.scope,
  previous_scope: before.scope,
  ...listsOf(after),
});

const listsOf = ({ userIds, groupIds, editorUserIds, editorGroupIds }: Sharing) => ({
  allowed_user_ids: [...userIds],
  allowed_group_ids: [...groupIds],
  editor_user_ids: [...editorUserIds],
  editor_group_ids: [...editorGroupIds],
});

/** The names that the fields have in requests. */
function changedFields({ settings = {}, quickStarters, ...texts }: ConfigurationChange): string[] {
  return [...Object.keys(texts), ...(quickStarters === undefined ? [] : ['conversation_quick_starters']), ...Object.keys(settings)];
}
