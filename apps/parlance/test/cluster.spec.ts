import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, cluster, missing } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { behindAProxy, tellsOfReplicas } from './replicas-story.ts';
import { tellsTheStory } from './story.ts';

let running: Cluster;

tellsTheStory(
  'as a cluster',
  async () => {
    // In one folder, so that all of it can be searched.
    const directory = await mkdtemp(join(tmpdir(), 'parlance-cluster-'));
    running = await cluster({ ...environment, ...behindAProxy }, { directory });
    const stop = async () => {
      await running.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    };
    return { urls: running.urls, admin, keeps: directory, stop };
  },
  {
    lacking: missing('kafka') ?? missing('mongo') ?? missing('s3'),
    andThen: (telling) => tellsOfReplicas(telling, () => running),
  },
);
