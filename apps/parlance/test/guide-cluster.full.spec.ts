import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, cluster, missing, waitFor } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { answered, guideFiles, GuideReader, madeOnce } from './guide-story.ts';

const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');
const told = lacking === null ? describe : describe.skip;

told(`the guide of a new cluster${lacking === null ? '' : ` (${lacking})`}`, () => {
  let running: Cluster;
  let asked = 0;
  const reader = new GuideReader(() => running.urls[asked++ % running.urls.length]!);

  beforeAll(async () => {
    running = await cluster({ ...environment, PARLANCE_GUIDE_BOT: 'true' });
    await reader.signIn(admin);
  });
  afterAll(() => running?.stop());

  it('is made once over all replicas, and answers its quick starters', async () => {
    const botId = await reader.guide();
    const { body } = await reader.ask('GET', `/bot/private/${botId}`);
    expect(body.knowledge.filenames.toSorted()).toEqual(guideFiles);
    await waitFor(async () => (await reader.deeds(botId))['pin'] === 1, { what: 'the audit entries' });
    expect(await reader.deeds(botId)).toMatchObject(madeOnce);
    expect(await reader.tryStarters(botId)).toEqual(answered);
  });
});
