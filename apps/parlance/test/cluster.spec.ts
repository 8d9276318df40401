import { cluster, missing } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { tellsTheStory } from './story.ts';

tellsTheStory(
  'as a cluster',
  async () => {
    const running = await cluster(environment);
    return { urls: running.urls, admin, stop: () => running.stop() };
  },
  missing('kafka') ?? missing('mongo'),
);
