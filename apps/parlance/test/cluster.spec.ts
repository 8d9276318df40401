import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cluster, missing } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { tellsTheStory } from './story.ts';

tellsTheStory(
  'as a cluster',
  async () => {
    // In one folder, so that all of it can be searched.
    const directory = await mkdtemp(join(tmpdir(), 'parlance-cluster-'));
    const running = await cluster(environment, { directory });
    const stop = async () => {
      await running.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    };
    return { urls: running.urls, admin, keeps: directory, stop };
  },
  missing('kafka') ?? missing('mongo'),
);
