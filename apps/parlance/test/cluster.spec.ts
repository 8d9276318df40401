import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, cluster, missing } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { behindAProxy, tellsOfReplicas } from './replicas-story.ts';
import { tellsTheStory } from './story.ts';
import { tellsOfSubscriptions } from './subscriptions-story.ts';

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
    /** The bucket is small enough for one page. The stand-in asks for no signature. */
    const objectKeys = async () => {
      const { endpoint, bucket } = running.bucket;
      const page = await (await fetch(`${endpoint}/${bucket}?list-type=2&max-keys=1000`)).text();
      return [...page.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key!);
    };
    return { urls: running.urls, admin, keeps: directory, objectKeys, stop };
  },
  {
    lacking: missing('kafka') ?? missing('mongo') ?? missing('s3'),
    andThen: (telling) => {
      tellsOfReplicas(telling, () => running);
      tellsOfSubscriptions(
        () => running.urls[0]!,
        () => running.servers.get('analytics')!,
      );
    },
  },
);
