import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { publication, type PublicationCommand } from './publication.ts';
import type { ApiKeyFacts, PublicationEvent, Terms } from './publication-events.ts';

const given = specify(publication);
const at = (seconds: number) => Instant.ofMillis(seconds * 1_000);
const terms: Terms = { quota: null, throttle: { rate_limit: 50, burst_limit: 100 }, allowedOrigins: ['*'] };
const facts = { by: 'ann', ownerUserId: 'ann', stage: 'api', terms };

const request = (deploymentId = 'd1'): PublicationCommand => ({
  type: 'Request',
  ...facts,
  deploymentId,
  claim: `${deploymentId}-claim`,
  leaseUntil: at(15),
  deadline: at(120),
});
const requested = (number = 1, deploymentId = `d${number}`): PublicationEvent => ({
  type: 'PublicationRequested',
  ...facts,
  deploymentId,
  number,
  claim: `${deploymentId}-claim`,
  leaseUntil: at(15),
  deadline: at(120),
});
const it1 = { deploymentId: 'd1', ownerUserId: 'ann', number: 1 };
const started: PublicationEvent = { type: 'DeploymentStarted', ...it1, stage: 'api' };
const succeeded: PublicationEvent = { type: 'PublicationSucceeded', ...it1, stage: 'api' };
const givenUp: PublicationEvent = { type: 'RequestGivenUp' };
const rollback: PublicationEvent = { type: 'RollbackBegun', reason: 'It was late.' };
const failed: PublicationEvent = { type: 'PublicationFailed', ...it1, reason: 'It was late.' };
const takenOver: PublicationEvent = { type: 'DeploymentTakenOver', claim: 'other', leaseUntil: at(40) };
const key = (keyId = 'k1'): ApiKeyFacts => ({
  keyId,
  description: 'sealed',
  hash: 'hash',
  ending: 'wxyz',
  expiresAt: null,
  allowedIpRanges: [],
});
const keyCreated: PublicationEvent = { type: 'ApiKeyCreated', by: 'ann', ...key() };
const removalBegun: PublicationEvent = {
  type: 'PublicationRemovalBegun',
  by: 'ann',
  number: 1,
  revision: 1,
  keyIds: ['k1'],
  claim: 'r',
  leaseUntil: at(15),
};
const removed = (because: 'requested' | 'bot_deleted', wasPublished: boolean, keyIds: string[] = []): PublicationEvent => ({
  type: 'PublicationRemoved',
  because,
  wasPublished,
  revision: wasPublished ? 1 : 0,
  keyIds,
  ...it1,
});
const remove: PublicationCommand = { type: 'Remove', by: 'ann', claim: 'r', leaseUntil: at(15) };
const live = [requested(), started, succeeded];

describe('a request to publish a bot', () => {
  it('is recorded before the bot is reserved', () => given().when(request()).emits(requested()));
  it('has the next number after a removal', () =>
    given(...live, removalBegun, removed('requested', true))
      .when(request('d2'))
      .emits(requested(2)));
  it('has the next number after a failure', () => given(requested(), started, rollback, failed).when(request('d2')).emits(requested(2)));
  it('has the next number after a withdrawal', () =>
    given(requested(), givenUp, { type: 'RequestWithdrawn' }).when(request('d2')).emits(requested(2)));
  it.each<[string, readonly PublicationEvent[]]>([
    ['has been recorded', [requested()]],
    ['is deployed', [requested(), started]],
    ['has succeeded', live],
    ['has failed', [requested(), started, rollback, failed]],
  ])('does nothing when it is repeated and %s', (_, events) =>
    given(...events)
      .when(request())
      .emits(),
  );
  it('cannot be repeated while it is being withdrawn', () => given(requested(), givenUp).when(request()).refuses('deployment_in_progress'));
  it.each<[string, readonly PublicationEvent[], string]>([
    ['another one is recorded', [requested()], 'deployment_in_progress'],
    ['another one is deployed', [requested(), started], 'deployment_in_progress'],
    ['another one is rolled back', [requested(), started, rollback], 'deployment_in_progress'],
    ['a publication is removed', [...live, removalBegun], 'deployment_in_progress'],
    ['the bot is published', live, 'already_published'],
  ])('is refused while %s', (_, events, code) =>
    given(...events)
      .when(request('d2'))
      .refuses(code),
  );
});

