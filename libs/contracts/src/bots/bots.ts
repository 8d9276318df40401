import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, userId } from '../public-event.ts';
import { added } from './added.ts';

const onBot = actionOn('bot');

const botId = id.describe('ID of the bot.');
const ownerUserId = userId.describe("ID of the bot's owner.");
const scope = z.enum(['private', 'partial', 'all']);
const pinOrder = z.int().min(1).max(999).describe('Place among the pinned bots. Lower numbers come first.');
const bot = { bot_id: botId };

const lists = {
  allowed_user_ids: z.array(id).describe('Listed users after the change.'),
  allowed_group_ids: z.array(id).describe('Listed groups after the change.'),
  editor_user_ids: z.array(id).describe('Listed users who may change the configuration.'),
  editor_group_ids: z.array(id).describe('Listed groups that may change the configuration.'),
};

const sharing = {
  ...bot,
  shared_scope: scope.describe('Scope of sharing after the change.'),
  previous_scope: scope.describe('Scope of sharing before the change.'),
  ...lists,
  ...added,
};

export const BotCreated = publicEvent(
  'parlance.bots.bot-created.v1',
  'Published when a bot is created. A new bot is private to its owner.',
  z.strictObject({ ...bot, owner_user_id: ownerUserId }),
  ({ bot_id }) => onBot('create_bot', bot_id),
);
export type BotCreated = DataOf<typeof BotCreated>;

export const BotConfigured = publicEvent(
  'parlance.bots.bot-configured.v1',
  'Published when the configuration of a bot changes.',
  z.strictObject({ ...bot, changed: z.array(z.string()).describe('Names of the changed fields.') }),
  ({ bot_id, changed }) => onBot('configure_bot', bot_id, { changed }),
);
export type BotConfigured = DataOf<typeof BotConfigured>;

export const BotRestored = publicEvent(
  'parlance.bots.bot-restored.v1',
  'Published when a bot gets the configuration of an earlier version again.',
  z.strictObject({ ...bot, version: z.int().min(1).describe('The version that was restored.') }),
  ({ bot_id, version }) => onBot('restore_bot', bot_id, { version }),
);
export type BotRestored = DataOf<typeof BotRestored>;

export const BotWidened = publicEvent(
  'parlance.bots.bot-widened.v1',
  'Published when more users may see a bot, and all others may still see it.',
  z.strictObject(sharing),
  ({ bot_id, added_user_ids: _, added_group_ids: __, ...details }) => onBot('change_visibility', bot_id, details),
);
export type BotWidened = DataOf<typeof BotWidened>;

export const BotNarrowed = publicEvent(
  'parlance.bots.bot-narrowed.v1',
  'Published when a user or a group may no longer see a bot.',
  z.strictObject({
    ...sharing,
    because: z
      .enum(['requested', 'user_erased', 'group_deleted'])
      .describe('Whether the owner or an administrator requested it, a listed user was erased, or a listed group was deleted.'),
  }),
  ({ bot_id, added_user_ids: _, added_group_ids: __, ...details }) => onBot('change_visibility', bot_id, details),
);
export type BotNarrowed = DataOf<typeof BotNarrowed>;

export const BotEditorsChanged = publicEvent(
  'parlance.bots.bot-editors-changed.v1',
  'Published when other users or groups may change the configuration of a bot, or the lists of a bot change that all users see.',
  z.strictObject({ ...bot, ...lists }),
  ({ bot_id, ...details }) => onBot('change_editors', bot_id, details),
);
export type BotEditorsChanged = DataOf<typeof BotEditorsChanged>;

export const BotPinned = publicEvent(
  'parlance.bots.bot-pinned.v1',
  'Published when an administrator pins a bot, or changes the order of a pinned bot.',
  z.strictObject({ ...bot, order: pinOrder, status: z.string().describe('Sharing status: pinned@NNN.') }),
  ({ bot_id, status, order }) => onBot('pin', bot_id, { shared_status: status, order }),
);
export type BotPinned = DataOf<typeof BotPinned>;

export const BotUnpinned = publicEvent(
  'parlance.bots.bot-unpinned.v1',
  'Published when an administrator unpins a bot.',
  z.strictObject({
    ...bot,
    order: pinOrder.describe('The order that the bot had.'),
    status: z.string().describe('Sharing status: shared.'),
  }),
  ({ bot_id, status, order }) => onBot('unpin', bot_id, { shared_status: status, order }),
);
export type BotUnpinned = DataOf<typeof BotUnpinned>;

export const BotDeleted = publicEvent(
  'parlance.bots.bot-deleted.v1',
  'Published when a bot is deleted by its owner or an administrator, or because its owner is erased.',
  z.strictObject({ ...bot, owner_user_id: ownerUserId }),
  ({ bot_id }) => onBot('delete_bot', bot_id),
);
export type BotDeleted = DataOf<typeof BotDeleted>;
