import { type Cluster, cluster, missing, type Place } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import type { Chapter } from './people-story.ts';
import { behindAProxy } from './replicas-story.ts';
import { describeStory } from './story.ts';

/** Runs these chapters against one cluster. */
export function describeClusterStory(place: Place, chaptersOf: (running: () => Cluster) => readonly Chapter[]): void {
  let running: Cluster;
  const start = async () => {
    running = await cluster({ ...environment, ...behindAProxy }, place);
    /** The keys fit on one page. The stand-in needs no signature. */
    const objectKeys = async () => {
      const { endpoint, bucket } = running.bucket;
      const page = await (await fetch(`${endpoint}/${bucket}?list-type=2&max-keys=1000`)).text();
      return [...page.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key!);
    };
    return { urls: running.urls, admin, keeps: running.directory, objectKeys, stop: () => running.stop() };
  };
  const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');
  describeStory('as a cluster', start, { lacking, chapters: chaptersOf(() => running) });
}
