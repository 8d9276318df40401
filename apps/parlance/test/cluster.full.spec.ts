import { tellsTheStoryOfACluster } from './cluster-story.ts';
import { tellsOfAKilledIdentity, tellsOfAKilledReplicaOfBots, tellsOfBothEdges } from './replicas-story.ts';
import { wholeStory } from './story.ts';
import { tellsOfSubscriptions } from './subscriptions-story.ts';

// With its own servers, whose files are searched for erased texts.
tellsTheStoryOfACluster({ isOwn: true }, (running) => [
  ...wholeStory,
  (telling) => tellsOfBothEdges(telling, running),
  (telling) => tellsOfAKilledReplicaOfBots(telling, running),
  (telling) => tellsOfAKilledIdentity(telling, running, ['identity-1', 'identity-2']),
  () =>
    tellsOfSubscriptions(
      () => running().urls[0]!,
      () => running().servers.get('analytics')!,
    ),
]);
