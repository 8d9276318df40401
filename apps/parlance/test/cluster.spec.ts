import { cluster, missing } from '@parlance/testing';
import { describe, it } from '@jest/globals';
import { admin, environment } from './deployment.ts';
import { tellsTheStory } from './story.ts';

const lacking = missing('kafka') ?? missing('mongo');

if (lacking) describe.skip(`the story, as a cluster (${lacking})`, () => it('is told', () => undefined));
else {
  tellsTheStory('as a cluster', async () => {
    const running = await cluster(environment);
    return { url: running.urls[0] as string, admin, stop: () => running.stop() };
  });
}