describe('a deployment', () => {
  const start: PublicationCommand = { type: 'StartDeployment', deploymentId: 'd1' };
  const giveUp = (claim = 'd1-claim'): PublicationCommand => ({ type: 'GiveUp', deploymentId: 'd1', claim, reason: 'It was late.' });
  it('starts when the bot is reserved', () => given(requested()).when(start).emits(started));
  it('starts once', () => given(requested(), started).when(start).emits());
  const fail = (deploymentId = 'd1'): PublicationCommand => ({ type: 'FailProbe', deploymentId, reason: 'It was late.' });
  it('fails when an edge cannot serve the address, whichever process works on it', () =>
    given(requested(), started, takenOver).when(fail()).emits(rollback));
  it('does not start again after that', () => given(requested(), started, rollback).when(start).refuses('deployment_is_over'));
  it.each<[string, PublicationEvent[], string]>([
    ['it has succeeded', [requested(), started, succeeded], 'd1'],
    ['it is rolled back', [requested(), started, rollback], 'd1'],
    ['another one is in progress', [requested(2), { ...started, deploymentId: 'd2', number: 2 } as PublicationEvent], 'd1'],
    ['there is none', [], 'd1'],
  ])('is not ended by an edge when %s', (_, events, deploymentId) =>
    given(...events)
      .when(fail(deploymentId))
      .emits(),
  );
  it('does not start after the request was given up', () => given(requested(), givenUp).when(start).refuses('deployment_is_over'));
  it('does not start for an earlier request', () => given(requested(2)).when(start).refuses('deployment_is_over'));
  it('succeeds', () => given(requested(), started).when({ type: 'Succeed', claim: 'd1-claim' }).emits(succeeded));
  it('refuses the result of a process that was replaced', () =>
    given(requested(), started, takenOver).when({ type: 'Succeed', claim: 'd1-claim' }).refuses('deployment_is_over'));
  it('accepts the result of the process that replaced it', () =>
    given(requested(), started, takenOver).when({ type: 'Succeed', claim: 'other' }).emits(succeeded));
  it('is taken over when the lease has ended', () =>
    given(requested(), started)
      .when({ type: 'TakeOver', claim: 'other', now: at(15), leaseUntil: at(40) })
      .emits(takenOver));
  it('is taken over from a process whose clock was ahead', () =>
    given(requested(), started, { ...takenOver, leaseUntil: at(86_400) })
      .when({ type: 'TakeOver', claim: 'other', now: at(15), leaseUntil: at(40) })
      .emits(takenOver));
  it('is not taken over before', () =>
    given(requested(), started)
      .when({ type: 'TakeOver', claim: 'other', now: at(14), leaseUntil: at(40) })
      .refuses('deployment_is_over'));
  it.each<[string, readonly PublicationEvent[]]>([
    ['was never requested', []],
    ['has succeeded', live],
    ['has failed', [requested(), started, rollback, failed]],
  ])('is not taken over if it %s', (_, events) =>
    given(...events)
      .when({ type: 'TakeOver', claim: 'other', now: at(99), leaseUntil: at(120) })
      .refuses('deployment_is_over'),
  );
  it('can be given up before the bot is reserved, and leaves no trace', () => {
    given(requested()).when(giveUp()).emits(givenUp);
    given(requested(), givenUp).when({ type: 'FinishRollback', deploymentId: 'd1' }).emits({ type: 'RequestWithdrawn' });
  });
  it('is rolled back after that, and keeps the reason', () => {
    given(requested(), started).when(giveUp()).emits(rollback);
    given(requested(), started, rollback).when({ type: 'FinishRollback', deploymentId: 'd1' }).emits(failed);
  });
  it('is rolled back only by the process that works on it', () =>
    given(requested(), started, takenOver).when(giveUp()).refuses('deployment_is_over'));
  it('is rolled back once', () => given(requested(), started, rollback).when(giveUp()).emits());
  it('is not rolled back after its success', () =>
    given(...live)
      .when(giveUp())
      .emits());
  it.each<[string, readonly PublicationEvent[]]>([
    ['nothing', []],
    ['another request', [requested(2), givenUp]],
    ['a deployment', [requested(), started]],
  ])('refuses the end of a rollback of %s', (_, events) =>
    given(...events)
      .when({ type: 'FinishRollback', deploymentId: 'd1' })
      .refuses('deployment_is_over'),
  );
});

