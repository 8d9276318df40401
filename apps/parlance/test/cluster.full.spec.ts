import { describeClusterStory } from './cluster-story.ts';
import { idleStory } from './idle-story.ts';
import { killedIdentityStory, killedBotsReplicaStory, bothEdgesStory } from './replicas-story.ts';
import { wholeStory } from './story.ts';
import { subscriptionsStory } from './subscriptions-story.ts';

// The cluster has its own servers, because the story searches their files for erased texts.
describeClusterStory({ isOwn: true }, (running) => [
  ...wholeStory,
  (story) => bothEdgesStory(story, running),
  (story) => killedBotsReplicaStory(story, running),
  (story) => killedIdentityStory(story, running, ['identity-1', 'identity-2']),
  () =>
    subscriptionsStory(
      () => running().urls[0]!,
      () => running().servers.get('analytics')!,
    ),
  () => idleStory(running),
]);
