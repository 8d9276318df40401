import { table } from '@parlance/read-models';
import type { Appearance } from '../../domain/appearance.ts';
import type { BotSettings, BotText } from '../../domain/configuration.ts';
import { type Person, relationOf, type Scope, type Sharing } from '../../domain/sharing.ts';
import type { Uploaders } from './answering-user.ts';

/** A bot as lists need it. The texts are sealed, and opened for an answer. */
export interface BotRow extends Appearance {
  id: string;
  owner_user_id: string;
  title: BotText;
  description: BotText | null;
  shared_scope: Scope;
  status: string;
  /** The order of a pinned bot; null if it is not pinned. */
  pin: number | null;
  is_publication: boolean;
  allowed_user_ids: readonly string[];
  allowed_group_ids: readonly string[];
  editor_user_ids: readonly string[];
  editor_group_ids: readonly string[];
  create_time: number;
  /** Version of the bot's stream: the ETag. */
  version: number;
  /** The version in which the content last changed. */
  content_version: number;
  /** Position of the newest event in the row. The store index asks for later ones. */
  position: number;
}

/** The rest of a bot, which can be large. */
export interface BotContentRow {
  version: number;
  instruction: BotText | null;
  /** JSON. */
  quick_starters: BotText | null;
  /** Absent or null: the default text. */
  blocked_text?: BotText | null;
  /**
   * The user who last changed the tools, the knowledge or what the model is asked. Null if another user could still replace files then, because
   * nobody answers for all of it.
   */
  configured_by: string | null;
  settings: BotSettings;
  /** Absent if no upload address was issued since the bot was created. */
  uploads?: Uploaders;
}

/** One audience that a bot is listed under. */
interface AudienceRow {
  audience: string;
  bot_id: string;
}

/** How many bots were deleted with their erased owner. The receipt needs the number, even if the erasure is repeated. */
interface ErasedBotsRow {
  user_id: string;
  bots: number;
}

export const botRows = table<BotRow>('bots', { byOwner: ['owner_user_id'], byPosition: ['position'] });
export const botContentRows = table<BotContentRow>('bot_contents');
export const audienceRows = table<AudienceRow>('bot_audiences', { byAudience: ['audience', 'bot_id'] });
export const erasedBotsRows = table<ErasedBotsRow>('erased_bots');

export const audienceKey = (botId: string, audience: string) => `${botId}/${audience}`;

export const sharingOf = (row: BotRow): Sharing => ({
  scope: row.shared_scope,
  userIds: row.allowed_user_ids,
  groupIds: row.allowed_group_ids,
  editorUserIds: row.editor_user_ids,
  editorGroupIds: row.editor_group_ids,
});

export const relationTo = (person: Person, row: BotRow) => relationOf(person, { ownerUserId: row.owner_user_id, sharing: sharingOf(row) });
