import { refuse } from '@parlance/decider';
import type { ConfigurationChange } from './configuration.ts';
import { mayShare, type Person, type Relation, type Sharing } from './sharing.ts';

/**
 * Commands of the publication service, which numbers the requests to publish a bot. A late call of an earlier request has a smaller number,
 * and no effect.
 */
export type PublishingCommand =
  /** A user publishes the bot. From the reservation on, the bot keeps its scope and is not deleted. */
  | { type: 'ReserveForPublication'; by: Person; number: number }
  /** The published API works. */
  | { type: 'CompletePublication'; number: number }
  /** The publication has failed or was removed. */
  | { type: 'ReleaseFromPublication'; number: number };

export type PublishingEvent =
  | { type: 'BotReservedForPublication'; by: string; number: number }
  | { type: 'BotPublished'; number: number }
  | { type: 'BotReleasedFromPublication'; number: number };

/** The newest known request to publish a bot. A released request is kept, so that its late calls are recognised. */
export interface Publishing {
  readonly number: number;
  readonly state: 'reserved' | 'published' | 'released';
}

interface Publishable {
  readonly sharing: Sharing;
  readonly publishing?: Publishing;
}

const publicationIsOver = () => refuse('conflict', 'publication_is_over', 'This request to publish the bot has ended. Publish it again.');
const notPublic = () => refuse('conflict', 'bot_not_public', 'Only a bot that is shared with all users can be published. Share it first.');
const alreadyPublished = () => refuse('conflict', 'already_published', 'This bot is already published.');
export const botPublished = () =>
  refuse('conflict', 'bot_published', 'The bot is published, or is being published. Remove its publication first.');
const beingPublished = () =>
  refuse('conflict', 'deployment_in_progress', 'The bot is being published. Wait a few seconds, then change its knowledge.');

/** A bot that is being published counts as published. */
export const isHeld = ({ publishing }: Publishable): boolean => publishing !== undefined && publishing.state !== 'released';

/** `relation`: the user's relation to the bot. */
export function reserve(
  { by, number }: Extract<PublishingCommand, { type: 'ReserveForPublication' }>,
  relation: Relation,
  bot: Publishable,
) {
  const { sharing, publishing } = bot;
  if (publishing && (number < publishing.number || (number === publishing.number && publishing.state === 'released')))
    return publicationIsOver();
  if (publishing?.number === number) return [];
  if (!mayShare(relation)) return refuse('forbidden', 'not_owner', 'Only the owner of the bot or an administrator may publish it.');
  if (isHeld(bot)) return alreadyPublished();
  if (sharing.scope !== 'all') return notPublic();
  return [{ type: 'BotReservedForPublication' as const, by: by.userId, number }];
}

export function complete(number: number, { publishing }: Publishable) {
  if (publishing?.number !== number || publishing.state === 'released') return publicationIsOver();
  return publishing.state === 'published' ? [] : [{ type: 'BotPublished' as const, number }];
}

/** Accepts a release that arrives before its reservation. The reservation is then refused. */
export function release(number: number, { publishing }: Publishable) {
  const isOver =
    publishing !== undefined && (publishing.number > number || (publishing.number === number && publishing.state === 'released'));
  return isOver ? [] : [{ type: 'BotReleasedFromPublication' as const, number }];
}

/**
 * Refuses a change that could start a run while the bot is reserved; null for other changes. The reservation needs knowledge in
 * service, and is checked against the runs a moment later.
 */
export function refusedWhileReserved(changes: ConfigurationChange, { publishing }: Publishable) {
  const isKnowledge = changes.knowledge !== undefined || changes.settings?.bedrock_knowledge_base !== undefined;
  return publishing?.state === 'reserved' && isKnowledge ? beingPublished() : null;
}

export function publishingAfter(event: PublishingEvent): Publishing {
  const { number } = event;
  switch (event.type) {
    case 'BotReservedForPublication':
      return { number, state: 'reserved' };
    case 'BotPublished':
      return { number, state: 'published' };
    case 'BotReleasedFromPublication':
      return { number, state: 'released' };
  }
}
