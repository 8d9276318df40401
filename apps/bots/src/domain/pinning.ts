import { type Decision, refuse } from '@parlance/decider';
import { hasEmptyLists, type Person, type Sharing } from './sharing.ts';

export type PinningCommand = { type: 'Pin'; by: Person; order: number } | { type: 'Unpin'; by: Person };
export type PinningEvent = { type: 'BotPinned'; by: string; order: number } | { type: 'BotUnpinned'; by: string; order: number };

export const pinned = () => refuse('conflict', 'bot_pinned', 'The bot is pinned. An administrator has to unpin it first.');
const isPrivate = () =>
  refuse('conflict', 'bot_private', 'Only a shared bot can be pinned. Share it with all users, or with a user or a group, first.');

export function pinning(
  command: PinningCommand,
  { sharing, pin }: { readonly sharing: Sharing; readonly pin: number | null },
): Decision<PinningEvent> {
  const by = command.by.userId;
  if (command.type === 'Unpin') return pin === null ? [] : [{ type: 'BotUnpinned', by, order: pin }];
  if (sharing.scope === 'private' || hasEmptyLists(sharing)) return isPrivate();
  return pin === command.order ? [] : [{ type: 'BotPinned', by, order: command.order }];
}
