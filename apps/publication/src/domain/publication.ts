import { type Decider, Instant, isLeased, refuse } from '@parlance/decider';
import { type ApiKeyCommand, afterKeyEvent, decideKey } from './api-keys.ts';
import type { Lease, Publication, PublicationEvent, Published, RemovalReason, Terms, TermsChange } from './publication-events.ts';
import { changedTerms, sameTerms } from './terms.ts';

type Present = Exclude<Publication, { status: 'none' }>;

export type PublicationCommand =
  | ApiKeyCommand
  | ({ type: 'Request'; by: string; deploymentId: string; ownerUserId: string; stage: string; terms: Terms; deadline: Instant } & Lease)
  /** The bot is reserved for this request. */
  | { type: 'StartDeployment'; deploymentId: string }
  /** Another process continues the work of a lost one. */
  | ({ type: 'TakeOver'; now: Instant } & Lease)
  | { type: 'Succeed'; claim: string }
  /** The attempt has failed. The reason is a sentence for the user. */
  | { type: 'GiveUp'; deploymentId: string; claim: string; reason: string }
  /** An edge cannot serve the address. Sent by a process other than the one that does the work. */
  | { type: 'FailProbe'; deploymentId: string; reason: string }
  /** The bot is released after an attempt that has failed. */
  | { type: 'FinishRollback'; deploymentId: string }
  | { type: 'Change'; by: string; change: TermsChange }
  | ({ type: 'Remove'; by: string } & Lease)
  /** The bot is released after the removal. */
  | { type: 'FinishRemoval'; deploymentId: string }
  /** The bot is gone, so there is nothing to release. */
  | { type: 'RemoveWithBot'; because: Exclude<RemovalReason, 'requested'> };

export const notPublished = () => refuse('missing', 'not_published', 'This bot is not published.');
const inProgress = () =>
  refuse(
    'conflict',
    'deployment_in_progress',
    'The bot is being published, or its publication is being removed. Try again in a few seconds.',
  );
const alreadyPublished = () =>
  refuse('conflict', 'already_published', 'This bot is already published. Change its publication, or remove it first.');
const notSucceeded = () =>
  refuse(
    'conflict',
    'publication_not_succeeded',
    'The publication has not succeeded. Wait for codebuild_status SUCCEEDED, or publish the bot again.',
  );
const isOver = () => refuse('conflict', 'deployment_is_over', 'This deployment has ended, or another process is working on it.');

/**
 * The publication of one bot with its API keys. At most one attempt is in progress. The numbers of the attempts grow, and the bot's stream
 * uses them to recognise late calls.
 */
export const publication: Decider<PublicationCommand, PublicationEvent, Publication> = {
  initialState: { status: 'none', number: 0 },
  snapshots: { every: 50, shape: 'publication@1' },

  decide(command, state) {
    switch (command.type) {
      case 'Request':
        return request(command, state);
      case 'RemoveWithBot':
        return state.status === 'none' ? [] : [removed(state, command.because)];
      case 'FailProbe':
        if (state.status !== 'deploying' || state.deploymentId !== command.deploymentId) return [];
        return [{ type: 'RollbackBegun', reason: command.reason }];
      case 'Change':
        return change(command, state);
      case 'Remove':
        return remove(command, state);
      case 'CreateKey':
      case 'ChangeKey':
      case 'RevokeKey':
        if (state.status === 'none') return notPublished();
        return state.status === 'succeeded' ? decideKey(command, state) : notSucceeded();
      case 'TakeOver':
        return takeOver(command, state);
      default:
        return step(command, state);
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'PublicationRequested': {
        const { type: _, by: __, ...facts } = event;
        return { ...facts, status: 'requested' };
      }
      case 'PublicationRemoved':
      case 'RequestWithdrawn':
        return { status: 'none', number: state.number };
      default:
        return state.status === 'none' ? state : evolvePresent(state, event);
    }
  },
};

function evolvePresent(
  state: Present,
  event: Exclude<PublicationEvent, { type: 'PublicationRequested' | 'PublicationRemoved' | 'RequestWithdrawn' }>,
): Publication {
  switch (event.type) {
    case 'DeploymentStarted':
      return { ...present(state), status: 'deploying' };
    case 'DeploymentTakenOver':
      return { ...state, claim: event.claim, leaseUntil: event.leaseUntil };
    case 'RequestGivenUp':
      return { ...present(state), status: 'given_up' };
    case 'RollbackBegun':
      return { ...present(state), status: 'rolling_back', reason: event.reason };
    case 'PublicationFailed':
      return { ...present(state), status: 'failed' };
    case 'PublicationSucceeded':
      return { ...present(state), status: 'succeeded', revision: 1, keys: {} };
    case 'PublicationChanged':
      return { ...(state as Published), terms: { ...state.terms, ...event.terms }, revision: event.revision };
    case 'PublicationRemovalBegun': {
      const { claim, leaseUntil, revision, keyIds } = event;
      return { ...present(state), status: 'removing', claim, leaseUntil, revision, keyIds };
    }
    default:
      return { ...(state as Published), keys: afterKeyEvent((state as Published).keys, event) };
  }
}

