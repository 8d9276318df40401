import { type Decider, type Holds, type Instant, onHold, Refusal, refuse } from '@parlance/decider';
import type { BotText, Configuration, ConfigurationChange } from './configuration.ts';
import { decideHolding, type HoldingCommand, type HoldingEvent, holdsAfter } from './holding.ts';
import { pinned, pinning, type PinningCommand, type PinningEvent } from './pinning.ts';
import {
  botPublished,
  complete,
  isHeld,
  type Publishing,
  publishingAfter,
  type PublishingCommand,
  type PublishingEvent,
  refusedWhileReserved,
  release,
  reserve,
} from './publishing.ts';
import {
  ADMIN_GROUP,
  changeOf,
  type Gone,
  hasEmptyLists,
  mayConfigure,
  maySee,
  mayShare,
  type Person,
  PRIVATE,
  relationOf,
  type Scope,
  type Sharing,
  sharingAfter,
  type SharingRequest,
  without,
} from './sharing.ts';

export type BotCommand =
  | PublishingCommand
  | HoldingCommand
  | { type: 'Create'; ownerUserId: string; configuration: Configuration; createdAt?: Instant }
  | { type: 'Configure'; by: Person; changes: ConfigurationChange }
  /** Restores the configuration of an earlier version, which is in the log. */
  | { type: 'Restore'; by: Person; version: number; configuration: Configuration }
  | { type: 'Share'; by: Person; sharing: SharingRequest }
  | PinningCommand
  | { type: 'Delete'; by: Person; /** Sealed. */ lastTitle?: string }
  /** The erasure of the owner deletes the bot. */
  | { type: 'DeleteWithOwner'; ownerUserId: string }
  /** The owner was erased, after the bot was deleted. */
  | { type: 'ForgetLastTitle'; ownerUserId: string }
  /** A listed user was erased, or a listed group was deleted. */
  | { type: 'ForgetListed'; gone: Gone };

export type NarrowingReason = 'requested' | 'user_erased' | 'group_deleted';

export type BotEvent =
  | PublishingEvent
  | HoldingEvent
  /** `createdAt`: for an imported bot, when the other product created it. */
  | { type: 'BotCreated'; ownerUserId: string; configuration: Configuration; createdAt?: Instant }
  | { type: 'BotConfigured'; by: string; changes: ConfigurationChange }
  | { type: 'BotRestored'; by: string; version: number; configuration: Configuration }
  | { type: 'BotWidened'; by: string; before: Sharing; after: Sharing }
  | { type: 'BotNarrowed'; by: string | null; because: NarrowingReason; before: Sharing; after: Sharing }
  /** The editors changed, or the lists of a bot that is shared with all users. */
  | { type: 'BotEditorsChanged'; by: string | null; before: Sharing; after: Sharing }
  | PinningEvent
  /** The last title is sealed under a separate key. */
  | { type: 'BotDeleted'; ownerUserId: string; by: string; sharing: Sharing; lastTitle?: string }
  | { type: 'LastTitleForgotten' }
  | { type: 'BotDeletedWithOwner'; ownerUserId: string; sharing: Sharing };

export type Bot =
  | { status: 'absent' }
  /** A deletion keeps the title. Commands do not read it from rows, which may be being built. */
  | { status: 'living'; ownerUserId: string; title: BotText; sharing: Sharing; pin: number | null; publishing?: Publishing; holds?: Holds }
  | { status: 'deleted'; ownerUserId: string; hasTitle?: true };

export type LivingBot = Extract<Bot, { status: 'living' }>;

export const botNotFound = () => refuse('missing', 'bot_not_found', 'There is no such bot, or it is not yours to see.');
export const botIdTaken = () => refuse('conflict', 'bot_id_taken', 'This bot id is in use. Choose another one, or leave it out.');
export const notOwner = () => refuse('forbidden', 'not_owner', 'Only the owner of the bot or an administrator may do this.');
/** Editors could make the tools of the bot receive what users have in their memory. */
const memoryOfOwner = () => refuse('forbidden', 'memory_of_owner', 'Only the owner of the bot may change the field memory.');
export const notEditor = () => refuse('forbidden', 'not_editor', 'Only the owner of the bot, an editor or an administrator may change it.');