describe('a publication', () => {
  const quota = { limit: 5, offset: 0, period: 'DAY' } as const;
  it('changes in place', () =>
    given(...live)
      .when({ type: 'Change', by: 'ann', change: { quota } })
      .emits({ type: 'PublicationChanged', by: 'ann', terms: { quota }, number: 1, revision: 2 }));
  it('keeps the other fields of its throttle as an earlier change has set them', () => {
    const { throttle } = terms;
    const slower = {
      type: 'PublicationChanged',
      by: 'ann',
      terms: { throttle: { ...throttle, rate_limit: 7 } },
      number: 1,
      revision: 2,
    } as const;
    given(...live, slower)
      .when({ type: 'Change', by: 'ann', change: { throttle: { burst_limit: 9 } } })
      .emits({ ...slower, terms: { throttle: { rate_limit: 7, burst_limit: 9 } }, revision: 3 });
  });
  it.each<[string, Partial<Terms>]>([
    ['nothing is named', {}],
    ['nothing differs', { ...terms }],
  ])('does not change if %s', (_, same) =>
    given(...live)
      .when({ type: 'Change', by: 'ann', change: same })
      .emits(),
  );
  it('does not change before it has succeeded', () =>
    given(requested(), started).when({ type: 'Change', by: 'ann', change: {} }).refuses('publication_not_succeeded'));
  it('does not change if there is none', () => given().when({ type: 'Change', by: 'ann', change: {} }).refuses('not_published'));
  it('is removed with its keys', () => {
    given(...live, keyCreated)
      .when(remove)
      .emits(removalBegun);
    given(...live, keyCreated, removalBegun)
      .when({ type: 'FinishRemoval', deploymentId: 'd1' })
      .emits(removed('requested', true, ['k1']));
  });
  it('is removed once', () =>
    given(...live, keyCreated, removalBegun)
      .when(remove)
      .emits());
  it('is removed at once after a failure', () =>
    given(requested(), started, rollback, failed).when(remove).emits(removed('requested', false)));
  it('is not removed while it is deployed', () => given(requested(), started).when(remove).refuses('deployment_in_progress'));
  it('is not removed if there is none', () => given().when(remove).refuses('not_published'));
  it('is removed with its bot in every state', () => {
    const withBot: PublicationCommand = { type: 'RemoveWithBot', because: 'bot_deleted' };
    given().when(withBot).emits();
    given(requested()).when(withBot).emits(removed('bot_deleted', false));
    given(...live, keyCreated)
      .when(withBot)
      .emits(removed('bot_deleted', true, ['k1']));
    given(...live, keyCreated, removalBegun)
      .when(withBot)
      .emits(removed('bot_deleted', true, ['k1']));
  });
  it('refuses the end of a removal that has not begun', () =>
    given(...live)
      .when({ type: 'FinishRemoval', deploymentId: 'd1' })
      .refuses('deployment_is_over'));
});