/** The fields that all present statuses share. */
function present({ deploymentId, ownerUserId, number, claim, leaseUntil, stage, terms, deadline }: Present) {
  return { deploymentId, ownerUserId, number, claim, leaseUntil, stage, terms, deadline };
}

function request({ type: _, ...facts }: Extract<PublicationCommand, { type: 'Request' }>, state: Publication) {
  if (state.status !== 'none') {
    // A repeated request with the same Idempotency-Key has the same ID.
    if (state.deploymentId === facts.deploymentId && state.status !== 'removing') return state.status === 'given_up' ? inProgress() : [];
    if (state.status === 'succeeded') return alreadyPublished();
    if (state.status !== 'failed') return inProgress();
  }
  return [{ type: 'PublicationRequested' as const, ...facts, number: state.number + 1 }];
}

function takeOver({ claim, now, leaseUntil }: Extract<PublicationCommand, { type: 'TakeOver' }>, state: Publication) {
  if (!isUnderWay(state)) return isOver();
  return isLeased(state.leaseUntil, now) ? isOver() : [{ type: 'DeploymentTakenOver' as const, claim, leaseUntil }];
}

export const isUnderWay = (state: Publication): state is Present =>
  state.status !== 'none' && state.status !== 'failed' && state.status !== 'succeeded';

type Step = Extract<PublicationCommand, { type: 'StartDeployment' | 'Succeed' | 'GiveUp' | 'FinishRollback' | 'FinishRemoval' }>;

function step(command: Step, state: Publication) {
  if (state.status === 'none') return isOver();
  const { deploymentId, ownerUserId, number, stage, claim } = state;
  const it = { deploymentId, ownerUserId, number };
  const isIt = (status: Publication['status'], id: string) => state.status === status && id === deploymentId;
  switch (command.type) {
    case 'StartDeployment':
      if (isIt('requested', command.deploymentId)) return [{ type: 'DeploymentStarted' as const, ...it, stage }];
      return isIt('deploying', command.deploymentId) || isIt('succeeded', command.deploymentId) ? [] : isOver();
    case 'Succeed':
      if (state.status !== 'deploying' || claim !== command.claim) return isOver();
      return [{ type: 'PublicationSucceeded' as const, ...it, stage }];
    case 'GiveUp':
      if (command.deploymentId !== deploymentId) return isOver();
      if (state.status === 'requested') return [{ type: 'RequestGivenUp' as const }];
      if (state.status !== 'deploying') return [];
      return claim === command.claim ? [{ type: 'RollbackBegun' as const, reason: command.reason }] : isOver();
    case 'FinishRollback':
      if (isIt('given_up', command.deploymentId)) return [{ type: 'RequestWithdrawn' as const }];
      if (state.status !== 'rolling_back' || command.deploymentId !== deploymentId) return isOver();
      return [{ type: 'PublicationFailed' as const, ...it, reason: state.reason }];
    case 'FinishRemoval':
      return isIt('removing', command.deploymentId) ? [removed(state, 'requested')] : isOver();
  }
}

function change({ by, change: requested }: Extract<PublicationCommand, { type: 'Change' }>, state: Publication) {
  if (state.status === 'none') return notPublished();
  if (state.status !== 'succeeded') return notSucceeded();
  const { number, revision } = state;
  // Merged here rather than before the command, because another change may come first.
  const terms = changedTerms(requested, state.terms);
  if (sameTerms({ ...state.terms, ...terms }, state.terms)) return [];
  return [{ type: 'PublicationChanged' as const, by, terms, number, revision: revision + 1 }];
}

function remove({ by, claim, leaseUntil }: Extract<PublicationCommand, { type: 'Remove' }>, state: Publication) {
  if (state.status === 'none') return notPublished();
  // A repeated removal.
  if (state.status === 'removing') return [];
  // Its bot is released already.
  if (state.status === 'failed') return [removed(state, 'requested')];
  if (state.status !== 'succeeded') return inProgress();
  const { number, revision } = state;
  return [{ type: 'PublicationRemovalBegun' as const, by, number, revision, keyIds: Object.keys(state.keys), claim, leaseUntil }];
}

function removed(state: Present, because: RemovalReason): PublicationEvent {
  const { deploymentId, ownerUserId, number } = state;
  const wasPublished = state.status === 'succeeded' || state.status === 'removing';
  const revision = wasPublished ? state.revision : 0;
  const keyIds = state.status === 'succeeded' ? Object.keys(state.keys) : state.status === 'removing' ? state.keyIds : [];
  return { type: 'PublicationRemoved', because, wasPublished, revision, keyIds, deploymentId, ownerUserId, number };
}

export const publicationStream = (botId: string) => `publication-${botId}`;