export const bot: Decider<BotCommand, BotEvent, Bot> = {
  initialState: { status: 'absent' },
  snapshots: { every: 20, shape: 'bot@3' },

  decide(command, state) {
    switch (command.type) {
      case 'Create': {
        const { type: _, ...facts } = command;
        if (state.status === 'absent') return [{ type: 'BotCreated', ...facts }];
        // A client that chooses the ID may repeat the request. The ID of another user's bot is taken.
        if (state.status === 'living' && state.ownerUserId === command.ownerUserId) return [];
        return botIdTaken();
      }
      case 'DeleteWithOwner':
        if (state.status === 'absent' || state.ownerUserId !== command.ownerUserId) return botNotFound();
        if (state.status === 'deleted') return [];
        return [{ type: 'BotDeletedWithOwner', ownerUserId: state.ownerUserId, sharing: state.sharing }];
      case 'ForgetLastTitle':
        return state.status === 'deleted' && state.ownerUserId === command.ownerUserId && state.hasTitle
          ? [{ type: 'LastTitleForgotten' }]
          : [];
      case 'ForgetListed':
        return state.status === 'living' ? forgetListed(command.gone, state) : [];
      case 'Delete':
        // The owner may repeat a deletion.
        if (state.status === 'deleted' && state.ownerUserId === command.by.userId) return [];
        break;
      case 'Pin':
        // Only administrators send this. They may learn here that a private bot exists, because the API contract refuses to pin it with a conflict.
        return state.status === 'living' ? pinning(command, state) : botNotFound();
      case 'Hold':
        return state.status === 'living' ? decideHolding(command, state.holds) : botNotFound();
      case 'EndHold':
        return state.status === 'living' ? decideHolding(command, state.holds) : [];
      case 'CompletePublication':
        return state.status === 'living' ? complete(command.number, state) : botNotFound();
      case 'ReleaseFromPublication':
        return state.status === 'living' ? release(command.number, state) : [];
    }
    // Users must not learn of a bot that they may not see.
    if (state.status !== 'living' || !maySee(relationOf(command.by, state))) return botNotFound();
    return decideOnVisible(command, state);
  },

  evolve(state, event) {
    switch (event.type) {
      case 'BotCreated':
        return { status: 'living', ownerUserId: event.ownerUserId, title: event.configuration.title, sharing: PRIVATE, pin: null };
      case 'BotConfigured':
        return event.changes.title === undefined ? state : { ...(state as LivingBot), title: event.changes.title };
      case 'BotRestored':
        return { ...(state as LivingBot), title: event.configuration.title };
      case 'BotWidened':
      case 'BotNarrowed':
      case 'BotEditorsChanged':
        return { ...(state as LivingBot), sharing: event.after };
      case 'BotPinned':
        return { ...(state as LivingBot), pin: event.order };
      case 'BotUnpinned':
        return { ...(state as LivingBot), pin: null };
      case 'BotReservedForPublication':
      case 'BotPublished':
      case 'BotReleasedFromPublication':
        return { ...(state as LivingBot), publishing: publishingAfter(event) };
      case 'BotHeld':
      case 'BotHoldEnded':
        return { ...(state as LivingBot), holds: holdsAfter(event, (state as LivingBot).holds) };
      case 'BotDeleted':
        return { status: 'deleted', ownerUserId: event.ownerUserId, ...(event.lastTitle !== undefined && { hasTitle: true }) };
      case 'BotDeletedWithOwner':
        return { status: 'deleted', ownerUserId: event.ownerUserId };
      case 'LastTitleForgotten':
        return { status: 'deleted', ownerUserId: (state as { ownerUserId: string }).ownerUserId };
    }
  },
};

type CommandOnVisible = Extract<BotCommand, { type: 'Configure' | 'Restore' | 'Share' | 'Unpin' | 'Delete' | 'ReserveForPublication' }>;

function decideOnVisible(command: CommandOnVisible, state: LivingBot) {
  const { by } = command;
  const relation = relationOf(by, state);
  switch (command.type) {
    case 'Configure':
      if (!mayConfigure(relation)) return notEditor();
      if (relation !== 'owner' && command.changes.settings?.memory !== undefined) return memoryOfOwner();
      if (Object.keys(command.changes).length === 0) return [];
      return refusedWhileReserved(command.changes, state) ?? [{ type: 'BotConfigured' as const, by: by.userId, changes: command.changes }];
    case 'Restore':
      if (!mayShare(relation)) return notOwner();
      return (
        refusedWhileReserved(command.configuration, state) ?? [
          { type: 'BotRestored' as const, by: by.userId, version: command.version, configuration: command.configuration },
        ]
      );
    case 'Share':
      return mayShare(relation) ? share(command.sharing, by.userId, state) : notOwner();
    case 'Unpin':
      return pinning(command, state);
    case 'ReserveForPublication':
      return reserve(command, relation, state);
    case 'Delete':
      if (!mayShare(relation)) return notOwner();
      if (state.pin !== null) return pinned();
      if (isHeld(state)) return botPublished();
      if (state.holds?.on.length) return onHold(state.holds.on, by.groups.includes(ADMIN_GROUP));
      return [
        {
          type: 'BotDeleted' as const,
          ownerUserId: state.ownerUserId,
          by: by.userId,
          sharing: state.sharing,
          ...(command.lastTitle !== undefined && { lastTitle: command.lastTitle }),
        },
      ];
  }
}

function share(request: SharingRequest, by: string, state: LivingBot) {
  const { sharing: before, pin } = state;
  const after = sharingAfter(request, before);
  if (after instanceof Refusal) return after;
  const change = changeOf(before, after);
  if (change === 'none') return [];
  if (change === 'editors') return [{ type: 'BotEditorsChanged' as const, by, before, after }];
  if (change === 'widened') return [{ type: 'BotWidened' as const, by, before, after }];
  // A pinned bot keeps its scope, and at least one user or group in its lists.
  if (pin !== null && (before.scope !== after.scope || hasEmptyLists(after))) return pinned();
  if (isHeld(state) && after.scope !== 'all') return botPublished();
  return [{ type: 'BotNarrowed' as const, by, because: 'requested' as const, before, after }];
}

function forgetListed(gone: Gone, { sharing: before }: LivingBot) {
  const after = without(before, gone);
  const change = changeOf(before, after);
  if (change === 'none') return [];
  if (change === 'editors') return [{ type: 'BotEditorsChanged' as const, by: null, before, after }];
  const because = gone.userId === undefined ? ('group_deleted' as const) : ('user_erased' as const);
  return [{ type: 'BotNarrowed' as const, by: null, because, before, after }];
}

/** The status of sharing: `unshared`, `shared`, or `pinned@` and three digits. */
export function statusOf(scope: Scope, pin: number | null): string {
  if (pin !== null) return `pinned@${String(pin).padStart(3, '0')}`;
  return scope === 'private' ? 'unshared' : 'shared';
}

export const botStream = (botId: string) => `bot-${botId}`;
